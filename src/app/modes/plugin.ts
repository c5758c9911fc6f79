/** `chatcli plugin`: what is built in and what is the user's own, trusted, installed, removed. */
import { oneLine } from '../../base/one-line.js';
import { killAllChildren } from '../../process/children.js';
import { TOOLS } from '../../tools/registry.js';
import type { Changed } from '../../types/command.js';
import type { PluginsPort } from '../../types/plugin-port.js';
import { denyAll } from '../../ui/approve-none.js';
import { noticeText } from '../../ui/notice-text.js';
import { safeLine } from '../../ui/safe-text.js';
import { createText, type Text } from '../../ui/text/index.js';
import type { Config, ConfigFlags } from '../config.js';
import { loadConfig } from '../load-config.js';
import { askPlugin } from '../plugins/ask.js';
import { pluginFolders } from '../plugins/folders.js';
import { installPlugin, newPlugin } from '../plugins/install.js';
import { entryData, pluginData } from '../plugins/lines.js';
import { loadPlugins, openEntries, type PluginSet } from '../plugins/load.js';
import { findPlugin, pluginsPort } from '../plugins/manage.js';
import { openAppSandbox } from '../sandbox.js';
import { UsageError } from '../usage-error.js';

export interface PluginFlags extends ConfigFlags {
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly dir?: string;
  readonly node?: boolean;
}

export type PluginAction = 'list' | 'inspect' | 'install' | 'uninstall' | 'trust' | 'untrust' | 'reload' | 'new';

interface Desk {
  readonly config: Config;
  readonly text: Text;
  readonly port: PluginsPort;
  load(anew: boolean): Promise<PluginSet>;
}

/** Does one action; gives the exit code. Throws UsageError for names that cannot be meant. */
export async function pluginMode(action: PluginAction, name: string, flags: PluginFlags): Promise<number> {
  const config = loadConfig(flags);
  const text = createText(config.language);
  if (action === 'new') return print([text.t('plugin.made', { path: newPlugin(name, flags) })]);
  const sandbox = openAppSandbox({
    config,
    roots: [config.root],
    readable: [],
    approver: denyAll,
    emit: (event) => event.type === 'notice' && warn(noticeText(event, text)),
  });
  const load = (anew: boolean) => loadPlugins(config, { sandbox, anew });
  const port = pluginsPort({ config, text, tools: () => TOOLS, load });
  try {
    return await acted(action, name, flags, { config, text, port, load });
  } finally {
    await killAllChildren();
    sandbox.close();
  }
}

async function acted(action: Exclude<PluginAction, 'new'>, name: string, flags: PluginFlags, desk: Desk): Promise<number> {
  const { port, config, load } = desk;
  if (action === 'list') return flags.json ? printJson(pluginData(TOOLS, await load(false))) : print(await port.list());
  if (action === 'reload') return told(await port.reload());
  if (action === 'install') return install(name, flags, desk);
  const found = findPlugin(name, await load(false), TOOLS);
  const values = { name: found.kind === 'builtin' ? found.name : name, folder: pluginFolders(config).user };
  if (found.kind === 'none') throw new UsageError('usage.pluginUnknown', values, 'usage.pluginUnknownHint');
  if (found.kind === 'builtin' && action !== 'inspect')
    throw new UsageError('usage.pluginBuiltin', values, 'usage.pluginBuiltinHint');
  if (action === 'inspect' && flags.json && found.kind === 'file') return printJson(entryData(found.entry));
  if (action === 'trust') return trust(name, desk);
  return told(await port[action](name));
}

/** On a terminal after a look and a key; otherwise the call itself is the word. */
async function trust(name: string, { port, config, load }: Desk): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return told(await port.trust(name));
  const found = findPlugin(name, await load(false), TOOLS);
  if (found.kind !== 'file' || found.entry.file.from !== 'user' || found.entry.state === 'ready')
    return told(await port.trust(name));
  if (!(await askPlugin(config, found.entry))) return 1;
  const now = findPlugin(name, await load(false), TOOLS);
  if (now.kind !== 'file' || now.entry.state === 'declined') return 1;
  return now.entry.state === 'ready' ? 0 : told({ done: false, lines: (await port.inspect(name)).lines.slice(0, 1) });
}

async function install(given: string, flags: PluginFlags, desk: Desk): Promise<number> {
  const { config, text, port } = desk;
  const path = installPlugin(config, given, { force: flags.force === true });
  print([text.t('plugin.installed', { path })]);
  const entry = openEntries(config).find(({ file }) => file.path === path);
  // Also where the same bytes were refused before.
  if (flags.yes) return told(await port.trust(nameIn(path)));
  // The same bytes were answered for already.
  if (entry === undefined) return told(await port.inspect(nameIn(path)));
  if (process.stdin.isTTY && process.stdout.isTTY) return trust(entry.file.file, desk);
  return print([text.t('plugin.trustHint', { file: entry.file.file })]);
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function print(lines: readonly string[]): number {
  for (const line of lines.flatMap((text) => text.split('\n'))) process.stdout.write(`${oneLine(line)}\n`);
  return 0;
}

function printJson(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value)}\n`);
  return 0;
}

function told({ done, lines }: Changed): number {
  print(lines);
  return done ? 0 : 1;
}

function warn(text: string): void {
  process.stderr.write(`chatcli: ${safeLine(text, 1000)}\n`);
}
