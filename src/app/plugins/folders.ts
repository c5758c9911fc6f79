/** Where plugins lie, and whether there are any: the only part of them that every start pays for, one look into each folder. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AgentEvent } from '../../types/event.js';
import type { Config } from '../config.js';

export const PROJECT_PLUGINS = '.chatcli/plugins';

/** The user's own folder, and the project's where that is another one. */
export function pluginFolders({ state, root }: Pick<Config, 'state' | 'root'>): {
  readonly user: string;
  readonly project?: string;
} {
  const user = join(state, 'plugins');
  const project = join(root, PROJECT_PLUGINS);
  return relative(user, project) === '' ? { user } : { user, project };
}

/** Anything there that is not hidden; also true for a folder that cannot be read, so that it is told. */
export function mayHavePlugins(config: Pick<Config, 'state' | 'root'>): boolean {
  const { user, project } = pluginFolders(config);
  return holdsSomething(user) || (project !== undefined && holdsSomething(project));
}

function holdsSomething(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => !name.startsWith('.'));
  } catch (error) {
    const { code } = error as { code?: unknown };
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** Of all notices those about plugins. */
export function isPluginNotice(event: AgentEvent): event is AgentEvent & { readonly type: 'notice' } {
  return event.type === 'notice' && event.code.startsWith('plugin-');
}
