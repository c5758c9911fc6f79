/** What workers may do: rules made meanwhile, read-only agents whatever they were given, and the tool that stops one. */
import { describe, expect, it } from 'vitest';
import { agentsTool } from '../../src/loop/agents-tool.js';
import type { Dispatcher } from '../../src/types/dispatch.js';
import type { ScriptSkill } from '../../src/types/skill.js';
import type { ToolContext } from '../../src/types/tool.js';
import { runWorkers, worker } from './worker-bench.js';

const call = (agent: string, task = 'look', more = {}) => ['agent', { agent, task, ...more }] as const;
const end = { text: 'All done.' };

describe('a rule made at one question', () => {
  it('answers those that wait', async () => {
    let ruled = false;
    let asked = 0;
    const { reports } = await runWorkers({
      agents: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      decide: (name) => (name === '@coder write' && !ruled ? 'ask' : 'allow'),
      ask: async () => {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 50));
        ruled = true;
        return 'always';
      },
      says: {
        main: [{ calls: ['a', 'b', 'c'].map((name) => call(name)) }, end],
        ...Object.fromEntries(
          ['a', 'b', 'c'].map((name) => [name, [{ calls: [['write', { file: name }] as const] }, { text: name }]]),
        ),
      },
    });
    expect(asked).toBe(1);
    for (const [index, name] of ['a', 'b', 'c'].entries()) expect(reports[index]).toContain(`Files changed: ${name}`);
  });
});

describe('a stop at the question of one agent', () => {
  it('ends the whole run: no further question, call or request, of nobody', async () => {
    let asked = 0;
    const { outcome, requests, ofType } = await runWorkers({
      agents: [{ name: 'a' }, { name: 'b' }],
      decide: (name) => (name === '@coder write' ? 'ask' : 'allow'),
      ask: async () => {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return 'stopped';
      },
      says: {
        main: [{ calls: [call('a'), call('b')] }, end],
        ...Object.fromEntries(
          ['a', 'b'].map((name) => [name, [{ calls: [['write', { file: name }] as const] }, { text: name }]]),
        ),
      },
    });
    expect(asked).toBe(1);
    expect(outcome).toMatchObject({ status: 'interrupted', reason: 'the run was stopped', denied: [], files: [] });
    expect(requests.map(({ agent }) => agent).sort()).toEqual(['a', 'b', 'main']);
    const ends = ofType('worker-end').map(({ outcome: own }) => [own.status, own.why?.text]);
    expect(ends).toEqual(Array(2).fill(['interrupted', 'the run was stopped']));
  });
});

const WRITER: ScriptSkill = {
  name: 'format-code',
  summary: 'Formats',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  example: {},
  calls: ['@coder write'],
  readOnly: false,
  run: async (_args, context) => ({ status: 'ok', text: (await context.call('@coder write', { file: 'x' })).output, data: {} }),
};

describe('a read-only agent', () => {
  it('writes nothing although it was registered with every tool', async () => {
    const { reports, outcome } = await runWorkers({
      agents: [{ name: 'file', readOnly: true }],
      says: { main: [{ calls: [call('file')] }, end], file: [{ calls: [['write', { file: 'a' }]] }, { text: 'tried' }] },
    });
    expect(reports[0]).toMatch(/Denied: @coder write a: The agent file is read-only[\s\S]*denied/);
    expect(outcome.denied[0]?.why?.values).toEqual(['file']);
    expect(outcome.files).toEqual([]);
  });

  it('has no script that writes, as a call or as a whole task, and none through its own code', async () => {
    const { reports, outcome, requests } = await runWorkers({
      agents: [
        { name: 'file', readOnly: true, tools: ['read'], skills: ['format-code'] },
        {
          name: 'own',
          readOnly: true,
          execute: async (_task, { call: send }) => ({ text: (await send('@coder write', { file: 'x' })).output }),
        },
      ],
      scripts: [WRITER],
      says: {
        main: [{ calls: [call('file'), call('file', 'x', { skill: 'format-code' }), call('own')] }, end],
        file: [{ calls: [['skill', { name: 'format-code' }]] }, { text: 'tried' }],
      },
    });
    expect(requests.find(({ agent }) => agent === 'file')?.functions.map(({ name }) => name)).not.toContain('skill');
    expect(reports[1]).toContain('the agent file has no script format-code');
    expect(reports[2]).toContain('[BLOCKED BY POLICY] The agent own is read-only');
    expect(outcome.files).toEqual([]);
  });
});

const READING: ScriptSkill = {
  ...WRITER,
  name: 'look',
  calls: ['@coder read'],
  readOnly: true,
  run: async (_args, context) => ({ status: 'ok', text: (await context.call('@coder read', { file: 'x' })).output, data: {} }),
};

describe('a script', () => {
  it('that writes does not run beside agents, one that reads does', async () => {
    const { reports, outcome } = await runWorkers({
      agents: [{ name: 'coder' }],
      scripts: [WRITER, READING],
      says: {
        main: [{ calls: [call('coder'), ['skill', { name: 'format-code' }], ['skill', { name: 'look' }]] }, end],
        coder: [{ text: 'ok' }],
      },
    });
    expect(reports[1]).toMatch(/^not executed: it came in one reply with agent calls/);
    expect(reports[2]).toBe('content of x');
    expect(outcome.files).toEqual([]);
  });

  it('is asked about with the task of its agent, however it was called', async () => {
    const tasks: string[] = [];
    await runWorkers({
      agents: [{ name: 'coder', tools: ['write'], skills: ['format-code'] }],
      scripts: [WRITER],
      decide: (name) => (name === '@coder write' ? 'ask' : 'allow'),
      ask: async ({ task, agent }) => {
        tasks.push(`${agent}: ${task}`);
        return 'yes';
      },
      says: {
        main: [
          { calls: [call('coder', 'Tidy src up'), call('coder', 'Only the script', { skill: ' Format-Code' })] },
          { calls: [['skill', { name: 'format-code' }]] },
          end,
        ],
        coder: [{ calls: [['skill', { name: 'format-code' }]] }, { text: 'ok' }],
      },
    });
    expect(tasks.sort()).toEqual(['coder-2: Only the script', 'coder: Tidy src up', 'main: do it']);
  });
});

describe('a worker to be isolated', () => {
  it('is not started where no place can be had, unless it cannot write anyway', async () => {
    const { reports, requests } = await runWorkers({
      agents: [
        { name: 'coder', isolation: 'worktree' },
        { name: 'file', readOnly: true },
      ],
      says: { main: [{ calls: [call('coder'), call('file', 'x', { isolate: true })] }, end], file: [{ text: 'read' }] },
    });
    expect(reports[0]).toMatch(/^\[coder\] failed: no place of its own/);
    expect(reports[1]).toMatch(/^\[file\] done/);
    expect(requests.some(({ agent }) => agent === 'coder')).toBe(false);
  });
});

describe('@agents', () => {
  const stopped: string[] = [];
  const dispatcher: Dispatcher = {
    dispatch: () => Promise.reject(new Error('not here')),
    workers: () => [{ worker: 'coder-2', agent: 'coder', task: 'write\nit\u202e', state: 'asking', started: 0 }],
    cancel: (id) => id === 'coder-2' && stopped.push(id) > 0,
  };
  const run = (args: Record<string, string>) =>
    agentsTool(
      dispatcher,
      () => [worker('coder'), worker('audit', { readOnly: true, origin: '/a.md' })],
      () => 2000,
    ).run(args, {} as ToolContext);

  it('lists who works and who could, and stops one by its id', async () => {
    expect((await run({})).output).toBe(
      'At work:\n- coder-2: asking, 2 s: write it\nAgents:\n- coder\n- audit (read-only) from /a.md\n',
    );
    expect(await run({ cmd: 'cancel', worker: 'coder-2' })).toMatchObject({ isError: false });
    expect(stopped).toEqual(['coder-2']);
    expect(await run({ cmd: 'cancel', worker: 'x' })).toMatchObject({
      code: 'NotFound',
      output: expect.stringContaining('coder-2'),
    });
    expect(await run({ cmd: 'cancel' })).toMatchObject({ code: 'InvalidArgs' });
  });
});
