/** `@coder git-changed`: changed and untracked files, one line each, with their status letters. */

import type { CommandOutcome } from '../../process/command-types.js';
import { checkOutcome } from '../../process/git.js';
import type { JsonObject } from '../../types/json.js';
import type { Tool, ToolContext, ToolResult } from '../../types/tool.js';
import {
  DIR_FIELD,
  filterNote,
  GIT_LIMIT,
  type GitCall,
  gitFacts,
  gitResult,
  linePath,
  openGitCall,
  shownPath,
} from './shared/git-call.js';

const LIST_BYTES = 8 * 1024 * 1024;

interface Entry {
  readonly letters: string;
  readonly path: string;
  readonly from?: string;
  /** The names are spelled with escapes already. */
  readonly escaped?: boolean;
}

/** Reads `git status --porcelain -z`: two letters, a space, the path, NUL; a rename adds the old path and another NUL. */
function parseStatus(text: string): Entry[] {
  const fields = text.split('\0');
  const entries: Entry[] = [];
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as string;
    if (field.length < 4) continue;
    const letters = field.slice(0, 2);
    const hasOrigin = /[RC]/.test(letters);
    entries.push({ letters, path: field.slice(3), ...(hasOrigin ? { from: fields[index + 1] } : {}) });
    if (hasOrigin) index += 1;
  }
  return entries;
}

/** A path of a line for people: in quotes with escapes when it holds anything unusual. Gives it and what follows. */
function takePath(text: string): readonly [string, string] {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (quoted) return [quoted[1] ?? '', text.slice(quoted[0].length)];
  const end = text.indexOf(' -> ');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)];
}

/** Reads the lines git writes with `core.quotePath`, where names that are not UTF-8 have their bytes as numbers. */
function parseQuoted(text: string): Entry[] {
  return text
    .split('\n')
    .filter((line) => line.length > 3)
    .map((line) => {
      const letters = line.slice(0, 2);
      const [path, rest] = takePath(line.slice(3));
      return rest.startsWith(' -> ')
        ? { letters, path: takePath(rest.slice(4))[0], from: path, escaped: true }
        : { letters, path, escaped: true };
    });
}

function describe(call: GitCall, entry: Entry, letters: string): string {
  const show = (path: string) => {
    const shown = shownPath(call, path);
    if (entry.escaped !== true) return linePath(shown);
    return shown.includes('\\') ? `"${shown}"` : shown;
  };
  const origin = entry.from !== undefined && /[RC]/.test(letters) ? `${show(entry.from)} -> ` : '';
  return `${letters.trim()} ${origin}${show(entry.path)}`;
}

/** The outcome of a run that printed `output`. */
const finished = (output: string): CommandOutcome => ({
  exitCode: 0,
  timedOut: false,
  aborted: false,
  ms: 0,
  output,
  outputEnd: '',
  omittedBytes: 0,
  totalBytes: output.length,
  errorOutput: '',
  leftover: [],
});

/** All entries, or those at the beginning of a list that is too long (then `whole` is false). */
async function readEntries(call: GitCall, words: readonly string[]): Promise<{ entries: Entry[]; whole: boolean }> {
  const list = async (...given: string[]) => {
    const outcome = await call.run(given, { rawText: true, keepBytes: LIST_BYTES });
    checkOutcome(outcome, 'git status');
    return outcome;
  };
  const [command = 'status', ...rest] = words;
  const first = await list(command, '-z', ...rest);
  const strange = first.output.includes('\ufffd');
  const outcome = strange ? await list('-c', 'core.quotePath=true', ...words) : first;
  const whole = outcome.omittedBytes === 0;
  const text = whole ? outcome.output : outcome.output.slice(0, outcome.output.lastIndexOf(strange ? '\n' : '\0') + 1);
  return { entries: strange ? parseQuoted(text) : parseStatus(text), whole };
}

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const call = await openGitCall(args, context);
  const staged = args['staged'] === true;
  const untracked = staged ? '--untracked-files=no' : '--untracked-files=all';
  const words = [
    'status',
    '--porcelain=v1',
    untracked,
    '--ignore-submodules=dirty',
    '--find-renames',
    '--',
    ...(call.narrowed ? ['.'] : []),
  ];
  const { entries: all, whole } = await readEntries(call, words);
  const entries = all
    .map((entry) => ({ entry, letters: staged ? entry.letters.slice(0, 1).replace(/[ ?!]/, '') : entry.letters }))
    .filter(({ letters }) => letters.trim() !== '');
  const lines = entries.map(({ entry, letters }) => `${describe(call, entry, letters)}\n`).join('');
  const more = whole ? '' : 'note: the list is longer than 8 MiB; only its beginning was read\n';
  return gitResult(
    finished(lines),
    'git status',
    staged ? 'nothing is staged' : 'no changed files',
    `${more}${filterNote(call)}`,
  );
}

/** Reads only; runs nothing the repository configures. */
export const gitChangedTool: Tool = {
  name: '@coder git-changed',
  aliases: ['changed'],
  summary: 'Lists changed and untracked files with status letters; staged: index only',
  schema: {
    type: 'object',
    properties: { staged: { type: 'boolean', default: false, description: 'Only what is staged' }, dir: DIR_FIELD },
    additionalProperties: false,
  },
  fieldAliases: { path: 'dir', cached: 'staged' },
  positional: ['dir'],
  example: { staged: true },
  inFull: false,
  limit: GIT_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts: (args) => gitFacts('changed', args),
  run,
};
