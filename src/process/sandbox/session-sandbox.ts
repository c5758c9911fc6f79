/** The sandbox of one session as others use it: loaded and tried at the first command, and it says once what is in force. */
import type { ConfinedEnd, ConfinedStart, SandboxPort, SandboxReport } from '../../types/sandbox.js';
import type { SandboxState } from './mode.js';
import type { Sandbox, SandboxOptions } from './open-sandbox.js';

export interface SessionSandboxOptions extends SandboxOptions {
  readonly canOffer: boolean;
  /** Commands run without a sandbox although one was asked for. Called once. `reason` is English, without its full stop. */
  onMissing(reason: string): void;
  /** What could not be protected: one English sentence without its full stop, each once. */
  onNote(note: string): void;
}

export interface SessionSandbox extends SandboxPort {
  /** What is in force; tried once. Never throws. */
  state(): Promise<SandboxState>;
  /** Puts right what commands still running may have left. Never throws. */
  close(): void;
}

type Parts = {
  readonly box: Sandbox;
  readonly sandboxRefusal: typeof import('./refusal.js')['sandboxRefusal'];
};

/** Nothing is loaded, looked at or tried before it is used; with `off` never. */
export function openSessionSandbox(options: SessionSandboxOptions): SessionSandbox {
  let loaded: Promise<Parts> | undefined;
  let known: Promise<SandboxState> | undefined;
  const load = () => (loaded ??= loadParts(options));
  const state = () => (known ??= tellState(options, load));
  const watch = createWatch();
  const told = new Set<string>();
  return {
    canOffer: options.canOffer,
    state,
    async confine(program, use) {
      if (options.mode === 'off') return undefined;
      await state();
      const { box, sandboxRefusal } = await load();
      watch.sweep();
      const confined = await box.confine(program, use);
      if (confined === undefined) return undefined;
      const { file, args, handles, plan } = confined;
      for (const note of plan.notes) {
        if (!told.has(note)) options.onNote(note);
        told.add(note);
      }
      const look = watch.add(() => box.settle(plan));
      const report = (end: ConfinedEnd): SandboxReport => {
        const refusal = sandboxRefusal(end.output, end.exitCode, plan, end);
        return { ...(refusal && { refusal }), planted: look(end.runsOn) };
      };
      return { file, args, handles, release: () => confined.release(), report } satisfies ConfinedStart;
    },
    close: () => watch.sweep(),
  };
}

async function loadParts(options: SandboxOptions): Promise<Parts> {
  const [{ openSandbox }, { sandboxRefusal }] = await Promise.all([import('./open-sandbox.js'), import('./refusal.js')]);
  return { box: openSandbox(options), sandboxRefusal };
}

async function tellState(options: SessionSandboxOptions, load: () => Promise<Parts>): Promise<SandboxState> {
  if (options.mode === 'off') return { level: 'none', reason: 'it is switched off' };
  const now = await (await load()).box.state();
  if (now.level === 'none') options.onMissing(now.reason);
  return now;
}

/** Plans of which something may still run: whenever one is looked at, all are. */
function createWatch() {
  const open = new Set<() => string[]>();
  const said: string[] = [];
  const sweep = () => {
    for (const remove of open) said.push(...remove());
  };
  return {
    sweep,
    /** The function gives the sentences that are new since any was last asked for; with false this plan is done. */
    add(remove: () => string[]): (runsOn: boolean) => string[] {
      open.add(remove);
      return (runsOn) => {
        sweep();
        if (!runsOn) open.delete(remove);
        return said.splice(0);
      };
    },
  };
}
