/** A run with workers: one scripted model for each agent, small tools, the real dispatcher. */
import { countingIds } from '../../src/base/clock.js';
import { agentTool } from '../../src/loop/agent-tool.js';
import { createDispatcher } from '../../src/loop/dispatcher.js';
import { createGate } from '../../src/loop/gate.js';
import type { LoopPorts } from '../../src/loop/ports.js';
import { runAgent } from '../../src/loop/run-agent.js';
import { skillTool } from '../../src/loop/skill-tool.js';
import type { DispatcherOptions } from '../../src/loop/worker-options.js';
import { eventCollector, type ScriptedTurn } from '../../src/testing.js';
import type { Dispatcher } from '../../src/types/dispatch.js';
import type { Decision, Question } from '../../src/types/policy.js';
import type { Provider, ProviderEvent, ProviderRequest } from '../../src/types/provider.js';
import type { ScriptSkill } from '../../src/types/skill.js';
import type { Tool } from '../../src/types/tool.js';
import type { WorkerAgent } from '../../src/types/worker.js';
import type { Workspace } from '../../src/types/workspace.js';
import { ok, tool } from './scripted-run.js';

/** A turn, or what happens in its place. */
export type Said = ScriptedTurn | ((signal: AbortSignal) => Promise<ScriptedTurn>);

export interface WorkerSetup {
  /** What each agent says, turn by turn; `main` calls. */
  readonly says: Readonly<Record<string, readonly Said[]>>;
  readonly agents?: readonly Partial<WorkerAgent>[];
  readonly scripts?: readonly ScriptSkill[];
  readonly tools?: readonly Tool[];
  readonly limits?: { readonly workers?: number; readonly turns?: number; readonly ms?: number };
  readonly decide?: (name: string) => Decision['verdict'];
  readonly ask?: (question: Question) => Promise<'yes' | 'no' | 'always' | 'never' | 'stopped'>;
  readonly signal?: AbortSignal;
  readonly mode?: 'native' | 'text';
  readonly budgetUsd?: number;
  readonly price?: number;
  /** Further options of the dispatcher. */
  readonly more?: Partial<DispatcherOptions>;
  /** Further ports of the run. */
  readonly ports?: Partial<LoopPorts>;
  /** Is handed the dispatcher before anything runs. */
  readonly onStart?: (dispatcher: Dispatcher) => void;
}

export function worker(name: string, more: Partial<WorkerAgent> = {}): WorkerAgent {
  const base = {
    description: `the ${name}`,
    prompt: `PROMPT ${name}`,
    skills: [],
    readOnly: false,
    contract: 'general',
  } as const;
  return { name, ...base, ...more };
}

export async function runWorkers(setup: WorkerSetup) {
  const collector = eventCollector();
  const asked = new Map<string, number>();
  const requests: ProviderRequest[] = [];
  const provider: Provider = {
    name: 'SCRIPTED',
    async *stream(request, { signal }): AsyncIterable<ProviderEvent> {
      requests.push(request);
      const agent = request.agent ?? '';
      const turn = asked.get(agent) ?? 0;
      asked.set(agent, turn + 1);
      const said = setup.says[agent]?.[turn] ?? { text: '(no more turns)' };
      const now = typeof said === 'function' ? await said(signal) : said;
      if (signal.aborted) {
        yield { type: 'end', reason: 'aborted' };
        return;
      }
      if (now.text) yield { type: 'text-delta', text: now.text };
      for (const [index, [name, input]] of (now.calls ?? []).entries())
        yield { type: 'call', id: `${agent}-${turn}-${index}`, name, input: JSON.stringify(input) };
      yield { type: 'usage', usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 } };
      yield { type: 'end', reason: now.calls ? 'calls' : 'stop' };
    },
  };
  const located = (path: string) =>
    ({
      given: path,
      real: path.startsWith('/ws/') ? path : `/ws/${path}`,
      shown: path.replace('/ws/', ''),
      zone: 'inside',
    }) as const;
  const agents = (setup.agents ?? [{ name: 'file' }, { name: 'coder' }]).map((agent) => worker(agent.name ?? 'x', agent));
  const scripts = setup.scripts ?? [];
  const dispatcher = createDispatcher({
    ports: () => ports,
    agents: () => agents,
    scripts,
    limits: { workers: 4, turns: 10, ms: 60_000, ...setup.limits },
    modelFor: async () => ({
      provider,
      model: 'm',
      toolMode: setup.mode ?? 'native',
      modeIsGuess: false,
      priceOf: () => setup.price,
    }),
    rules: 'RULES',
    caller: 'main',
    settings: { budgetUsd: setup.budgetUsd },
    ...setup.more,
  });
  setup.onStart?.(dispatcher);
  const base = setup.tools ?? [
    tool('@coder read', 'read', false, (file) => ok(`content of ${file}`)),
    tool('@coder write', 'write', true, (file) => ok(`wrote ${file}`, { changed: [`/ws/${file}`] })),
  ];
  const ports: LoopPorts = {
    provider,
    tools: [...base, agentTool(dispatcher), ...(scripts.length > 0 ? [skillTool(scripts, () => ports)] : [])],
    workspace: { locate: located } as unknown as Workspace,
    host: { childEnv: {}, home: '/h', scratch: '/s', state: '/st' },
    gate: createGate({
      decide: ({ call }) => ({
        verdict: setup.decide?.(call.tool) ?? 'allow',
        step: 7,
        reason: 'test says so.',
        code: 'Denied',
      }),
      approver: { canAsk: setup.ask !== undefined, ask: async (question) => (await setup.ask?.(question)) ?? 'no' },
      remember: () => undefined,
      grant: () => undefined,
    }),
    clock: { now: () => performance.now() },
    ids: countingIds(),
    emit: collector.sink,
    priceOf: () => setup.price,
    ...setup.ports,
  };
  const plan = { get: () => [], set: () => undefined };
  const outcome = await runAgent(
    {
      agent: { ...worker('coder'), limits: { turns: 20 } },
      agentId: 'main',
      task: 'do it',
      history: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'do it' }], time: 0 }],
      model: 'm',
      toolMode: setup.mode ?? 'native',
      modeIsGuess: false,
      plan,
      signal: setup.signal ?? new AbortController().signal,
      budgetUsd: setup.budgetUsd,
    },
    ports,
  );
  const answers = requests
    .filter(({ agent }) => agent === 'main')
    .at(-1)
    ?.messages.at(-1)
    ?.parts.map((part) => ('text' in part ? part.text : ''));
  return { outcome, requests, dispatcher, reports: answers ?? [], ...collector };
}
