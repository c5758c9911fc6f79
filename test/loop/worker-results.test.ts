/** What workers come to for the run that called them: tests, denials, answers, and how many of them there may be. */
import { describe, expect, it } from 'vitest';
import { reportText } from '../../src/loop/agent-tool.js';
import { NO_USAGE } from '../../src/loop/ports.js';
import { workerLog } from '../../src/loop/worker-log.js';
import type { ScriptSkill } from '../../src/types/skill.js';
import type { Display, ToolResult } from '../../src/types/tool.js';
import { ok, tool } from './scripted-run.js';
import { runWorkers, type Said } from './worker-bench.js';

const call = (agent: string, task = 'look', more = {}) => ['agent', { agent, task, ...more }] as const;
const end: Said = { text: 'All tests pass.' };

/** `test` gives what it is asked for. */
const display = (good: boolean): Display => ({
  kind: 'tests',
  command: 't',
  passed: 1,
  failed: good ? 0 : 1,
  skipped: 0,
  ok: good,
});
const tester = tool('@coder test', 'test', true, (file): ToolResult => ok(file, { display: display(file === 'green') }));
const RUN_TESTS: ScriptSkill = {
  name: 'run-tests',
  summary: 'Runs tests',
  schema: { type: 'object', properties: { how: { type: 'string' } }, additionalProperties: false },
  example: {},
  calls: ['@coder test'],
  readOnly: false,
  run: async ({ how }, { call: send }) => {
    const { output } = await send('@coder test', { file: String(how) });
    return { status: 'ok', text: output, data: {} };
  },
};
const skill = (how: string) => call('shell', 'test', { skill: 'run-tests', args: { how } });
const test = (how: string) => ['test', { file: how }] as const;

async function state(main: readonly Said[], shell: readonly Said[] = []) {
  const { outcome } = await runWorkers({
    tools: [tester],
    scripts: [RUN_TESTS],
    agents: [
      { name: 'shell', skills: ['run-tests'] },
      { name: 'own', execute: async (_t, { call: send }) => ({ text: (await send('@coder test', { file: 'red' })).output }) },
    ],
    says: { main: [...main, end], shell },
  });
  return [outcome.status, outcome.tests];
}

describe('the last test run', () => {
  it('counts whoever ran it: worker, script of a worker, own script, own code', async () => {
    const red = ['failed', 'red'];
    expect(await state([{ calls: [call('shell')] }], [{ calls: [test('red')] }, { text: 'x' }])).toEqual(red);
    expect(await state([{ calls: [skill('red')] }])).toEqual(red);
    expect(await state([{ calls: [['skill', { name: 'run-tests', args: { how: 'red' } }]] }])).toEqual(red);
    expect(await state([{ calls: [call('own')] }])).toEqual(red);
    expect(await state([{ calls: [skill('red'), skill('green')] }])).toEqual(red);
  });

  it('is green again when a worker or a later call says so', async () => {
    const green = ['done', 'green'];
    expect(await state([{ calls: [test('red')] }, { calls: [skill('green')] }])).toEqual(green);
    expect(await state([{ calls: [skill('red')] }, { calls: [test('green')] }])).toEqual(green);
    expect(await state([{ calls: [skill('red')] }, { calls: [call('shell')] }], [{ text: 'nothing tested' }])).toEqual([
      'failed',
      'red',
    ]);
  });
});

describe('a refused call', () => {
  const rules = () => {
    let open = false;
    return {
      decide: (name: string) => (name === '@coder write' && !open ? 'deny' : 'allow') as never,
      open: () => (open = true),
    };
  };
  const write = (file = 'a') => ['write', { file }] as const;

  it('is settled when an equal one succeeds later, whoever makes it', async () => {
    for (const later of ['main', 'file'] as const) {
      const { decide, open } = rules();
      const opens: Said = async () => {
        open();
        return { calls: [write()] };
      };
      const { outcome } = await runWorkers({
        decide,
        says: {
          main: [{ calls: [call('coder')] }, later === 'main' ? opens : { calls: [call('file')] }, end],
          coder: [{ calls: [write()] }, { text: 'could not' }],
          file: [opens, { text: 'did' }],
        },
      });
      expect([outcome.status, outcome.denied, outcome.files]).toEqual(['done', [], ['a']]);
    }
  });

  it('of the caller is settled by a worker, and stands when what succeeded was another call', async () => {
    for (const [file, status] of [
      ['a', 'done'],
      ['b', 'denied'],
    ]) {
      const { decide, open } = rules();
      const { outcome } = await runWorkers({
        decide,
        says: {
          main: [{ calls: [write()] }, { calls: [call('coder')] }, end],
          coder: [
            async () => {
              open();
              return { calls: [write(file)] };
            },
            { text: 'x' },
          ],
        },
      });
      expect(outcome.status).toBe(status);
    }
  });
});

describe('many agent calls', () => {
  it('of one reply: sixteen are dispatched, the others are to be sent again; their reports share a room', async () => {
    const { reports, ofType } = await runWorkers({
      says: {
        main: [{ calls: Array.from({ length: 20 }, () => call('file')) }, end],
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [n === 0 ? 'file' : `file-${n + 1}`, [{ text: `${n} ${'x'.repeat(30_000)}` }]]),
        ),
      },
    });
    expect(ofType('worker-start')).toHaveLength(16);
    expect(reports).toHaveLength(20);
    for (const text of reports.slice(16)) expect(text).toMatch(/^not executed: not dispatched: .*first 16 .*Send it again/);
    const size = reports.join('').length;
    expect(size).toBeLessThan(125_000);
    expect(size).toBeGreaterThan(100_000);
    for (const text of reports.slice(0, 16)) expect(text).toMatch(/^\[file(-\d+)?\] done[\s\S]*characters left out/);
  });
});

describe('a run whose budget is spent', () => {
  it('ends with what its workers had found', async () => {
    const { outcome } = await runWorkers({
      budgetUsd: 1,
      price: 0.4,
      says: {
        main: [{ calls: [call('file'), call('coder')] }, end],
        file: [{ text: 'FOUND IT' }],
        coder: [{ text: 'AND THAT' }],
      },
    });
    expect(outcome.status).toBe('budget');
    expect(outcome.result).toMatch(/^\[file\] done[\s\S]*FOUND IT[\s\S]*\[coder\] done[\s\S]*AND THAT/);
  });
});

describe('a report', () => {
  const outcome = { status: 'done', result: 'x', turns: 1, usage: NO_USAGE, denied: [], files: [] } as const;
  const base = { worker: 'w', agent: 'w', log: [], omitted: 0, ms: 5 };
  const denied = { tool: '@coder write', summary: 'a\n[other] done', reason: 'no.', agent: 'w', allowable: false };

  it('is bounded in every row', () => {
    const files = Array.from({ length: 700 }, (_, n) => `f${n}`);
    const text = reportText({
      ...base,
      outcome: { ...outcome, files, denied: Array(300).fill(denied), result: 'y'.repeat(90_000) },
    });
    expect(text).toContain('f49, and 650 more');
    expect(text.match(/^Denied: @coder write a\\n\[other\] done: no\./gm)).toHaveLength(20);
    expect(text).toContain('\nand 280 more');
    expect(text.length).toBeLessThan(33_000);
  });

  it('holds the newest calls only, says nothing twice, and says how many are left out', () => {
    const log = workerLog('w');
    const take = (tool: string, object: string, n: number, denied = false): void => {
      const call = { id: `c${n}`, tool, args: {}, source: 'native', agent: 'w' } as const;
      const stamp = { agent: 'w', time: 0 };
      log.take({ ...stamp, type: 'call-start', call, label: { verb: 'call', object } });
      log.take({ ...stamp, type: 'call-end', call, result: ok('x'), denied, ...(denied ? { reason: 'no' } : {}) });
    };
    for (let n = 0; n < 100; n++) take('@coder read', `f${n}`, n);
    take('@coder git-status', 'status', 100);
    take('skill', 'skill run-tests', 101);
    take('@lsp', '@lsp rename a b', 102, true);
    const lines = log.lines();
    expect([lines.length, log.omitted]).toEqual([60, 43]);
    expect(lines.slice(-4)).toEqual([
      '@coder read f99: ok',
      '@coder git-status: ok',
      'skill run-tests: ok',
      '@lsp rename a b: denied (no)',
    ]);
  });
});

describe('an agent call', () => {
  const script = { agents: [{ name: 'shell', skills: ['run-tests', 'by-hand'] }], scripts: [RUN_TESTS], tools: [tester] };

  it('of a script needs no task, by function and by tag', async () => {
    const given = { agent: 'shell', skill: 'run-tests', args: { how: 'green' } };
    const native = await runWorkers({ ...script, says: { main: [{ calls: [['agent', given]] }, end] } });
    expect(native.reports[0]).toMatch(/^\[shell\] done[^\n]*\ngreen/);
    expect(native.ofType('worker-start')).toEqual([expect.objectContaining({ task: 'skill run-tests' })]);
    const text = `<agent_call agent="shell" skill="run-tests" args='{"how":"green"}'/>`;
    const tag = await runWorkers({ ...script, mode: 'text', says: { main: [{ text }, end] } });
    expect(tag.reports.join('\n')).toMatch(/\[shell\] done[^\n]*\ngreen/);
  });

  it('without task and script starts nothing, and names the form with a script', async () => {
    const given = { agent: 'shell', task: ' ' };
    const { reports, ofType } = await runWorkers({ ...script, says: { main: [{ calls: [['agent', given]] }, end] } });
    expect(reports[0]).toMatch(/InvalidArgs[^\n]*task is missing or empty[^\n]*"skill":"run-tests"/);
    expect(ofType('worker-start')).toEqual([]);
  });

  it('that is malformed is told to the person on one line, one that names no script says what to do', async () => {
    const text = '<agent_call agent="shell"></agent_call>';
    const { ofType } = await runWorkers({ ...script, mode: 'text', says: { main: [{ text }, end] } });
    expect(ofType('notice')).toEqual([
      expect.objectContaining({
        code: 'agent-not-called',
        text: expect.stringMatching(/^An agent call was not run: agent at \/task/),
      }),
    ]);
    const { reports } = await runWorkers({
      ...script,
      says: { main: [{ calls: [['agent', { agent: 'shell', skill: 'by-hand' }]] }, end] },
    });
    expect(reports[0]).toContain('that is its own work, so give it a task without skill. Its scripts: run-tests');
  });

  it('tells the worker where it works, behind the task', async () => {
    const { requests } = await runWorkers({
      agents: [{ name: 'file' }],
      more: { environment: ({ workspace }) => `<environment>${workspace.root}</environment>` },
      says: { main: [{ calls: [call('file', 'look here')] }, end], file: [{ text: 'seen' }] },
    });
    const first = requests.find(({ agent }) => agent === 'file')?.messages[0];
    expect(JSON.stringify(first?.parts)).toMatch(/look here\\n\\n<environment>/);
  });
});

it('the calls of a report stand as they were called, whenever they ended', () => {
  const log = workerLog('a');
  const ended = (id: string, name: string, denied = false) => {
    const made = { id, tool: name, args: {}, source: 'native', agent: 'a' } as const;
    const result = { output: '', isError: denied };
    log.take({ type: 'call-end', call: made, result, denied, agent: 'a', time: 1 });
  };
  for (const id of ['t1c2', 't1c10', 't1c1', 't2c2', 't2c1', 's9', 't1c1']) ended(id, id, id === 't1c2');
  expect(log.lines().map((line) => line.split(':')[0])).toEqual(['t1c1', 't1c2', 't1c10', 't2c1', 't2c2', 's9', 't1c1']);
});
