/** `@coder git-status`: branch and changed files, as `git status -sb` shows them. */
import type { JsonObject } from '../../types/json.js';
import type { Tool, ToolContext, ToolResult } from '../../types/tool.js';
import { DIR_FIELD, filterNote, GIT_LIMIT, gitFacts, gitResult, openGitCall } from './shared/git-call.js';

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const call = await openGitCall(args, context);
  const words = [
    'status',
    '--short',
    '--branch',
    '--untracked-files=normal',
    '--ignore-submodules=dirty',
    '--find-renames',
    '--',
    ...(call.narrowed ? ['.'] : []),
  ];
  const first = await call.run(words, { log: true });
  // Names that are not UTF-8 can only be told apart when git writes their bytes as numbers.
  const outcome = first.output.includes('\ufffd')
    ? await call.run(['-c', 'core.quotePath=true', ...words], { log: true })
    : first;
  const clean =
    outcome.exitCode === 0 && outcome.output.trim().split('\n').length === 1 ? 'nothing to commit, working tree clean\n' : '';
  return gitResult(outcome, 'git status', '', `${clean}${filterNote(call)}`);
}

/** Reads only; runs nothing the repository configures. */
export const gitStatusTool: Tool = {
  name: '@coder git-status',
  aliases: ['status'],
  summary: 'Shows the branch and changed, staged and untracked files (git status -sb)',
  schema: { type: 'object', properties: { dir: DIR_FIELD }, additionalProperties: false },
  fieldAliases: { path: 'dir' },
  positional: ['dir'],
  example: {},
  inFull: false,
  limit: GIT_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts: (args) => gitFacts('status', args),
  run,
};
