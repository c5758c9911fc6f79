/** Plugins of an application; what reads them is loaded where a folder holds something. */
import { TOOLS } from '../../tools/registry.js';
import type { AgentEvent } from '../../types/event.js';
import type { SandboxPort } from '../../types/sandbox.js';
import type { Tool } from '../../types/tool.js';
import type { Config } from '../config.js';
import { mayHavePlugins } from './folders.js';
import type { PluginSet } from './load.js';

/** The tools of one application, plugins among them. */
export interface Plugins {
  /** The same list until `begin` says otherwise. */
  readonly tools: readonly Tool[];
  /** Looks into the folders again; what is found counts from `begin` on. Never throws. */
  reload(options: { readonly anew: boolean; readonly signal: AbortSignal }): Promise<PluginSet>;
  /** What was reloaded counts from now on. */
  begin(): void;
}

export interface PluginWiring {
  readonly config: Config;
  readonly sandbox: SandboxPort;
  emit(event: AgentEvent): void;
  /** Set: these are the tools, and nothing real runs. */
  readonly recorded: readonly Tool[] | undefined;
  /** The whole list from what is built in and the plugins. */
  list(own: readonly Tool[]): readonly Tool[];
}

/** Loads what is trusted and tells once what is not. Never throws. */
export async function openPlugins(wiring: PluginWiring): Promise<Plugins> {
  const { config, recorded, list } = wiring;
  let now = recorded === undefined && mayHavePlugins(config) ? await loaded(wiring, false, true) : undefined;
  let next = now;
  let tools = recorded ?? list(now?.among(TOOLS) ?? TOOLS);
  return {
    get tools() {
      return tools;
    },
    async reload({ anew, signal }) {
      const set = await loaded(wiring, anew, false, signal);
      next = set;
      return set;
    },
    begin() {
      if (recorded !== undefined || next === now) return;
      now = next;
      tools = list(now?.among(TOOLS) ?? TOOLS);
    },
  };
}

async function loaded(wiring: PluginWiring, anew: boolean, tells: boolean, signal?: AbortSignal): Promise<PluginSet> {
  const { loadPlugins, tellPlugins } = await import('./load.js');
  const set = await loadPlugins(wiring.config, { sandbox: wiring.sandbox, anew, ...(signal ? { signal } : {}) });
  if (tells) tellPlugins(set, wiring.config, wiring.emit);
  return set;
}
