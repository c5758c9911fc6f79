/** Looks through the plugin folders: what is trusted is described and ready, of the rest is known why not. */
import { describeProgram } from '../../extensions/plugins/describe.js';
import { overriddenBy, type PluginUse, sameName, withPlugins } from '../../extensions/plugins/plugin-tool.js';
import { describeFile, scanFolder } from '../../extensions/plugins/scan.js';
import type { LoadedPlugin, PluginFile } from '../../extensions/plugins/types.js';
import { fileMark, isIntact, pinProgram } from '../../extensions/plugins/vault.js';
import { pluginAnswers, trustsPlugin } from '../../policy/plugin-trust.js';
import { resolveName } from '../../protocol/find-tool.js';
import { isForeignName } from '../../protocol/foreign-tools.js';
import { TOOLS } from '../../tools/registry.js';
import type { AgentEvent } from '../../types/event.js';
import type { JsonObject } from '../../types/json.js';
import { because, english, type Reason } from '../../types/reason.js';
import type { SandboxPort } from '../../types/sandbox.js';
import type { Tool } from '../../types/tool.js';
import { durationMs } from '../agent-config.js';
import type { Config } from '../config.js';
import { currentTrust } from '../current-trust.js';
import { PROJECT_PLUGINS, pluginFolders } from './folders.js';

/** A file of a plugins folder and what became of it. */
export interface PluginEntry {
  readonly file: PluginFile;
  /** `changed`: other bytes than these were trusted; `unfit`: trusted, but it cannot be used. */
  readonly state: 'ready' | 'untrusted' | 'changed' | 'declined' | 'unfit';
  readonly why?: Reason;
  readonly plugin?: LoadedPlugin;
  /** Names of builtin tools it stands in for, or would once it is trusted. */
  readonly overrides: readonly string[];
}

export interface PluginSet {
  readonly entries: readonly PluginEntry[];
  readonly doubts: readonly { readonly path: string; readonly why: Reason }[];
  among(tools: readonly Tool[]): readonly Tool[];
}

export interface LoadOptions {
  readonly sandbox?: Pick<SandboxPort, 'confine'>;
  /** Asks programs again what they are. */
  readonly anew?: boolean;
  readonly signal?: AbortSignal;
}

const DEFAULT_MS = 15 * 60_000;
const TIMEOUT = 'CHATCLI_AGENT_PLUGIN_TIMEOUT';
/** Names that mean something to the loop itself. */
const RESERVED = ['call_tool', 'tool_call', 'agent_call', 'help', 'agent', 'agents', 'skill'];
const MOST_NAMED = 6;

/** Runs no file that is not trusted. Never throws. */
export async function loadPlugins(config: Config, options: LoadOptions): Promise<PluginSet> {
  const { user, project } = pluginFolders(config);
  const scans = [
    scanFolder(user, 'user'),
    ...(project === undefined ? [] : [scanFolder(project, 'project', (name) => pinned(name, config) !== undefined)]),
  ];
  const entries: PluginEntry[] = [];
  for (const file of scans.flatMap(({ files }) => files)) entries.push(await entryOf(file, entries, config, options));
  const ready = entries.flatMap(({ plugin, state }) => (plugin !== undefined && state === 'ready' ? [plugin] : []));
  const use = useOf(config);
  return {
    entries,
    doubts: scans.flatMap(({ doubts }) => doubts),
    among: (tools) => (ready.length === 0 ? tools : withPlugins(tools, ready, use)),
  };
}

async function entryOf(
  file: PluginFile,
  before: readonly PluginEntry[],
  config: Config,
  { sandbox, anew = false, signal = new AbortController().signal }: LoadOptions,
): Promise<PluginEntry> {
  const overrides = file.from === 'user' ? takenFrom(stem(file.file)) : [];
  const state = trustState(file, config);
  if (state !== 'ready') return { file, state, overrides };
  const unfit = (why: Reason): PluginEntry => ({ file, state: 'unfit', why, overrides: [] });
  const program = pinProgram(config.state, file.path, file.sha256);
  if (!program.ok) return unfit(program.why);
  const about = await describeProgram(program.value, { env: config.childEnv, anew, signal, ...(sandbox && { sandbox }) });
  if (!about.ok) return unfit(about.why);
  const plugin: LoadedPlugin = { file, program: program.value, about: about.value };
  const why = nameFault(plugin, before);
  return why ? unfit(why) : { file, state, plugin, overrides: takenFrom(about.value.name) };
}

/** The user's files nobody has answered for as they are now; nothing is run. Never throws. */
export function openEntries(config: Config): readonly PluginEntry[] {
  return scanFolder(pluginFolders(config).user, 'user').files.flatMap((file) => {
    const state = trustState(file, config);
    return state === 'untrusted' || state === 'changed' ? [{ file, state, overrides: takenFrom(stem(file.file)) }] : [];
  });
}

function trustState(file: PluginFile, config: Config): 'ready' | 'untrusted' | 'changed' | 'declined' {
  if (file.from === 'project') {
    const pin = projectPin(file, config);
    return pin === file.sha256 ? 'ready' : pin === undefined ? 'untrusted' : 'changed';
  }
  const answer = pluginAnswers(config.state).get(file.file);
  if (answer === undefined) return 'untrusted';
  if (answer.sha256 !== file.sha256) return answer.answer === 'trusted' ? 'changed' : 'untrusted';
  return answer.answer === 'trusted' ? 'ready' : 'declined';
}

/** A project's plugins are trusted with their folder. */
function projectPin({ file }: PluginFile, config: Config): string | undefined {
  return pinned(file, config);
}

function pinned(file: string, config: Config): string | undefined {
  const { pins } = currentTrust(config);
  const path = `${PROJECT_PLUGINS}/${file}`;
  return Object.hasOwn(pins, path) ? pins[path] : undefined;
}

/** The name a file would have to be called by: without its ending. */
export function stem(file: string): string {
  return file.replace(/(?!^)\.[A-Za-z0-9]{1,5}$/, '');
}

/** Builtin tools a name means, by their own names and by all others that models call them by. */
function takenFrom(name: string): readonly string[] {
  const own = overriddenBy(name, TOOLS);
  if (own.length > 0) return own;
  const named = resolveName(TOOLS, name);
  return named.kind === 'tool' ? [named.tool.name] : [];
}

/** What speaks against a name; what a file prints must not put it in the place of something it was not trusted for. */
function nameFault({ about, file }: LoadedPlugin, before: readonly PluginEntry[]): Reason | undefined {
  const { name } = about;
  if (RESERVED.some((one) => sameName(one, name))) return because`${name} is a name chatcli needs itself`;
  const other = before.find(({ plugin }) => plugin !== undefined && sameName(plugin.about.name, name));
  if (other) return because`the plugin ${other.file.file} is called ${name} already`;
  if (takenFrom(name).length === 0 && !isForeignName(name)) return undefined;
  if (file.from === 'project') return because`it is called ${name}, and plugins of a project do not override what is built in`;
  if (sameName(stem(file.file), name)) return undefined;
  return because`it calls itself ${name}, which is built in; to override that its file must be called so too`;
}

/** The time of calls, and what is looked at again before each of them. */
function useOf(config: Config): PluginUse {
  const marks = new Map<string, string>();
  return {
    timeoutMs: durationMs(config.env[TIMEOUT]) ?? DEFAULT_MS,
    refusal({ file, program }) {
      const mark = fileMark(file.path);
      if (mark === undefined) return `${file.path} is gone. The user can load the plugins anew: /plugin reload`;
      if (marks.get(file.path) !== mark) {
        if (hashNow(file) !== file.sha256)
          return `${file.path} changed since it was trusted. The user can look and decide: /plugin trust ${file.file}`;
        marks.set(file.path, mark);
      }
      const isTrusted =
        file.from === 'project' ? projectPin(file, config) === file.sha256 : trustsPlugin(config.state, file.file, file.sha256);
      if (!isTrusted) return `${file.path} is no longer trusted. The user can change that: /plugin trust ${file.file}`;
      if (isIntact(program)) return undefined;
      const again = pinProgram(config.state, file.path, file.sha256);
      return again.ok && again.value.path === program.path ? undefined : 'its private copy cannot be used';
    },
  };
}

function hashNow({ path, from }: PluginFile): string | undefined {
  try {
    return describeFile(path, from).sha256;
  } catch {
    return undefined;
  }
}

/** One notice for what is not trusted, one for each that cannot be used; nothing of what was declined. */
export function tellPlugins(set: PluginSet, config: Config, emit: (event: AgentEvent) => void): void {
  const tell = (code: string, text: string, values: JsonObject): void =>
    emit({ type: 'notice', level: 'warn', code, text, values, agent: 'main', time: Date.now() });
  const open = set.entries.filter(({ file, state }) => file.from === 'user' && (state === 'untrusted' || state === 'changed'));
  if (open.length > 0) {
    const names = open.slice(0, MOST_NAMED).map(({ file }) => file.file);
    const files = [...names, ...(open.length > MOST_NAMED ? [`… (${open.length})`] : [])].join(', ');
    tell('plugin-untrusted', `Plugins that are not trusted are not used: ${files}`, { files });
  }
  for (const { file, why } of set.entries.filter(({ state }) => state === 'unfit').slice(0, MOST_NAMED))
    if (why) tell('plugin-unfit', `The plugin ${file.file} is not used: ${english(why)}`, reasonValues(file.file, why));
  for (const { path, why } of set.doubts.slice(0, MOST_NAMED))
    tell('plugin-doubt', `Plugins, ${path}: ${english(why)}`, reasonValues(path, why));
  const value = config.env[TIMEOUT];
  if (value !== undefined && value.trim() !== '' && durationMs(value) === undefined)
    tell('setting-odd', `${TIMEOUT}=${value} cannot be used; 15m counts`, { variable: TIMEOUT, value, used: '15m' });
}

function reasonValues(file: string, why: Reason): JsonObject {
  return { file, why: why as unknown as JsonObject };
}
