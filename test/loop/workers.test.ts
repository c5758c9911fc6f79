/** Workers as the orchestrator sees them: side by side, apart from each other, each with a report of its own. */
import { describe, expect, it } from 'vitest';
import type { ScriptSkill } from '../../src/types/skill.js';
import { ok, tool } from './scripted-run.js';
import { runWorkers, type Said } from './worker-bench.js';

const call = (agent: string, task = 'look', more = {}) => ['agent', { agent, task, ...more }] as const;
const end: Said = { text: 'All done.' };

/** Lets so many come in before any goes on. */
function meeting(size: number) {
  let here = 0;
  let most = 0;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    most: () => most,
    async come() {
      most = Math.max(most, ++here);
      if (here >= size) open();
      await all;
      here--;
    },
  };
}

describe('agent calls of one reply', () => {
  it('run together, and are answered in their order with the answer first', async () => {
    const both = meeting(2);
    const says = async (): Promise<{ text: string }> => {
      await both.come();
      return { text: 'found it in a.ts:3' };
    };
    const { outcome, reports, requests } = await runWorkers({
      says: { main: [{ calls: [call('file'), call('coder', 'write it')] }, end], file: [says], coder: [says] },
    });
    expect(outcome).toMatchObject({ status: 'done', result: 'All done.' });
    expect(both.most()).toBe(2);
    expect(reports).toHaveLength(2);
    expect(reports[0]).toMatch(/^\[file\] done \(.*1 turn, 0 calls\)\nfound it in a\.ts:3\nFiles changed: none/);
    expect(reports[1]).toMatch(/^\[coder\] done/);
    // A history of its own: prompt, rules, the task, nothing of the caller's.
    const own = requests.find(({ agent }) => agent === 'coder');
    expect(own?.system).toMatch(/^PROMPT coder[\s\S]*RULES$/);
    expect(own?.messages).toHaveLength(1);
    expect(JSON.stringify(own?.messages)).toContain('write it');
    expect(JSON.stringify(own?.messages)).not.toContain('do it');
  });

  it('wait for a slot when all are taken, in their order', async () => {
    const order: string[] = [];
    const says = (name: string) => async () => {
      order.push(name);
      return { text: name };
    };
    const { reports } = await runWorkers({
      limits: { workers: 1 },
      says: {
        main: [{ calls: [call('file'), call('coder'), call('file')] }, end],
        file: [says('file')],
        coder: [says('coder')],
        'file-2': [says('file-2')],
      },
    });
    expect(order).toEqual(['file', 'coder', 'file-2']);
    expect(reports.map((text) => text.split(' ')[0])).toEqual(['[file]', '[coder]', '[file-2]']);
  });

  it('leave siblings alone when one is unknown, throws, or loops', async () => {
    const { reports, outcome } = await runWorkers({
      limits: { turns: 2 },
      agents: [{ name: 'file' }, { name: 'coder' }, { name: 'own', execute: () => Promise.reject(new Error('boom')) }],
      says: {
        main: [{ calls: [call('nobody'), call('own'), call('coder'), call('file')] }, end],
        coder: [{ calls: [['read', { file: 'a' }]] }, { calls: [['read', { file: 'b' }]] }, { text: 'got half way' }],
        file: [{ text: 'fine' }],
      },
    });
    expect(outcome.status).toBe('done');
    expect(reports[0]).toMatch(/^\[nobody\] failed: there is no agent nobody\. Agents: file, coder, own/);
    expect(reports[1]).toMatch(/^\[own\] failed: the worker crashed: boom/);
    expect(reports[2]).toMatch(/^\[coder\] turn limit reached, unfinished: the limit of 2 turns was reached .*\ngot half way/);
    expect(reports[2]).toContain('- @coder read a: ok');
    expect(reports[3]).toMatch(/^\[file\] done/);
  });

  it('end at the time limit, also when the model never answers', async () => {
    const { reports } = await runWorkers({
      limits: { ms: 50 },
      says: {
        main: [{ calls: [call('coder'), call('file')] }, end],
        coder: [(signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: '' })))],
        file: [{ text: 'fine' }],
      },
    });
    expect(reports[0]).toMatch(/^\[coder\] timeout, unfinished: the time limit was reached/);
    expect(reports[1]).toMatch(/^\[file\] done/);
  });

  it('do not use up their time while somebody is asked', async () => {
    const { reports } = await runWorkers({
      limits: { ms: 1500 },
      decide: (name) => (name === '@coder write' ? 'ask' : 'allow'),
      ask: () => new Promise((resolve) => setTimeout(resolve, 2000, 'yes')),
      says: {
        main: [{ calls: [call('coder')] }, end],
        coder: [{ calls: [['write', { file: 'a' }]] }, { text: 'written' }],
      },
    });
    expect(reports[0]).toMatch(/^\[coder\] done[\s\S]*written\nFiles changed: a/);
  });

  it('stop with their caller, running and waiting ones', async () => {
    const stop = new AbortController();
    const { outcome, byType } = await runWorkersStopped(stop);
    expect(outcome.status).toBe('interrupted');
    const ends = byType('call-end').filter((event) => event.call.tool === 'agent');
    expect(ends.map((event) => event.result.code)).toEqual(['Aborted', 'Aborted']);
  });

  it('ask one question at a time, with agent and task', async () => {
    const questions: string[] = [];
    let open = 0;
    await runWorkers({
      decide: (name) => (name === '@coder write' ? 'ask' : 'allow'),
      ask: async ({ agent, task }) => {
        questions.push(`${agent}: ${task} (${++open} open)`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        open--;
        return 'no';
      },
      says: {
        main: [{ calls: [call('coder', 'one'), call('file', 'two')] }, end],
        coder: [{ calls: [['write', { file: 'a' }]] }, { text: 'x' }],
        file: [{ calls: [['write', { file: 'b' }]] }, { text: 'y' }],
      },
    });
    expect(questions.sort()).toEqual(['coder: one (1 open)', 'file: two (1 open)']);
  });
});

async function runWorkersStopped(stop: AbortController) {
  const hang: Said = (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ text: '' }));
      setTimeout(() => stop.abort('interrupted'), 20);
    });
  const setup = {
    limits: { workers: 1 },
    signal: stop.signal,
    says: { main: [{ calls: [call('coder'), call('file')] }], coder: [hang] },
  };
  const result = await runWorkers(setup);
  const byType = <T extends (typeof result.events)[number]['type']>(type: T) =>
    result.events.filter((event): event is Extract<(typeof result.events)[number], { type: T }> => event.type === type);
  return { ...result, byType };
}

describe('what a worker may do', () => {
  it('has the tools of its list only, and no agents', async () => {
    const { requests, reports } = await runWorkers({
      agents: [{ name: 'file', tools: ['read'], readOnly: true }],
      says: {
        main: [{ calls: [call('file')] }, end],
        file: [{ calls: [['write', { file: 'a' }]] }, { calls: [call('file')] }, { text: 'tried' }],
      },
    });
    const names = requests.find(({ agent }) => agent === 'file')?.functions.map(({ name }) => name);
    expect(names).toContain('read');
    expect(names).not.toContain('write');
    expect(names).not.toContain('agent');
    expect(reports[0]).toMatch(/^\[file\] done/);
    expect(reports[0]).toContain('Files changed: none');
  });

  it('is told what was denied, and so is the caller, to the end', async () => {
    const { outcome, reports } = await runWorkers({
      decide: (name) => (name === '@coder write' ? 'deny' : 'allow'),
      says: { main: [{ calls: [call('coder')] }, end], coder: [{ calls: [['write', { file: 'a' }]] }, { text: 'could not' }] },
    });
    expect(reports[0]).toMatch(/^\[coder\] ended, but calls were denied/);
    expect(reports[0]).toContain('Denied: @coder write a: test says so.');
    expect(outcome).toMatchObject({ status: 'denied', denied: [{ tool: '@coder write', agent: 'coder' }] });
  });

  it('costs what its caller is billed for', async () => {
    const { outcome } = await runWorkers({
      price: 0.5,
      says: { main: [{ calls: [call('file')] }, end], file: [{ text: 'x' }] },
    });
    expect(outcome).toMatchObject({ cost: 1.5, usage: { input: 30, output: 15 } });
  });
});

describe('a reply with agent calls and tool calls', () => {
  it('runs agents and reading calls, and sends the others back', async () => {
    const { reports, outcome } = await runWorkers({
      says: {
        main: [{ calls: [['read', { file: 'a' }], call('file'), ['write', { file: 'b' }]] }, end],
        file: [{ text: 'fine' }],
      },
    });
    expect(reports[0]).toBe('content of a');
    expect(reports[1]).toMatch(/^\[file\] done/);
    expect(reports[2]).toMatch(/^not executed: .*Send it again/);
    expect(outcome.files).toEqual([]);
  });

  it('knows agents as tags', async () => {
    const { reports } = await runWorkers({
      mode: 'text',
      says: {
        main: [{ text: '<agent_call agent="file" task="look"/>\n<agent_call agent="CODER">write it</agent_call>' }, end],
        file: [{ text: 'seen' }],
        coder: [{ text: 'written' }],
      },
    });
    expect(reports.join('')).toMatch(/\[file\] done[\s\S]*seen[\s\S]*\[coder\] done[\s\S]*written/);
  });
});

const SCRIPT: ScriptSkill = {
  name: 'read-two',
  summary: 'Reads two files',
  schema: { type: 'object', properties: { dir: { type: 'string' } }, additionalProperties: false },
  example: {},
  calls: ['@coder read'],
  readOnly: true,
  async run(args, { call: send }) {
    const [a, b] = await Promise.all([
      send('@coder read', { file: `${args['dir'] ?? '.'}/a` }),
      send('@coder write', { file: 'b' }),
    ]);
    return { status: 'ok', text: `${a.output}; ${b.output}`, data: {} };
  },
};

describe('scripts', () => {
  it('serve a whole agent call without a model', async () => {
    const { reports, requests } = await runWorkers({
      agents: [{ name: 'file', skills: ['read-two'], tools: ['read'] }],
      scripts: [SCRIPT],
      says: { main: [{ calls: [call('file', 'x', { skill: 'read-two', args: { dir: 'src' } })] }, end] },
    });
    expect(requests.every(({ agent }) => agent === 'main')).toBe(true);
    expect(reports[0]).toContain('content of src/a; error [Blocked]: @coder write is not among the calls this script declares');
  });

  it('are calls of a worker that has them, and of the caller', async () => {
    const { reports, requests } = await runWorkers({
      agents: [
        { name: 'file', skills: ['read-two'], tools: [] },
        { name: 'coder', tools: ['read'] },
      ],
      scripts: [SCRIPT],
      says: {
        main: [
          {
            calls: [
              call('file'),
              call('coder'),
              ['skill', { name: 'read-two' }],
              ['skill', { name: 'read-two', args: { x: 1 } }],
            ],
          },
          end,
        ],
        file: [{ calls: [['skill', { name: 'read-two' }]] }, { text: 'did it' }],
        coder: [{ text: 'no scripts' }],
      },
    });
    const offered = (agent: string) => requests.find((request) => request.agent === agent)?.functions.map(({ name }) => name);
    expect(offered('file')).toContain('skill');
    expect(offered('coder')).not.toContain('skill');
    expect(reports[0]).toContain('- skill read-two: ok');
    expect(reports[2]).toContain('content of ./a');
    expect(reports[3]).toMatch(/error \[InvalidArgs\][\s\S]*Fields of read-two:/);
  });
});

describe('reading calls beside agents', () => {
  it('are not held up by agents that wait for a slot', async () => {
    const done: string[] = [];
    let free: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => {
      free = resolve;
    });
    await runWorkers({
      limits: { workers: 1 },
      tools: [
        tool('@coder read', 'read', false, (file) => {
          done.push(file);
          free();
          return ok(file);
        }),
      ],
      says: {
        main: [{ calls: [...Array.from({ length: 12 }, () => call('file')), ['read', { file: 'late' }]] }, end],
        file: [
          async () => {
            await hold;
            return { text: 'x' };
          },
        ],
      },
    });
    expect(done).toEqual(['late']);
  });
});
