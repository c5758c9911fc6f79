/** Plugins as people and programs are shown them. Names and texts of files must still be made safe for the screen. */
import { sameName } from '../../extensions/plugins/plugin-tool.js';
import type { PluginFile } from '../../extensions/plugins/types.js';
import type { JsonObject } from '../../types/json.js';
import { english } from '../../types/reason.js';
import type { Tool } from '../../types/tool.js';
import type { Text } from '../../ui/text/index.js';
import type { PluginEntry, PluginSet } from './load.js';

/** `@coder` with all its subcommands, `@read`, …: what is built in, by the plugin it belongs to. */
export function builtinGroups(tools: readonly Tool[]): ReadonlyMap<string, readonly Tool[]> {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const [name = ''] = tool.name.split(' ');
    groups.set(name, [...(groups.get(name) ?? []), tool]);
  }
  return groups;
}

/** One line each: what is built in first, then the files of the plugin folders, then what is odd about them. */
export function pluginLines(tools: readonly Tool[], { entries, doubts }: PluginSet, text: Text): readonly string[] {
  const groups = [...builtinGroups(tools)];
  const shown = entries.map((entry) => ({ entry, name: entry.plugin?.about.name ?? entry.file.file }));
  const width = Math.max(...groups.map(([name]) => name.length), ...shown.map(({ name }) => Math.min(name.length, 30)));
  return [
    ...groups.map(([name, own]) => `${name.padEnd(width)}  [builtin]  ${aboutGroup(name, own, entries, text)}`),
    ...shown.map(({ entry, name }) => `${name.padEnd(width)}  ${entryText(entry, text)}`),
    ...doubts.map(({ path, why }) => text.t('plugin.doubt', { path, why: text.why(why, english(why)) })),
  ];
}

function aboutGroup(name: string, own: readonly Tool[], entries: readonly PluginEntry[], { t }: Text): string {
  const by = entries.find(({ plugin }) => plugin !== undefined && sameName(plugin.about.name, name));
  if (by) return t('plugin.overriddenBy', { file: by.file.path });
  return own.length > 1 ? own.map((tool) => tool.name.split(' ')[1] ?? '').join(', ') : (own[0]?.summary ?? '');
}

function entryText(entry: PluginEntry, text: Text): string {
  const { plugin, file, overrides } = entry;
  if (!plugin) return `[plugin]  ${stateText(entry, text)}`;
  const { description, version } = plugin.about;
  const tag = overrides.length > 0 ? `[plugin] ${text.t('plugin.overrides')}` : '[plugin]';
  const where = file.from === 'project' ? `, ${text.t('plugin.ofProject')}` : '';
  return `${tag}  ${[description, version && `(${version})`].filter(Boolean).join(' ')}${where}`.trimEnd();
}

/** Why it is not used. */
export function stateText({ state, file, why }: PluginEntry, text: Text): string {
  const { t } = text;
  if (state === 'unfit' && why) return t('plugin.unfit', { why: text.why(why, english(why)) });
  if (file.from === 'project') return t('plugin.projectUntrusted');
  const key = { ready: 'plugin.ready', unfit: 'plugin.unfit', untrusted: 'plugin.untrusted' } as const;
  if (state === 'changed') return t('plugin.changed', { file: file.file });
  if (state === 'declined') return t('plugin.declined', { file: file.file });
  return t(key[state], { file: file.file, why: '' });
}

/** Everything that is known about one file, a fact a line. */
export function entryLines(entry: PluginEntry, text: Text): readonly string[] {
  const { t } = text;
  const { plugin, file, overrides } = entry;
  const about = plugin?.about;
  const fields = Object.keys(about?.schema?.properties ?? {}).map(
    (name) => `${name}${about?.schema?.required?.includes(name) ? '' : '?'}`,
  );
  return [
    `${about?.name ?? file.file}  ${entryText(entry, text)}`,
    ...fileLines(file, overrides, text),
    ...(about?.usage
      ? about.usage.split('\n').map((line, at) => `  ${at === 0 ? t('plugin.usage', { usage: line }) : line}`)
      : []),
    ...(about ? [`  ${fields.length > 0 ? t('plugin.fields', { fields: fields.join(', ') }) : t('plugin.noSchema')}`] : []),
  ];
}

/** What stands on the disk, and what it would stand in for. */
export function fileLines(
  { path, size, sha256 }: PluginFile,
  overrides: readonly string[],
  { t, number }: Text,
): readonly string[] {
  const names = overrides.length > 3 ? `${overrides.slice(0, 3).join(', ')}, … (${overrides.length})` : overrides.join(', ');
  return [
    `  ${t('plugin.file', { path, size: number(size) })}`,
    `  SHA-256: ${sha256}`,
    ...(overrides.length > 0 ? [`  ${t('plugin.wouldOverride', { names })}`] : []),
  ];
}

/** The same as data: what is built in, and every file. */
export function pluginData(tools: readonly Tool[], { entries, doubts }: PluginSet): JsonObject {
  const builtin = [...builtinGroups(tools)].map(([name, own]) => ({
    name,
    origin: 'builtin',
    tools: own.map((tool) => tool.name),
    overridden: entries.some(({ plugin }) => plugin !== undefined && sameName(plugin.about.name, name)),
  }));
  return {
    plugins: [...builtin, ...entries.map(entryData)],
    warnings: doubts.map(({ path, why }) => `${path}: ${english(why)}`),
  };
}

/** One file as data. */
export function entryData({ file, state, why, plugin, overrides }: PluginEntry): JsonObject {
  const { name = null, description = null, usage = null, version = null, schema = null } = plugin?.about ?? {};
  return {
    name,
    origin: 'plugin',
    from: file.from,
    state,
    ...(why ? { why: english(why) } : {}),
    file: file.file,
    path: file.path,
    size: file.size,
    sha256: file.sha256,
    description,
    usage,
    version,
    schema: schema as unknown as JsonObject | null,
    overrides: [...overrides],
  };
}
