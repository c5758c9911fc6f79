/** The sandbox of one session as others use it: loaded and tried at the first command, and it says once what is in force. */
import { join } from 'node:path';
import type { ConfinedEnd, ConfinedStart, SandboxPort, SandboxReport } from '../../types/sandbox.js';
import type { SandboxState } from './mode.js';
import type { PlanTrace } from './newcomers.js';
import type { Sandbox, SandboxOptions } from './open-sandbox.js';
import type { KeptTrace, TraceStore } from './traces.js';

export interface SessionSandboxOptions extends SandboxOptions {
  readonly canOffer: boolean;
  /** Commands run without a sandbox although one was asked for. Called once. `reason` is English, without its full stop. */
  onMissing(reason: string): void;
  /** What could not be protected, and what was found when nobody asked any more: one English sentence without its full stop. */
  onNote(note: string): void;
}

export interface SessionSandbox extends SandboxPort {
  /** What is in force; tried once. Never throws. */
  state(): Promise<SandboxState>;
  /** Puts right what commands still running may have left. Never throws. */
  close(): void;
}

interface Parts {
  readonly box: Sandbox;
  readonly traces: TraceStore;
  readonly traceOf: typeof import('./newcomers.js')['traceOf'];
  readonly sandboxRefusal: typeof import('./refusal.js')['sandboxRefusal'];
  /** A job of an earlier or this run that outlives it still runs in one of the workspaces. */
  keptRuns(): boolean;
}

/** Nothing is loaded, looked at or tried before it is used; with `off` never. */
export function openSessionSandbox(options: SessionSandboxOptions): SessionSandbox {
  let loaded: Promise<Parts> | undefined;
  let parts: Parts | undefined;
  let known: Promise<SandboxState> | undefined;
  const load = () =>
    (loaded ??= loadParts(options).then((found) => {
      parts = found;
      return found;
    }));
  const state = () => (known ??= tellState(options, load));
  const watch = createWatch((traces) => parts?.box.settle(traces) ?? []);
  const told = new Set<string>();
  return {
    canOffer: options.canOffer,
    state,
    inForce: async () => (await state()).level !== 'none',
    async confine(program, use) {
      if (options.mode === 'off') return undefined;
      await state();
      const { box, traces, traceOf, sandboxRefusal, keptRuns } = await load();
      for (const one of traces.adopt()) watch.add(one);
      watch.sweep();
      if (watch.hasAdopted() && !keptRuns()) watch.dropAdopted();
      const confined = await box.confine(program, use);
      if (confined === undefined) return undefined;
      const { file, args, handles, plan } = confined;
      for (const note of plan.notes) {
        if (!told.has(note)) options.onNote(note);
        told.add(note);
      }
      const one = traces.note(traceOf(plan));
      watch.add(one, 'own');
      const report = (end: ConfinedEnd): SandboxReport => {
        const refusal = sandboxRefusal(end.output, end.exitCode, plan, end);
        watch.sweep();
        if (!end.runsOn) watch.drop(one);
        return { ...(refusal && { refusal }), planted: watch.said() };
      };
      const ended = () => {
        watch.sweep();
        watch.drop(one);
      };
      return { file, args, handles, release: () => confined.release(), report, ended } satisfies ConfinedStart;
    },
    close() {
      watch.sweep();
      for (const sentence of watch.said()) options.onNote(sentence.replace(/^Sandbox: /, '').replace(/\.$/, ''));
      // A kept job goes on: the next start looks at what it leaves.
      if (parts?.keptRuns() === false) watch.dropAll();
    },
  };
}

async function loadParts(options: SandboxOptions): Promise<Parts> {
  const [{ openSandbox }, { sandboxRefusal }, { traceOf }, { createTraceStore }, { keptJobs }, { infoOf, isActive }] =
    await Promise.all([
      import('./open-sandbox.js'),
      import('./refusal.js'),
      import('./newcomers.js'),
      import('./traces.js'),
      import('../jobs/kept-jobs.js'),
      import('../jobs/job-state.js'),
    ]);
  const traces = createTraceStore(join(options.state, 'cache', 'sandbox', 'traces'), options.roots);
  const keptRuns = () => options.roots.some((root) => keptJobs(options.state, root).some((job) => isActive(infoOf(job))));
  return { box: openSandbox(options), traces, traceOf, sandboxRefusal, keptRuns };
}

async function tellState(options: SessionSandboxOptions, load: () => Promise<Parts>): Promise<SandboxState> {
  if (options.mode === 'off') return { level: 'none', reason: 'it is switched off' };
  const now = await (await load()).box.state();
  if (now.level === 'none') options.onMissing(now.reason);
  return now;
}

/** Traces of commands of which something may still run: whenever one is looked at, all are. */
function createWatch(settle: (traces: readonly PlanTrace[]) => string[]) {
  const own = new Set<KeptTrace>();
  const adopted = new Set<KeptTrace>();
  let found: string[] = [];
  const drop = (one: KeptTrace) => {
    own.delete(one);
    adopted.delete(one);
    one.remove();
  };
  return {
    sweep() {
      if (own.size + adopted.size > 0) found.push(...settle([...own, ...adopted].map(({ trace }) => trace)));
    },
    add: (one: KeptTrace, whose?: 'own') => void (whose === 'own' ? own : adopted).add(one),
    drop,
    hasAdopted: () => adopted.size > 0,
    /** Those of earlier runs, when nothing of these runs any more. */
    dropAdopted: () => [...adopted].forEach(drop),
    dropAll: () => [...own, ...adopted].forEach(drop),
    /** What is new since it was last asked for. */
    said(): string[] {
      const all = found;
      found = [];
      return all;
    },
  };
}
