/** The agents of one conversation with what is told of their files; loaded only where a mode can call them. */
import { emitterFor } from '../loop/emit.js';
import type { ToolMode } from '../loop/ports.js';
import type { AgentEvent } from '../types/event.js';
import { refusedByList } from './agent-commands.js';
import { agentNews } from './agent-news.js';
import { type Agents, type AgentsOptions, openAgents } from './agents.js';
import type { ChosenModel } from './chosen-model.js';
import type { Config } from './config.js';
import type { App } from './create-app.js';

export interface ConversationAgents extends Pick<Agents, 'tools' | 'dispatcher' | 'text'> {
  /** Reads what folders bring as it is now, lets tools read it, and says once what is wrong with it. */
  begin(): Promise<void>;
  /** Sees every event of the conversation. */
  take(event: AgentEvent): void;
}

export interface ConversationAgentsOptions extends Pick<AgentsOptions, 'registry' | 'isolate' | 'active' | 'environment'> {
  readonly config: Config;
  /** Names folders and branches of isolated agents. */
  readonly session: string;
  /** The conversation as it is wired; called only once it is. */
  now(): { readonly app: App; readonly toolMode: ToolMode };
  /** Opens another model for a worker. Absent: all run on the active one. */
  open?(model: string): Promise<ChosenModel>;
}

/** Undefined when agents are switched off. */
export function openConversationAgents(options: ConversationAgentsOptions): ConversationAgents | undefined {
  const { config, session, now, active } = options;
  const agents = openAgents({
    config,
    ports: () => now().app.ports,
    active,
    toolMode: () => now().toolMode,
    open: options.open ?? (() => Promise.resolve(active())),
    refuses: (agent, judged) => {
      const { app } = now();
      return refusedByList(agent, judged, app.elsewhere.of(judged.call.agent)?.policy() ?? app.policy);
    },
    environment: options.environment,
    registry: options.registry,
    // What one works in apart is large, and few are asked to.
    isolate: options.isolate ?? later(async () => (await import('./isolation/isolate.js')).isolateIn(() => now().app, session)),
  });
  if (!agents) return undefined;
  const news = agentNews(() => agents.registry);
  const say = () => emitterFor(now().app.ports, 'main');
  return {
    tools: agents.tools,
    dispatcher: agents.dispatcher,
    text: agents.text,
    async begin() {
      const { readable, warnings } = await agents.begin();
      now().app.allowReading(readable);
      news.tell(warnings, say());
    },
    take(event) {
      agents.take(event);
      news.take(event, say);
    },
  };
}

type Isolate = NonNullable<AgentsOptions['isolate']>;

/** Made by the first call, kept for the others. */
function later(make: () => Promise<Isolate>): Isolate {
  let made: Promise<Isolate> | undefined;
  return async (...given) => {
    made ??= make();
    return (await made)(...given);
  };
}
