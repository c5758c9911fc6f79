/** `@coder git-changed`: changed and untracked files, one line each, with their status letters. */

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

function describe(call: GitCall, entry: Entry, letters: string): string {
  const show = (path: string) => linePath(shownPath(call, path));
  const origin = entry.from !== undefined && /[RC]/.test(letters) ? `${show(entry.from)} -> ` : '';
  return `${letters.trim()} ${origin}${show(entry.path)}`;
}

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const call = await openGitCall(args, context);
  const staged = args['staged'] === true;
  const untracked = staged ? '--untracked-files=no' : '--untracked-files=all';
  const words = [
    'status',
    '--porcelain=v1',
    '-z',
    untracked,
    '--ignore-submodules=dirty',
    '--find-renames',
    '--',
    ...(call.narrowed ? ['.'] : []),
  ];
  const outcome = await call.run(words, { rawText: true, keepBytes: LIST_BYTES });
  checkOutcome(outcome, 'git status');
  const whole = outcome.omittedBytes === 0 ? outcome.output : outcome.output.slice(0, outcome.output.lastIndexOf('\0') + 1);
  const entries = parseStatus(whole)
    .map((entry) => ({ entry, letters: staged ? entry.letters.slice(0, 1).replace(/[ ?!]/, '') : entry.letters }))
    .filter(({ letters }) => letters.trim() !== '');
  const lines = entries.map(({ entry, letters }) => `${describe(call, entry, letters)}\n`).join('');
  const more = outcome.omittedBytes === 0 ? '' : 'note: the list is longer than 8 MiB; only its beginning was read\n';
  const shown = { ...outcome, output: lines, outputEnd: '', omittedBytes: 0, totalBytes: lines.length };
  return gitResult(shown, 'git status', staged ? 'nothing is staged' : 'no changed files', `${more}${filterNote(call)}`);
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
