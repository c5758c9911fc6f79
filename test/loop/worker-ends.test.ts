/** Every way a worker can end: what it spent and did counts, its slot is free again, and nobody waits for it for ever. */
import { describe, expect, it } from 'vitest';
import type { Isolated } from '../../src/loop/isolation.js';
import type { LoopPorts } from '../../src/loop/ports.js';
import type { Dispatcher } from '../../src/types/dispatch.js';
import { ok, tool } from './scripted-run.js';
import { runWorkers, type Said, worker } from './worker-bench.js';

const call = (agent: string, task = 'look', more = {}) => ['agent', { agent, task, ...more }] as const;
const end: Said = { text: 'All done.' };
const never = () => new Promise<never>(() => undefined);
const patience = { stopped: 20, keeping: 40 };

describe('a worker that does not end when it is stopped', () => {
  it('is left behind: its slot is free, and what it spent and changed counts', async () => {
    const { reports, outcome, dispatcher, ofType } = await runWorkers({
      limits: { workers: 1, ms: 150 },
      price: 0.5,
      more: { patience },
      tools: [
        tool('@coder write', 'write', true, (file) => ok('wrote', { changed: [`/ws/${file}`] })),
        tool('@coder read', 'read', false, never),
      ],
      says: {
        main: [{ calls: [call('coder'), call('file')] }, end],
        coder: [{ calls: [['write', { file: 'a' }]] }, { calls: [['read', { file: 'b' }]] }],
        file: [{ text: 'fine' }],
      },
    });
    expect(reports[0]).toMatch(
      /^\[coder\] timeout, unfinished: the time limit was reached; the worker did not end by itself \(.*, 2 turns, 1 call\)/,
    );
    expect(reports[0]).toContain('Files changed: a');
    expect(reports[1]).toMatch(/^\[file\] done/);
    expect(ofType('worker-end')[0]?.outcome).toMatchObject({ status: 'timeout', cost: 1, usage: { input: 20 } });
    // Two turns of main, two of the coder, one of the other.
    expect(outcome).toMatchObject({ cost: 2.5, files: ['a'] });
    expect(dispatcher.workers()).toEqual([]);
  });

  it('holds up nobody in code of its own either, also when it was stopped before it began', async () => {
    let begun = 0;
    const stop = new AbortController();
    const { ofType } = await runWorkers({
      agents: [
        {
          name: 'own',
          execute: (_task, { signal }) => {
            begun++;
            setImmediate(() => stop.abort());
            expect(signal.aborted).toBe(false);
            return never();
          },
        },
      ],
      signal: stop.signal,
      limits: { workers: 1 },
      says: { main: [{ calls: [call('own'), call('own')] }, end] },
    });
    expect(begun).toBe(1);
    const ends = ofType('call-end').map(({ result }) => result.code);
    expect(ends).toEqual(['Aborted', 'Aborted']);
  });
});

describe('code of its own', () => {
  const spends = (more: () => Promise<never>) => ({
    name: 'own',
    execute: async (_task: string, deps: { think(task: string): Promise<unknown> }) => {
      await deps.think('think');
      return more();
    },
  });

  it('is billed for what it thought although it threw', async () => {
    const { outcome, reports } = await runWorkers({
      price: 0.5,
      agents: [spends(() => Promise.reject(new Error('boom')))],
      says: { main: [{ calls: [call('own')] }, end], own: [{ calls: [['write', { file: 'a' }]] }, { text: 'thought' }] },
    });
    expect(reports[0]).toMatch(/^\[own\] failed: the worker crashed: boom \(.*2 turns, 1 call\)[\s\S]*Files changed: a/);
    expect(outcome).toMatchObject({ cost: 2, usage: { input: 40 }, files: ['a'] });
  });

  it('is billed for what it thought although it was stopped', async () => {
    const { outcome, reports } = await runWorkers({
      price: 0.5,
      limits: { ms: 150 },
      agents: [spends(never)],
      says: { main: [{ calls: [call('own')] }, end], own: [{ text: 'thought' }] },
    });
    expect(reports[0]).toMatch(/^\[own\] timeout, unfinished/);
    expect(outcome).toMatchObject({ cost: 1.5, usage: { input: 30 } });
  });

  it('makes no further call once it was stopped', async () => {
    const ran: string[] = [];
    let later: Promise<unknown> = Promise.resolve();
    const asked: string[] = [];
    const { dispatcher } = await runWorkers({
      limits: { ms: 30 },
      tools: [tool('@coder write', 'write', true, (file) => ok(`${ran.push(file)}`))],
      decide: (name) => {
        asked.push(name);
        return 'allow';
      },
      agents: [
        {
          name: 'own',
          execute: (_task, { call: send, signal }) => {
            later = new Promise((resolve) => signal.addEventListener('abort', resolve)).then(() =>
              send('@coder write', { file: 'late' }),
            );
            return never();
          },
        },
      ],
      says: { main: [{ calls: [call('own')] }, end] },
    });
    expect(await later).toMatchObject({ isError: true, code: 'Aborted' });
    expect(ran).toEqual([]);
    // Not even judged: nobody may be asked about it.
    expect(asked).toEqual(['agent']);
    expect(dispatcher.workers()).toEqual([]);
  });
});

describe('a worker that cannot begin', () => {
  it('says why, and is not called cancelled', async () => {
    const { reports } = await runWorkers({
      more: { modelFor: () => Promise.reject(new Error('no key for it')) },
      says: { main: [{ calls: [call('file')] }, end] },
    });
    expect(reports[0]).toMatch(/^\[file\] failed: the model service: no key for it/);
    let asked = 0;
    const broken = await runWorkers({
      more: {
        agents: () => {
          if (++asked > 1) throw new Error('no agents');
          return [worker('file')];
        },
      },
      says: { main: [{ calls: [call('file')] }, end] },
    });
    expect(broken.reports[0]).toMatch(/^\[file\] failed: it could not be started: no agents/);
  });

  it('does not hold up a stop while its service is looked for', async () => {
    const { reports, ofType } = await runWorkers({
      limits: { ms: 30 },
      more: { modelFor: never },
      says: { main: [{ calls: [call('file')] }, end] },
    });
    expect(reports[0]).toMatch(/^\[file\] timeout, unfinished: the time limit was reached/);
    expect(ofType('worker-start')).toHaveLength(1);
    expect(ofType('worker-end')).toHaveLength(1);
  });
});

describe('a call whose run was stopped before', () => {
  it('is answered as cancelled, and begins nothing', async () => {
    let at: Dispatcher | undefined;
    const { requests } = await runWorkers({
      onStart: (dispatcher) => {
        at = dispatcher;
      },
      says: { main: [end] },
    });
    const job = { callId: 'c', agent: 'file', task: 'look' };
    const report = await at?.dispatch(job, { signal: AbortSignal.abort('interrupted') });
    expect(report?.outcome).toMatchObject({ status: 'interrupted', reason: 'the run was stopped' });
    expect(requests.map(({ agent }) => agent)).toEqual(['main']);
  });
});

describe('a single worker', () => {
  it('is cancelled by its id; it is no longer at work, its siblings go on', async () => {
    let at: Dispatcher | undefined;
    const states: string[] = [];
    const { reports } = await runWorkers({
      onStart: (dispatcher) => {
        at = dispatcher;
      },
      says: {
        main: [{ calls: [call('coder'), call('file')] }, end],
        coder: [(signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: '' })))],
        file: [
          async () => {
            states.push(...(at?.workers().map(({ worker, state }) => `${worker} ${state}`) ?? []));
            expect([at?.cancel('coder'), at?.cancel('nobody')]).toEqual([true, false]);
            return { text: 'fine' };
          },
        ],
      },
    });
    expect(states).toEqual(['coder running', 'file running']);
    expect(reports[0]).toMatch(/^\[coder\] cancelled: it was cancelled by a call/);
    expect(reports[0]).not.toContain('Do not send it again');
    expect(reports[1]).toMatch(/^\[file\] done/);
    expect(at?.workers()).toEqual([]);
    expect(at?.cancel('coder')).toBe(false);
  });

  it('is shown as asking while a person is asked for it', async () => {
    let at: Dispatcher | undefined;
    const seen: (string | undefined)[] = [];
    const state = () => at?.workers().find(({ worker }) => worker === 'coder')?.state;
    await runWorkers({
      onStart: (dispatcher) => {
        at = dispatcher;
      },
      decide: (name) => (name === '@coder write' ? 'ask' : 'allow'),
      ask: async () => {
        seen.push(state());
        return 'yes';
      },
      says: {
        main: [{ calls: [call('coder')] }, end],
        coder: [
          { calls: [['write', { file: 'a' }]] },
          async () => {
            seen.push(state());
            return { text: 'x' };
          },
        ],
      },
    });
    expect(seen).toEqual(['asking', 'running']);
  });

  it('that is cancelled at its question stops nobody else', async () => {
    let at: Dispatcher | undefined;
    const { reports, outcome } = await runWorkers({
      onStart: (dispatcher) => {
        at = dispatcher;
      },
      decide: (name) => (name === '@coder write' ? 'ask' : 'allow'),
      ask: async ({ agent }) => {
        if (agent !== 'coder') return 'yes';
        at?.cancel('coder', 'person');
        return 'stopped';
      },
      says: {
        main: [{ calls: [call('coder'), call('file')] }, end],
        coder: [{ calls: [['write', { file: 'a' }]] }, { text: 'x' }],
        file: [{ calls: [['write', { file: 'b' }]] }, { text: 'written' }],
      },
    });
    expect(reports[0]).toMatch(/^\[coder\] cancelled: the person stopped this agent alone, the run goes on/);
    expect(reports[0]).toContain('Do not send it again unless the person asks for it.');
    expect(reports[1]).toMatch(/^\[file\] done[\s\S]*Files changed: b/);
    expect(outcome.status).toBe('done');
  });
});

describe('an isolated worker', () => {
  const place = (finish: Isolated['finish']) => async (_w: string, _t: string, signal: AbortSignal, ports: LoopPorts) => {
    last = signal;
    return { ports: { ...ports, workspace: { ...ports.workspace, root: '/trees/one' } }, finish };
  };
  let last: AbortSignal | undefined;
  const agents = [{ name: 'coder', isolation: 'worktree' as const }];

  it('has its time for the work alone: the keeping of its change goes on behind the limit', async () => {
    const { reports } = await runWorkers({
      agents,
      limits: { ms: 120 },
      more: {
        isolate: place(async (outcome) => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          return { outcome: { ...outcome, files: ['kept'] }, note: 'It worked in a worktree.' };
        }),
        patience: { stopped: 20, keeping: 60_000 },
      },
      says: { main: [{ calls: [call('coder')] }, end], coder: [never as Said] },
    });
    expect(reports[0]).toMatch(
      /^\[coder\] timeout, unfinished: .*did not end by itself.*\n[\s\S]*It worked in a worktree\.\nFiles changed: kept/,
    );
    const inTime = await runWorkers({
      agents,
      limits: { ms: 120 },
      more: {
        isolate: place(async (outcome) => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          return { outcome, note: 'It worked in a worktree.' };
        }),
      },
      says: { main: [{ calls: [call('coder')] }, end], coder: [{ text: 'quick' }] },
    });
    expect(last?.aborted).toBe(false);
    expect(inTime.reports[0]).toMatch(/^\[coder\] done[\s\S]*quick\nIt worked in a worktree\./);
  });

  it('whose change cannot be kept in time is named with its folder', async () => {
    const { reports, outcome } = await runWorkers({
      agents,
      more: { isolate: place(never), patience },
      says: { main: [{ calls: [call('coder')] }, end], coder: [{ calls: [['write', { file: 'a' }]] }, { text: 'written' }] },
    });
    expect(reports[0]).toContain('Its change could not be kept in time; its work is in /trees/one.\nFiles changed: none');
    expect(outcome.files).toEqual([]);
  });

  it('whose place is made too late is cleared away', async () => {
    let made: () => void = () => undefined;
    const cleared = new Promise<string>((resolve) => {
      const isolate = async (_w: string, _t: string, _s: AbortSignal, ports: LoopPorts): Promise<Isolated> => {
        await new Promise<void>((done) => {
          made = done;
        });
        return {
          ports,
          finish: async (outcome) => {
            resolve(outcome.status);
            return { outcome, note: '' };
          },
        };
      };
      void runWorkers({
        agents,
        limits: { ms: 30 },
        more: { isolate, patience },
        says: { main: [{ calls: [call('coder')] }, end] },
      }).then(({ reports }) => {
        expect(reports[0]).toMatch(/^\[coder\] timeout, unfinished/);
        made();
      });
    });
    expect(await cleared).toBe('timeout');
  });
});
