/** `@coder git-diff`: pending differences, of everything or one file, in the work tree or the index. */
import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { checkOutcome } from '../../process/git.js';
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { Located, Workspace } from '../../types/workspace.js';
import {
  DIR_FIELD,
  filterNote,
  GIT_LIMIT,
  type GitCall,
  gitFacts,
  gitResult,
  openGitCall,
  shownPath,
} from './shared/git-call.js';

const DEFAULT_CONTEXT = 3;
const LIST_BYTES = 4 * 1024 * 1024;
/** More left-out files than this are named by number only. */
const NAMED = 10;

const SAFE = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-color-moved',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '-O/dev/null',
];

const fileOf = (args: JsonObject): string | undefined => (typeof args['file'] === 'string' ? args['file'] : undefined);

/** Where an entry of the work tree lies; a symbolic link counts where it stands, since only its text is shown. */
function locateEntry(workspace: Workspace, path: string): Located {
  const link = resolve(workspace.root, path);
  try {
    if (!lstatSync(link).isSymbolicLink()) return workspace.locate(path);
  } catch {
    return workspace.locate(path);
  }
  const folder = workspace.locate(dirname(link));
  return { ...folder, real: join(folder.real, basename(link)) };
}

/** Changed files whose content may not be shown unasked: personal ones and such outside the workspace. */
async function hiddenFiles(call: GitCall, context: ToolContext, choice: readonly string[]): Promise<string[]> {
  const words = [
    'diff',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-relative',
    ...SAFE,
    ...choice,
    '--',
    ...(call.narrowed ? ['.'] : []),
  ];
  const outcome = await call.run(words, { rawText: true, keepBytes: LIST_BYTES });
  checkOutcome(outcome, 'git diff');
  if (outcome.omittedBytes > 0)
    throw new ToolFault('Failed', 'too many changed files for one diff: name one with file, or use git-changed');
  const names = outcome.output.split('\0').filter((name) => name !== '');
  return names.filter((name) => locateEntry(context.workspace, join(call.repository.top, name)).zone !== 'inside');
}

function fileWords(context: ToolContext, file: string): string[] {
  const located = locateEntry(context.workspace, file);
  if (located.zone !== 'inside' && located.zone !== 'personal')
    throw new ToolFault('OutsideWorkspace', `${located.shown} lies outside the workspace; git-diff shows files inside it`);
  return [`:(literal)${located.real}`];
}

/** Words after the options: what the diff is limited to, and what is left out of it. */
async function pathWords(
  call: GitCall,
  context: ToolContext,
  args: JsonObject,
  choice: readonly string[],
): Promise<{ words: string[]; note: string }> {
  const file = fileOf(args);
  if (file !== undefined) return { words: fileWords(context, file), note: '' };
  const hidden = args['name-only'] === true || args['stat'] === true ? [] : await hiddenFiles(call, context, choice);
  const words = [call.narrowed ? '.' : ':(top)', ...hidden.map((name) => `:(top,literal,exclude)${name}`)];
  if (hidden.length === 0) return { words, note: '' };
  const named = hidden.length <= NAMED ? hidden.map((name) => shownPath(call, name)).join(', ') : `${hidden.length} files`;
  return { words, note: `note: left out ${named} (personal or outside the workspace; name one with file to ask for it)\n` };
}

function nothing(args: JsonObject, context: ToolContext): string {
  const file = fileOf(args);
  const where = args['staged'] === true ? 'staged ' : '';
  if (file === undefined) return `no ${where}differences (untracked files are not part of a diff; git-changed lists them)`;
  const missing = existsSync(context.workspace.locate(file).real) ? '' : ' (no such file in the work tree)';
  return `no ${where}differences in ${file}${missing}`;
}

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const call = await openGitCall(args, context);
  const choice = args['staged'] === true ? ['--cached'] : [];
  const { words: paths, note } = await pathWords(call, context, args, choice);
  const lines = typeof args['context'] === 'number' ? args['context'] : DEFAULT_CONTEXT;
  const words = ['diff', ...SAFE, ...choice, '--find-renames', '--src-prefix=a/', '--dst-prefix=b/', '--inter-hunk-context=0'];
  words.push(call.narrowed ? '--relative' : '--no-relative');
  if (args['name-only'] === true) words.push('--name-only');
  else if (args['stat'] === true) words.push('--stat=100');
  else words.push(`--unified=${lines}`);
  const outcome = await call.run([...words, '--', ...paths], { log: true });
  return gitResult(outcome, 'git diff', nothing(args, context), `${note}${filterNote(call)}`);
}

/** Reads only; runs nothing the repository configures. */
export const gitDiffTool: Tool = {
  name: '@coder git-diff',
  aliases: ['diff'],
  summary: 'Shows pending differences of one file or all; staged: the index',
  schema: {
    type: 'object',
    properties: {
      file: { type: 'string', minLength: 1, description: 'Only this file or folder' },
      staged: { type: 'boolean', default: false, description: 'What is staged for commit' },
      context: {
        type: 'integer',
        minimum: 0,
        maximum: 10_000,
        default: DEFAULT_CONTEXT,
        description: 'Lines around each change',
      },
      'name-only': { type: 'boolean', default: false, description: 'Names only' },
      stat: { type: 'boolean', default: false, description: 'Counts per file only' },
      dir: DIR_FIELD,
    },
    additionalProperties: false,
  },
  fieldAliases: { path: 'file', cached: 'staged', unified: 'context' },
  positional: ['file'],
  example: { file: 'src/main.ts', staged: true },
  inFull: false,
  limit: GIT_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts: (args) => gitFacts('diff', args, fileOf(args)),
  run,
};
