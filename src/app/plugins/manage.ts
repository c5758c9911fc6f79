/** What `/plugin` and `chatcli plugin` do: show, trust, take trust back, remove, load anew. */
import { lstatSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { oneLine } from '../../base/one-line.js';
import { sameName } from '../../extensions/plugins/plugin-tool.js';
import { dropCopy } from '../../extensions/plugins/vault.js';
import { forgetPlugin, pluginAnswers, recordPlugin } from '../../policy/plugin-trust.js';
import type { Changed } from '../../types/command.js';
import type { PluginsPort } from '../../types/plugin-port.js';
import type { Tool } from '../../types/tool.js';
import type { Text } from '../../ui/text/index.js';
import type { Config } from '../config.js';
import { pluginFolders } from './folders.js';
import { builtinGroups, entryLines, fileLines, pluginLines, stateText } from './lines.js';
import { type PluginEntry, type PluginSet, stem } from './load.js';

export interface ManageOptions {
  readonly config: Config;
  readonly text: Text;
  /** What is built in here. */
  tools(): readonly Tool[];
  /** Looks into the folders again; `anew` asks programs again what they are. Never throws. */
  load(anew: boolean): Promise<PluginSet>;
}

/** What a name means here. */
export type Found =
  | { readonly kind: 'file'; readonly entry: PluginEntry }
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'none' };

/** A file by its name, with or without ending, or by the name it goes by; then what is built in. The file prevails. */
export function findPlugin(name: string, { entries }: PluginSet, tools: readonly Tool[]): Found {
  const by = (fits: (entry: PluginEntry) => boolean) => entries.find(fits);
  const entry =
    by(({ file }) => file.file === name) ??
    by(({ file }) => sameName(stem(file.file), name)) ??
    by(({ plugin }) => plugin !== undefined && sameName(plugin.about.name, name));
  if (entry) return { kind: 'file', entry };
  const builtin = [...builtinGroups(tools).keys()].find((one) => sameName(one, name));
  return builtin === undefined ? { kind: 'none' } : { kind: 'builtin', name: builtin };
}

/** Never throws; what cannot be saved or removed is said in the lines. */
export function pluginsPort(options: ManageOptions): PluginsPort {
  return plain(portOf(options));
}

function portOf({ config, text, tools, load }: ManageOptions): PluginsPort {
  const { t } = text;
  /** Hashes as they were shown last, by path. */
  const shown = new Map<string, string>();
  let known: readonly string[] = [];
  const look = async (anew = false): Promise<PluginSet> => {
    const set = await load(anew);
    known = [...new Set(set.entries.map(({ file, plugin }) => plugin?.about.name ?? file.file))];
    return set;
  };
  const show = ({ file }: PluginEntry) => shown.set(file.path, file.sha256);
  const withFile = async (name: string, work: (entry: PluginEntry) => Promise<Changed>): Promise<Changed> => {
    const set = await look();
    const found = findPlugin(name, set, tools());
    if (found.kind === 'file') return guarded(() => work(found.entry), text);
    const key = found.kind === 'builtin' ? 'plugin.isBuiltin' : 'plugin.unknown';
    return { done: false, lines: [t(key, { name })] };
  };
  return {
    names: () => known,
    async list() {
      const set = await look();
      set.entries.forEach(show);
      return [...pluginLines(tools(), set, text), '', t('plugin.folder', { folder: pluginFolders(config).user })];
    },
    async inspect(name) {
      const set = await look();
      const found = findPlugin(name, set, tools());
      if (found.kind === 'none') return { done: false, lines: [t('plugin.unknown', { name })] };
      if (found.kind === 'builtin') return { done: true, lines: builtinLines(found.name, tools()) };
      show(found.entry);
      return { done: true, lines: entryLines(found.entry, text) };
    },
    trust: (name) =>
      withFile(name, async (entry) => {
        const { file, overrides } = entry;
        if (file.from === 'project') return { done: false, lines: [t('plugin.projectUntrusted')] };
        const seen = shown.get(file.path);
        show(entry);
        if (seen !== undefined && seen !== file.sha256)
          return { done: false, lines: [t('plugin.moved'), ...fileLines(file, overrides, text)] };
        trustFile(config, entry);
        const now = (await look()).entries.find((one) => one.file.path === file.path);
        const lines = [t('plugin.trusted', { file: file.file }), ...fileLines(file, now?.overrides ?? overrides, text)];
        if (now?.state === 'unfit') return { done: false, lines: [...lines, stateText(now, text)] };
        return { done: true, lines };
      }),
    untrust: (name) =>
      withFile(name, async ({ file }) => {
        if (file.from === 'project') return { done: false, lines: [t('plugin.projectUntrust')] };
        const had = forgetPlugin(config.state, file.file);
        dropUnused(config, file.sha256);
        await look();
        return { done: had, lines: [t(had ? 'plugin.untrustedNow' : 'plugin.wasNotTrusted', { file: file.file })] };
      }),
    uninstall: (name) =>
      withFile(name, async (entry) => {
        const { file } = entry;
        if (file.from === 'project') return { done: false, lines: [t('plugin.projectFile', { path: file.path })] };
        const isLink = lstatSync(file.path).isSymbolicLink();
        removeFile(config, entry);
        await look();
        return { done: true, lines: [t(isLink ? 'plugin.linkRemoved' : 'plugin.removed', { path: file.path })] };
      }),
    async reload() {
      const set = await look(true);
      const ready = set.entries.filter(({ state }) => state === 'ready');
      const rest = set.entries.filter(({ state }) => state !== 'ready');
      const names = ready.map(({ plugin }) => plugin?.about.name ?? '').join(', ');
      return {
        done: true,
        lines: [
          ready.length > 0 ? t('plugin.reloaded', { names }) : t('plugin.noneReady'),
          ...rest.map((entry) => `  ${entry.file.file}: ${stateText(entry, text)}`),
        ],
      };
    },
  };
}

/** Keeps that this very file is trusted, or that it is not wanted. Throws errno errors. */
export function trustFile(config: Config, { file }: PluginEntry, answer: 'trusted' | 'declined' = 'trusted'): void {
  const before = pluginAnswers(config.state).get(file.file);
  recordPlugin(config.state, file.file, { answer, sha256: file.sha256 }, Date.now());
  if (before !== undefined && before.sha256 !== file.sha256) dropUnused(config, before.sha256);
}

/** The directory entry itself, so a link's target stays. Throws errno errors. */
function removeFile(config: Config, { file }: PluginEntry): void {
  if (dirname(file.path) !== pluginFolders(config).user) throw new Error(`${file.path} lies elsewhere`);
  rmSync(file.path);
  const before = pluginAnswers(config.state).get(file.file);
  forgetPlugin(config.state, file.file);
  dropUnused(config, file.sha256);
  if (before !== undefined) dropUnused(config, before.sha256);
}

function dropUnused(config: Config, sha256: string): void {
  const isUsed = [...pluginAnswers(config.state).values()].some((one) => one.answer === 'trusted' && one.sha256 === sha256);
  if (!isUsed) dropCopy(config.state, sha256);
}

async function guarded(work: () => Promise<Changed>, { t }: Text): Promise<Changed> {
  try {
    return await work();
  } catch (error) {
    return { done: false, lines: [t('plugin.notDone', { reason: error instanceof Error ? error.message : String(error) })] };
  }
}

function builtinLines(name: string, tools: readonly Tool[]): string[] {
  return [`${name}  [builtin]`, ...(builtinGroups(tools).get(name) ?? []).map((tool) => `  ${tool.name}: ${tool.summary}`)];
}

/** File names and what plugins say of themselves stay on their line, without effect on a terminal. */
function plain(port: PluginsPort): PluginsPort {
  const changed = async (work: Promise<Changed>): Promise<Changed> => {
    const { done, lines } = await work;
    return { done, lines: lines.map(oneLine) };
  };
  return {
    names: () => port.names().filter((name) => oneLine(name) === name),
    list: async () => (await port.list()).map(oneLine),
    inspect: (name) => changed(port.inspect(name)),
    trust: (name) => changed(port.trust(name)),
    untrust: (name) => changed(port.untrust(name)),
    uninstall: (name) => changed(port.uninstall(name)),
    reload: () => changed(port.reload()),
  };
}
