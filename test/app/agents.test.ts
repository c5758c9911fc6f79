/** The agents of a conversation: the model each runs on, its effort, the budget of a task, and the registry as programs use it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agents, AgentsOptions } from '../../src/app/agents.js';
import { openAgents } from '../../src/app/agents.js';
import {
  type AgentEvent,
  type AgentRegistry,
  type ChosenModel,
  createAgentRegistry,
  loadConfig,
  openConversation,
  type ProviderRequest,
  type WorkerAgent,
  type WorkerDeps,
} from '../../src/index.js';
import { createDenialLedger } from '../../src/loop/denial-ledger.js';
import type { LoopPorts } from '../../src/loop/ports.js';
import { scriptedProvider } from '../../src/testing.js';

let top = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-crew-')));
  mkdirSync(join(top, 'ws'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const agent = (name: string, more: Partial<WorkerAgent> = {}): WorkerAgent => ({
  name,
  description: `the ${name}`,
  prompt: `PROMPT ${name}`,
  skills: [],
  tools: [],
  readOnly: true,
  contract: 'general',
  ...more,
});
const INFO = { window: 1000, maxOutput: 100, tools: true } as unknown as ChosenModel['info'];

function model(name: string, service = 'A') {
  const provider = scriptedProvider([]);
  const chosen: ChosenModel = { provider, service, model: name, info: INFO, priceOf: () => 0.5 };
  return { chosen, asked: () => provider.requests.map((request: ProviderRequest) => [request.model, request.effort]) };
}

/** Agents over ports that hold nothing but what a thinking worker needs. */
function crew(agents: readonly WorkerAgent[], more: Partial<AgentsOptions> = {}, env: Record<string, string> = {}) {
  const events: AgentEvent[] = [];
  const ports = (): LoopPorts =>
    ({
      tools: [],
      workspace: { root: top, locate: (path: string) => ({ real: path, shown: path }) },
      host: {},
      gate: { pass: async () => ({ run: true }), ledger: createDenialLedger() },
      clock: { now: () => 0 },
      ids: { next: (kind: string) => `${kind}${events.length}` },
      emit: (event: AgentEvent) => {
        events.push(event);
        opened.take(event);
      },
      priceOf: () => 0.5,
    }) as unknown as LoopPorts;
  const config = {
    agents: {
      parallel: true,
      workers: 4,
      turns: 5,
      ms: 60_000,
      modelOf: (name: string) => env[`${name} model`],
      effortOf: (name: string) => env[`${name} effort`],
    },
    toolMode: 'auto',
    root: join(top, 'ws'),
    home: top,
    state: join(top, 'state'),
    env: {},
    keys: {},
    childEnv: {},
    trust: { forRun: false },
    ...(env['budget'] ? { budgetUsd: Number(env['budget']) } : {}),
  } as unknown as AgentsOptions['config'];
  const options: AgentsOptions = {
    config,
    ports,
    active: () => model('x').chosen,
    toolMode: () => 'native',
    open: () => Promise.reject(new Error('not here')),
    registry: createAgentRegistry(agents),
    refuses: () => undefined,
    ...more,
  };
  const opened = openAgents(options) as Agents;
  const dispatch = (name: string) =>
    opened.dispatcher.dispatch({ callId: 'c', agent: name, task: 'look' }, { signal: new AbortController().signal });
  return { opened, dispatch };
}

describe('the model of a worker', () => {
  it('is the one that is active when it is called; its service is not opened anew', async () => {
    const [one, two] = [model('one'), model('two', 'B')];
    let active = one.chosen;
    let opened = 0;
    const { dispatch } = crew([agent('file'), agent('inherits', { model: 'Inherit' }), agent('same', { model: 'two' })], {
      active: () => active,
      open: () => Promise.reject(new Error(`opened ${++opened}`)),
    });
    await dispatch('file');
    active = two.chosen;
    for (const name of ['file', 'inherits', 'same']) expect((await dispatch(name)).outcome.status).toBe('done');
    expect([one.asked().map(([name]) => name), two.asked().map(([name]) => name), opened]).toEqual([
      ['one'],
      Array(3).fill('two'),
      0,
    ]);
  });

  it('of its own is opened once for each service, and again when that failed', async () => {
    const own = model('small');
    const opened: string[] = [];
    let service = 'A';
    let works = false;
    const { dispatch } = crew(
      [agent('file', { model: 'small' }), agent('search', { model: 'never' })],
      {
        active: () => model('big', service).chosen,
        open: async (name) => {
          opened.push(name);
          if (!works) throw new Error('no such model');
          return own.chosen;
        },
      },
      { 'search model': 'small' },
    );
    expect((await dispatch('file')).outcome).toMatchObject({ status: 'provider', reason: 'no such model' });
    works = true;
    await dispatch('file');
    await dispatch('search');
    expect(opened).toEqual(['small', 'small']);
    service = 'B';
    await dispatch('file');
    expect(opened).toHaveLength(3);
    expect(own.asked()).toHaveLength(3);
  });

  it('is asked with the effort of the environment, then of the agent, then of all', async () => {
    const { chosen, asked } = model('m');
    const agents = [agent('file', { effort: 'low' }), agent('coder', { effort: 'low' }), agent('git')];
    const { dispatch } = crew(agents, { active: () => chosen }, { 'file effort': 'max' });
    for (const { name } of agents) await dispatch(name);
    expect(asked().map(([, effort]) => effort)).toEqual(['max', 'low', undefined]);
  });
});

describe('the budget', () => {
  it('is of one task: workers of it share it, the next task has it anew', async () => {
    const { chosen, asked } = model('m');
    const { opened, dispatch } = crew([agent('file')], { active: () => chosen }, { budget: '1' });
    const status = async () => (await dispatch('file')).outcome.status;
    expect([await status(), await status(), await status()]).toEqual(['done', 'done', 'budget']);
    await opened.begin();
    expect(await status()).toBe('done');
    expect(asked()).toHaveLength(3);
  });
});

describe('the registry', () => {
  it('takes agents of a program: added, replaced, removed, with code of their own', async () => {
    writeFileSync(join(top, 'ws/a.txt'), 'in the file\n');
    const registry: AgentRegistry = createAgentRegistry();
    const counter: WorkerAgent = agent('counter', {
      tools: ['read', 'write'],
      readOnly: false,
      async execute(task: string, { call }: WorkerDeps) {
        const read = await call('@coder read', { file: 'a.txt' });
        await call('@coder write', { file: 'b.txt', content: `${task}\n` });
        return { text: `${task}: ${read.output.includes('in the file')}` };
      },
    });
    registry.register(counter);
    registry.register(agent('git', { execute: async () => ({ text: 'mine', failed: true }) }));
    expect([registry.unregister('planner'), registry.unregister('nobody')]).toEqual([true, false]);
    expect(() => registry.register(agent('main'))).toThrow(TypeError);
    const call = (name: string) => ['agent', { agent: name, task: 'count' }] as const;
    const provider = scriptedProvider([{ calls: ['counter', 'git', 'planner'].map(call) }, { text: 'Counted.' }]);
    const conversation = await openConversation({
      config: loadConfig({ directory: join(top, 'ws'), isolatedState: join(top, 'state'), permissionMode: 'auto' }),
      chosen: { provider, service: 'SCRIPTED', model: 'm', info: INFO, priceOf: () => 0 },
      approver: { canAsk: false, ask: async () => 'no' },
      id: 'one',
      sinks: [],
      agents: registry,
    });
    try {
      const outcome = await conversation.run('count', { mode: 'coder', signal: new AbortController().signal });
      expect(outcome).toMatchObject({ status: 'done', result: 'Counted.', files: ['b.txt'] });
      expect(readFileSync(join(top, 'ws/b.txt'), 'utf8')).toBe('count\n');
      const told = JSON.stringify(provider.requests[1]?.messages.at(-1));
      expect(told).toMatch(/\[counter\] done.*count: true.*\[git\] failed.*mine.*\[planner\] failed: there is no agent planner/);
      expect(JSON.stringify(provider.requests[0])).toContain('the counter');
    } finally {
      await conversation.close();
    }
  });
});
