/** What a worker has of its own and what it has not: limits, model, list of commands; the user's words and checks are the caller's. */
import { describe, expect, it } from 'vitest';
import { because } from '../../src/types/reason.js';
import type { ScriptSkill } from '../../src/types/skill.js';
import { ok, tool } from './scripted-run.js';
import { runWorkers, type Said } from './worker-bench.js';

const call = (agent: string, task = 'look', more = {}) => ['agent', { agent, task, ...more }] as const;
const end: Said = { text: 'All done.' };
const reading = (n: number): Said => ({ calls: [['read', { file: `f${n}` }]] });

describe('a worker', () => {
  it('has the limits of its agent before those of all', async () => {
    const { reports } = await runWorkers({
      limits: { turns: 5, ms: 60_000 },
      agents: [
        { name: 'short', limits: { turns: 1 } },
        { name: 'quick', limits: { turns: 5, ms: 30 } },
      ],
      says: {
        main: [{ calls: [call('short'), call('quick')] }, end],
        short: [reading(1), { text: 'half' }],
        quick: [(signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: '' })))],
      },
    });
    expect(reports[0]).toMatch(/^\[short\] turn limit reached, unfinished: the limit of 1 turn was reached/);
    expect(reports[1]).toMatch(/^\[quick\] timeout, unfinished/);
  });

  it('takes nothing the user typed, and runs none of their checks; the caller does', async () => {
    const typed = [['for the caller']];
    let checked = 0;
    const { requests } = await runWorkers({
      ports: {
        takeTyped: () => typed.shift() ?? [],
        check: async () => {
          checked++;
          return { ran: [] };
        },
      },
      says: {
        main: [{ calls: [call('coder')] }, end, { text: 'heard' }],
        coder: [{ calls: [['write', { file: 'a' }]] }, { text: 'written' }],
      },
    });
    const heard = requests.filter(({ messages }) => JSON.stringify(messages).includes('for the caller'));
    expect(new Set(heard.map(({ agent }) => agent))).toEqual(new Set(['main']));
    // Once, for the change the worker's report brought.
    expect(checked).toBe(1);
    const late = [[], [], ['for the caller']];
    const again = await runWorkers({
      ports: { takeTyped: () => late.shift() ?? [] },
      says: { main: [{ calls: [call('coder')] }, end], coder: [reading(1), reading(2), { text: 'x' }] },
    });
    const own = again.requests.filter(({ agent }) => agent === 'coder');
    expect(own).toHaveLength(3);
    expect(JSON.stringify(own)).not.toContain('for the caller');
  });

  it('sends the effort that was chosen for it', async () => {
    const seen: (string | undefined)[] = [];
    await runWorkers({
      more: { modelFor: async () => ({ ...modelThat(seen), effort: 'high' }) },
      says: { main: [{ calls: [call('coder')] }, end] },
    });
    expect(seen).toEqual(['high']);
  });

  it('makes no call that its agent may not make, whatever the rules say', async () => {
    const { reports, outcome } = await runWorkers({
      more: {
        refuses: ({ name }, { call: { args } }) =>
          name === 'coder' && args['file'] === 'b' ? because`the agent ${name} may only run: a` : undefined,
      },
      says: {
        main: [{ calls: [call('coder')] }, end],
        coder: [
          {
            calls: [
              ['write', { file: 'a' }],
              ['write', { file: 'b' }],
            ],
          },
          { text: 'x' },
        ],
      },
    });
    expect(reports[0]).toContain('Files changed: a\nDenied: @coder write b: The agent coder may only run: a.');
    expect(outcome).toMatchObject({ status: 'denied', files: ['a'] });
  });
});

/** A model that notes the effort it is asked for. */
function modelThat(seen: (string | undefined)[]) {
  return {
    provider: {
      name: 'SCRIPTED',
      async *stream({ effort }: { readonly effort?: string }) {
        seen.push(effort);
        yield { type: 'text-delta', text: 'x' } as const;
        yield { type: 'end', reason: 'stop' } as const;
      },
    },
    model: 'm',
    toolMode: 'native' as const,
    modeIsGuess: false,
    priceOf: () => 0,
  };
}

describe('a script as a whole task', () => {
  const script = (run: ScriptSkill['run']): ScriptSkill => ({
    name: 'do-it',
    summary: 'Does it',
    schema: { type: 'object', properties: { dir: { type: 'string' } }, additionalProperties: false },
    example: {},
    calls: ['@coder read'],
    readOnly: true,
    run,
  });
  const report = async (run: ScriptSkill['run'], args = {}, ms = 60_000) => {
    const { reports } = await runWorkers({
      agents: [{ name: 'file', skills: ['do-it'] }],
      scripts: [script(run)],
      limits: { ms },
      tools: [tool('@coder read', 'read', false, (file) => ok(file))],
      says: { main: [{ calls: [call('file', 'x', { skill: ' Do-It', args })] }, end] },
    });
    return reports[0] ?? '';
  };

  it('tells its ways to end apart', async () => {
    const ends = (status: 'ok' | 'failed' | 'not-available' | 'denied') => async () => ({ status, text: `${status}!`, data: {} });
    expect(await report(ends('ok'))).toMatch(/^\[file\] done \(.*0 turns, 0 calls\)\nok!/);
    expect(await report(ends('failed'))).toMatch(/^\[file\] failed: the script says failed/);
    expect(await report(ends('not-available'))).toMatch(
      /^\[file\] failed: the script says that something it needs is not available.*\nnot-available!/,
    );
    expect(await report(ends('denied'))).toMatch(/^\[file\] ended, but calls were denied/);
    expect(await report(() => Promise.reject(new Error('boom')))).toMatch(/^\[file\] failed.*\nThe script do-it failed: boom/);
    const slow: ScriptSkill['run'] = (_args, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ status: 'failed', text: 'half', data: {} }), { once: true }),
      );
    expect(await report(slow, {}, 30)).toMatch(/^\[file\] timeout, unfinished: the time limit was reached.*\nhalf/);
  });

  it('has its arguments checked like those of a tool', async () => {
    expect(await report(async () => ({ status: 'ok', text: 'ran', data: {} }), { nonsense: 1 })).toMatch(
      /^\[file\] failed: do-it at \/nonsense: unknown field/,
    );
  });
});
