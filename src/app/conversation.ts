/** One conversation: a session's history, its log, and runs of the loop over it. */
import { existsSync } from 'node:fs';
import { platform, release } from 'node:os';
import { type AgentRegistry, MODE_AGENTS, type ModeName } from '../agents/registry.js';
import { type Redact, redactValue } from '../base/secret-text.js';
import { emitterFor } from '../loop/emit.js';
import type { Gate } from '../loop/gate.js';
import type { Isolate } from '../loop/isolation.js';
import type { LoopPorts, ToolMode } from '../loop/ports.js';
import { type StablePrefix, stablePrefix } from '../loop/request.js';
import { runAgent } from '../loop/run-agent.js';
import type { RunOutcome } from '../types/agent.js';
import type { Dispatcher } from '../types/dispatch.js';
import type { AgentEvent } from '../types/event.js';
import type { Message } from '../types/message.js';
import type { Approver } from '../types/policy.js';
import type { SessionLog, SessionState } from '../types/session.js';
import type { PlanStore, PlanTask, Tool } from '../types/tool.js';
import type { Undoing } from '../types/undo.js';
import { createUndoing } from '../workspace/undo/undoing.js';
import type { ChosenModel } from './chosen-model.js';
import type { Config } from './config.js';
import type { ConversationAgents } from './conversation-agents.js';
import { type App, createApp } from './create-app.js';
import { findInstructions, instructionNews, instructionsText } from './instructions.js';
import { worktreesIn } from './isolation/place.js';
import { broughtBy } from './load-config.js';
import { operatorChecks } from './operator-checks.js';
import { providerKeys, textRedactor } from './redact.js';
import { refuseBlocked, tellAtStart } from './sandbox.js';
import { undoNews } from './undo.js';
import { pruneUndo } from './undo-prune.js';

export interface ConversationOptions {
  readonly config: Config;
  readonly chosen: ChosenModel;
  /** The model that answers from the next run on, where it may be changed; absent: always `chosen`. */
  active?(): ChosenModel;
  readonly approver: Approver;
  readonly id: string;
  readonly log?: SessionLog;
  /** What a resumed session holds. */
  readonly state?: SessionState;
  /** Everything that happens, in order. */
  readonly sinks: readonly ((event: AgentEvent) => void)[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly tools?: readonly Tool[];
  readonly gate?: Gate;
  /** Put around the gate (replay changes calls as people did). */
  readonly aroundGate?: (gate: Gate) => Gate;
  readonly toolMode?: ToolMode;
  /** Agents of one's own; absent: the specialists, and what folders bring. False: every run is in the mode `chat`, which calls none. */
  readonly agents?: AgentRegistry | false;
  /** Replaces the isolation of workers (replay tells how it ended). */
  readonly isolate?: Isolate;
  /** Opens another model for a worker. Absent: all run on the active one. */
  open?(model: string): Promise<ChosenModel>;
  takeTyped?(): readonly string[];
}

export interface Conversation {
  readonly id: string;
  readonly app: App;
  /** What this session changed and can take back. */
  readonly undoing: Undoing;
  /** Agents at work, and an end for one; absent when agents are switched off. */
  readonly workers?: Pick<Dispatcher, 'workers' | 'cancel'>;
  /** Runs one task to its end and keeps what was said. Never throws. */
  run(task: string, options: RunOptions): Promise<RunOutcome>;
  /** What the next request would begin with in this mode, and what was said so far. */
  window(mode: ModeName): ConversationWindow;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly mode: ModeName;
  readonly signal: AbortSignal;
  /** What stands in front of the task in its message without being the task: files that were named, outputs of commands. */
  readonly context?: string;
}

export interface ConversationWindow extends StablePrefix {
  readonly messages: readonly Message[];
}

/** Opens a conversation on a wired application. */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { config, chosen, log } = options;
  const active = options.active ?? (() => chosen);
  const redact = textRedactor(providerKeys(config));
  const history: Message[] = [...(options.state?.messages ?? [])];
  const plan = planStore(options.state?.plan ?? []);
  const emit = eventSink(options, history, redact, (event) => agents?.take(event));
  const agents = await agentsOf(options, () => ({ app, toolMode: toolModeOf(options, active()) }), active);
  const app: App = await appOf(options, emit, agents, () => app);
  const tellRecovered = recoveryNews(app);
  tellRecovered();
  const factsOf = runFacts(options, app, history);
  const agentOf = (mode: ModeName) => agentFor(mode, config, options.systemPrompt && redact(options.systemPrompt));
  return {
    id: options.id,
    app,
    undoing: createUndoing({ store: app.undo, workspace: app.workspace }),
    ...(agents ? { workers: agents.dispatcher } : {}),
    window(mode) {
      const input = { ...inputOf(options, active(), mode, agents, redact), agent: agentOf(mode) };
      return { ...stablePrefix(input, toolsFor(mode, app), toolModeOf(options, active())), messages: [...history] };
    },
    async run(given, { mode, signal, context }) {
      const task = redact(given);
      const model = active();
      const toolMode = toolModeOf(options, model);
      const say = emitterFor(app.ports, 'main');
      app.ports.gate.heard?.();
      say({
        type: 'run-start',
        mode,
        task,
        provider: model.service,
        model: model.model,
        toolMode,
        permissionMode: config.permissionMode,
        workspace: app.workspace.root,
        session: options.id,
      });
      // Also in a resumed session: folder, rights and day may be others now.
      app.plugins.begin();
      await agents?.begin();
      const facts = await factsOf(task, emit, redact(context ?? ''));
      say({ type: 'message-end', message: userMessage(task, facts, app.ports) });
      const ofRun = { agent: agentOf(mode), task, history: [...history], toolMode, plan, signal };
      const input = { ...inputOf(options, model, mode, agents, redact), ...ofRun };
      const { provider, priceOf } = model;
      const outcome = await runAgent(input, { ...app.ports, tools: toolsFor(mode, app), provider, priceOf });
      tellRecovered();
      return redactValue(outcome, redact);
    },
    async close() {
      await app.close();
      await pruneUndo(config, options.id, Date.now());
      await log?.close();
    },
  };
}

/** The application of a conversation; what cannot be opened leaves nothing behind. */
async function appOf(
  options: ConversationOptions,
  emit: (event: AgentEvent) => void,
  agents: ConversationAgents | undefined,
  now: () => App,
): Promise<App> {
  const { config, chosen } = options;
  const redact = textRedactor(providerKeys(config));
  // With recorded tools nothing real may run.
  const checks = options.tools ? undefined : operatorChecks(config, now);
  const app = await createApp({
    config,
    approver: options.approver,
    id: options.id,
    provider: chosen.provider,
    priceOf: chosen.priceOf,
    emit,
    tools: options.tools,
    ...(agents ? { moreTools: agents.tools } : {}),
    gate: options.gate,
    aroundGate: options.aroundGate,
    takeTyped: options.takeTyped && (() => (options.takeTyped?.() ?? []).map(redact)),
    ...(checks ? { check: checks } : {}),
  });
  if (options.tools) return app;
  try {
    await refuseBlocked(app.sandbox, config.sandbox);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/** Tells what a process that is gone had left half done, also where it was found in the middle of a run; each once. */
function recoveryNews(app: App): () => void {
  let told = 0;
  return () => {
    for (const text of app.workspace.recovered.slice(told))
      emitterFor(app.ports, 'main')({ type: 'notice', level: 'warn', code: 'recovered', text });
    told = app.workspace.recovered.length;
  };
}

/** Begins the turn of a run; gives what stands in front of its task. */
function runFacts(options: ConversationOptions, app: App, history: readonly Message[]) {
  const { config } = options;
  let runs = 0;
  let saidRights = '';
  const redact = textRedactor(providerKeys(config));
  const instructions = instructionNews(config, (file) => tellUnusable(app, file));
  return async (task: string, emit: (event: AgentEvent) => void, context: string): Promise<string> => {
    const first = runs === 0;
    runs++;
    const left = first && !options.tools ? await tellFirst(app, emit) : '';
    const number = 1 + history.filter((message) => message.origin === 'person').length;
    const taken = app.undo.beginTurn({ number, text: task });
    const rights = rightsText(config);
    const facts = [
      first ? environmentText(config, app.ports) : rights === saidRights ? '' : `<environment>\n${rights}\n</environment>`,
      undoNews(taken, (path) => app.workspace.locate(path).shown),
      left,
      options.tools ? '' : redact(instructions()),
      context,
    ];
    saidRights = rights;
    return facts.filter(Boolean).join('\n');
  };
}

function tellUnusable(app: App, file: string): void {
  const [text, values] = [`${file} is no text of instructions that may be read; it is left out.`, { file }];
  emitterFor(app.ports, 'main')({ type: 'notice', level: 'warn', code: 'instructions', text, values });
}

/** The agents of this conversation; undefined when they are switched off or cannot be called. */
async function agentsOf(
  options: ConversationOptions,
  now: () => { readonly app: App; readonly toolMode: ToolMode },
  active: () => ChosenModel,
): Promise<ConversationAgents | undefined> {
  const { config, agents: registry, isolate, open } = options;
  if (registry === false || !config.agents.parallel) return undefined;
  const { openConversationAgents } = await import('./conversation-agents.js');
  const environment = (ports: LoopPorts) =>
    [environmentText(config, ports), instructionsText(findInstructions(config).files)].filter(Boolean).join('\n');
  return openConversationAgents({ config, session: options.id, now, active, environment, registry, isolate, open });
}

/** Everything that happens goes to the log and the sinks without keys; the history keeps what the model said as it said it. */
function eventSink(
  options: ConversationOptions,
  history: Message[],
  redact: Redact,
  also: (event: AgentEvent) => void,
): (event: AgentEvent) => void {
  return (event) => {
    if (event.type === 'message-end' && event.agent === 'main') history.push(event.message);
    const shown = redactValue(event, redact);
    options.log?.append(shown);
    for (const sink of options.sinks) sink(shown);
    also(event);
  };
}

/** What holds for all of a conversation and is said once; gives the model's part of it. Loaded where there is something to say. */
async function tellFirst(app: App, emit: (event: AgentEvent) => void): Promise<string> {
  const { sandbox, config } = app;
  await tellAtStart(sandbox, config, emit);
  if (broughtBy(config).length > 0) (await import('./trust-port.js')).tellIdle(config, emit);
  if (config.agents.faults.length > 0) (await import('./agent-settings.js')).tellAgentSettings(config, emit);
  if (!existsSync(worktreesIn(config.state))) return '';
  return (await import('./isolation/tell-left.js')).tellLeftWork(app);
}

/** What is the same for every run of the conversation. */
function inputOf(
  { config, appendSystemPrompt }: ConversationOptions,
  chosen: ChosenModel,
  mode: ModeName,
  agents: ConversationAgents | undefined,
  redact: Redact,
) {
  return {
    agentId: 'main',
    model: chosen.model,
    effort: config.effort,
    maxOutputTokens: config.maxOutputTokens,
    modeIsGuess: config.toolMode === 'auto',
    ...(agents && mode !== 'chat' ? { agentsText: agents.text() } : {}),
    systemSuffix: appendSystemPrompt && redact(appendSystemPrompt),
    budgetUsd: config.budgetUsd,
  };
}

/** In a conversation there are no workers: its answers are the model's own. */
function toolsFor(mode: ModeName, { ports }: App): readonly Tool[] {
  return mode === 'chat' ? ports.tools.filter((tool) => tool.delegates !== true) : ports.tools;
}

function toolModeOf({ config, toolMode }: ConversationOptions, { info }: ChosenModel): ToolMode {
  if (toolMode !== undefined) return toolMode;
  return config.toolMode === 'auto' ? (info.tools === false ? 'text' : 'native') : config.toolMode;
}

function agentFor(mode: ModeName, config: Config, prompt: string | undefined) {
  const agent = MODE_AGENTS[mode];
  return { ...agent, prompt: prompt ?? agent.prompt, limits: { ...agent.limits, turns: config.maxTurns } };
}

/** Facts that change from day to day stand in the first message, never in the system text, so that the prefix stays stable. */
function environmentText(config: Config, { workspace, clock }: Pick<LoopPorts, 'workspace' | 'clock'>): string {
  const rows = [
    `workspace: ${workspace.root}`,
    ...workspace.roots.slice(1).map((root) => `also: ${root}`),
    `system: ${platform()} ${release()}`,
    `date: ${new Date(clock.now()).toISOString().slice(0, 10)}`,
    rightsText(config),
  ];
  return `<environment>\n${rows.join('\n')}\n</environment>`;
}

/** What may be done without a question; may change between two messages. */
function rightsText(config: Config): string {
  const mode = {
    default: 'edits and commands need approval',
    'accept-edits': 'file edits are approved, commands need approval',
    plan: 'only looking is possible; end with a plan',
    auto: 'edits and commands are approved',
  }[config.permissionMode];
  return `permissions: ${mode}`;
}

function userMessage(task: string, environment: string | undefined, ports: LoopPorts): Message {
  const parts = [
    ...(environment ? [{ type: 'text', text: `${environment}\n\n` } as const] : []),
    { type: 'text', text: task } as const,
  ];
  return { id: ports.ids.next('u'), role: 'user', parts, time: ports.clock.now(), origin: 'person' };
}

/** The plan of one run, kept with the session through `plan` events. */
export function planStore(start: readonly PlanTask[]): PlanStore {
  let tasks = start;
  return {
    get: () => tasks,
    set: (next) => {
      tasks = next;
    },
  };
}
