/** What may stand for a half-typed word: commands and their arguments, agents, files and folders of the workspace. */
import fuzzysort from 'fuzzysort';
import { COMMANDS } from '../../commands/registry.js';
import type { Command, CommandContext, Suggestion } from '../../types/command.js';
import type { Completer, Completion } from '../../ui/editor/port.js';
import type { Text } from '../../ui/text/index.js';
import type { OpenWorkspace } from '../../workspace/open-workspace.js';
import { createFileList, type FilePath } from './completion-files.js';

/** A name that may stand behind `@` beside files: an agent, a word like `@git`. */
export interface Mention {
  readonly name: string;
  readonly about: string;
}

export interface CompletionSources {
  /** What a command's own completion is given; absent: arguments are not completed. */
  context?(): CommandContext | undefined;
  /** Asked at each `@`; should answer at once. */
  mentions?(): Promise<readonly Mention[]>;
  /** The commands; all there are when absent. */
  commands?(): readonly Command[];
}

const MOST_SHOWN = 50;
/** What fuzzysort thinks less of is chance. */
const LEAST_SCORE = 0.3;

/** Completions over a workspace; its files are listed when they are first needed. Commands are there at once, not as a promise. */
export function shellCompleter(
  text: Text,
  workspace: () => OpenWorkspace | undefined,
  sources: CompletionSources = {},
): Completer {
  const files = createFileList(workspace);
  const commands = () => sources.commands?.() ?? COMMANDS;
  return ({ kind, word, before }, signal) => {
    if (kind === 'command') return commandCompletions(word, commands(), text);
    if (kind === 'argument') return argumentCompletions(word, before, commands(), sources.context?.());
    return mentionCompletions(word, signal, files, sources);
  };
}

function commandCompletions(word: string, commands: readonly Command[], text: Text): Completion[] {
  const typed = word.slice(1).toLowerCase();
  const fitting = commands.flatMap((command) => {
    const names = [command.name, ...command.aliases];
    const name = names.find((one) => one === typed) ?? names.find((one) => one.startsWith(typed));
    const other = name === undefined && typed.length > 1 ? names.find((one) => one.includes(typed)) : undefined;
    const found = name ?? other;
    if (found === undefined) return [];
    const label = found === command.name ? `/${found}` : `/${found} (/${command.name})`;
    const rank = found === typed ? 0 : found === other ? 3 : found === command.name ? 1 : 2;
    return [{ rank, insert: `/${found}`, label, detail: text.find(command.summary) ?? '', ends: true }];
  });
  return fitting
    .sort((a, b) => a.rank - b.rank || (a.insert < b.insert ? -1 : 1))
    .map(({ insert, label, detail, ends }) => ({ insert, label, detail, ends }));
}

function argumentCompletions(
  word: string,
  line: string,
  commands: readonly Command[],
  context: CommandContext | undefined,
): readonly Completion[] | Promise<readonly Completion[]> {
  const [, name = '', before = ''] = /^\/(\S+)\s+([\s\S]*)$/.exec(line) ?? [];
  const command = commands.find((one) => one.name === name.toLowerCase() || one.aliases.includes(name.toLowerCase()));
  if (!context || !command?.complete) return [];
  const chosen = (given: readonly Suggestion[]) => fitting(word, given);
  try {
    const given = command.complete(word, context, before.trim());
    return given instanceof Promise ? given.then(chosen, () => []) : chosen(given);
  } catch {
    return [];
  }
}

/** Those that begin with the word, then those that hold it, then those that hold its letters; each in the order given. */
function fitting(word: string, given: readonly Suggestion[]): Completion[] {
  const typed = word.toLowerCase();
  const rank = ({ insert, label = '' }: Suggestion): number => {
    if (insert.toLowerCase().startsWith(typed)) return 0;
    if (`${insert}\n${label}`.toLowerCase().includes(typed)) return 1;
    return (fuzzysort.single(word, insert)?.score ?? 0) >= LEAST_SCORE ? 2 : 3;
  };
  return given
    .map((one, at) => ({ one, at, rank: rank(one) }))
    .filter((entry) => entry.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ one }) => ({ ...one, ends: one.ends ?? true }));
}

async function mentionCompletions(
  word: string,
  signal: AbortSignal,
  files: ReturnType<typeof createFileList>,
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  const named = (await sources.mentions?.().catch(() => [])) ?? [];
  const typed = word.toLowerCase();
  const names = named
    .filter(({ name }) => name.toLowerCase().startsWith(typed))
    .map(({ name, about }) => ({ insert: name, detail: about, ends: true }));
  const paths = bestPaths(word, await files.all(signal)).filter((path) => files.mayShow(path));
  return [...names, ...paths.slice(0, MOST_SHOWN).map(pathCompletion)];
}

/** Names with blanks, or with marks that would end them, stand in quotation marks; those of a folder stay open for what follows. */
function pathCompletion(path: string): Completion {
  const ends = !path.endsWith('/');
  return { insert: /[\s'`]/.test(path) ? `"${path}${ends ? '"' : ''}` : path, label: path, ends };
}

/** The best first, somewhat more than are shown: what is written so, then what holds the letters in this order. */
export function bestPaths(word: string, files: readonly FilePath[]): string[] {
  const most = MOST_SHOWN * 2;
  if (word === '') return files.slice(0, most).map(({ path }) => path);
  const typed = word.toLowerCase();
  const exact: { readonly file: FilePath; readonly rank: number }[] = [];
  for (const file of files) {
    if (!file.lower.includes(typed)) continue;
    exact.push({ file, rank: rankOf(file, typed) });
  }
  exact.sort((a, b) => a.rank - b.rank || a.file.depth - b.file.depth || compare(a.file.path, b.file.path));
  const found = exact.slice(0, most).map(({ file }) => file.path);
  if (found.length >= MOST_SHOWN) return found;
  const known = new Set(found);
  const options = { limit: most, threshold: LEAST_SCORE, key: 'path' as const };
  const alike = fuzzysort.go(word, files, options).map(({ obj }) => obj.path);
  return [...found, ...alike.filter((path) => !known.has(path))].slice(0, most);
}

function rankOf({ lower, name }: FilePath, typed: string): number {
  if (lower === typed || name === typed) return 0;
  if (lower.startsWith(typed)) return 1;
  if (name.startsWith(typed)) return 2;
  return name.includes(typed) ? 3 : 4;
}

const compare = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
