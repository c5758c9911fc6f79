/** Folders in which single agents work instead of the workspace: own path checks, own sandbox, own judgement of paths. */
import type { LoopPorts } from '../../loop/ports.js';
import type { SessionSandbox } from '../../process/sandbox/session-sandbox.js';
import { TOOLS } from '../../tools/registry.js';
import type { BeforeChange } from '../../tools/wrap/checkpoint-before.js';
import type { AgentEvent } from '../../types/event.js';
import type { Approver, PolicyContext } from '../../types/policy.js';
import { createAgentViews } from '../../workspace/agent-view.js';
import { type OpenWorkspace, openWorkspace } from '../../workspace/open-workspace.js';
import type { Config } from '../config.js';
import { providerKeys, textRedactor } from '../redact.js';
import { openAppSandbox } from '../sandbox.js';
import { spillStore } from '../scratch.js';
import { withHelp, wrapTools } from '../wrap-tools.js';

/** One agent's folder. */
interface Place {
  readonly workspace: OpenWorkspace;
  readonly sandbox: SessionSandbox;
  policy(): PolicyContext;
}

export interface Elsewhere {
  /** Ports for one agent that works in this folder: nothing outside of it is reached, nothing in it is kept for undo; commands cannot write in `kept`. */
  portsIn(agent: string, place: { readonly root: string; readonly kept: string }, ports: LoopPorts): Promise<LoopPorts>;
  /** The folder of an agent; undefined: it works in the workspace. */
  of(agent: string): Place | undefined;
  /** The agent works in the workspace again. */
  leave(agent: string): void;
  close(): void;
}

export interface ElsewhereOptions {
  readonly config: Config;
  readonly scratch: string;
  /** Scratch first, then folders of skills; may become more. */
  readonly readable: readonly string[];
  readonly approver: Approver;
  emit(event: AgentEvent): void;
  view(workspace: OpenWorkspace): () => PolicyContext;
}

const NO_CHECKPOINTS: BeforeChange = { before: async () => undefined };

export function createElsewhere(options: ElsewhereOptions): Elsewhere {
  const { config, scratch, readable, approver, emit } = options;
  const { home, state, childEnv: env } = config;
  const places = new Map<string, Place>();
  const redact = textRedactor(providerKeys(config));
  return {
    of: (agent) => places.get(agent),
    leave(agent) {
      const place = places.get(agent);
      places.delete(agent);
      // What its commands left to run later is put aside and told before anything is brought back.
      place?.sandbox.close();
    },
    async portsIn(agent, { root, kept }, ports) {
      const workspace = await openWorkspace({ root, home, state, scratch, env, readable: readable.slice(1) });
      // The user's repository may lie where commands write otherwise, such as the folder for temporary files.
      const seen = [...readable, kept];
      const sandbox = openAppSandbox({ config, roots: workspace.roots, readable: seen, approver, emit });
      places.set(agent, { workspace, sandbox, policy: options.view(workspace) });
      const wraps = { views: createAgentViews('main'), checkpoints: NO_CHECKPOINTS, redact, spill: spillStore(scratch) };
      // Language servers are of the workspace: what they say of its files would be taken for this folder's.
      const host = { ...ports.host, jobs: undefined, languages: undefined, sandbox };
      return { ...ports, workspace, host, tools: withHelp(wrapTools(TOOLS, wraps)) };
    },
    close() {
      for (const { sandbox } of places.values()) sandbox.close();
    },
  };
}
