/** `@coder git-branch`: the branches, the current one marked. */
import type { JsonObject } from '../../types/json.js';
import type { Tool, ToolContext, ToolResult } from '../../types/tool.js';
import { DIR_FIELD, GIT_LIMIT, gitFacts, gitResult, openGitCall } from './shared/git-call.js';

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const call = await openGitCall(args, context);
  const words = ['branch', '--list', '--no-color', '--no-column', '--sort=refname', ...(args['all'] === true ? ['--all'] : [])];
  const outcome = await call.run(words, { log: true });
  if (outcome.exitCode === 0 && !outcome.output.startsWith('* ') && !outcome.output.includes('\n* ')) {
    const head = await call.run(['symbolic-ref', '--quiet', '--short', 'HEAD']);
    const unborn = head.exitCode === 0 ? `* ${head.output.trim()} (no commits yet)\n` : '';
    return gitResult({ ...outcome, output: unborn + outcome.output, totalBytes: 1 }, 'git branch', '');
  }
  return gitResult(outcome, 'git branch', 'no branches');
}

/** Reads only; runs nothing the repository configures. */
export const gitBranchTool: Tool = {
  name: '@coder git-branch',
  aliases: ['branch'],
  summary: 'Lists branches, the current one marked with *; all adds remote ones',
  schema: {
    type: 'object',
    properties: { all: { type: 'boolean', default: false, description: 'Remote branches too' }, dir: DIR_FIELD },
    additionalProperties: false,
  },
  fieldAliases: { path: 'dir', a: 'all' },
  positional: ['dir'],
  example: { all: true },
  inFull: false,
  limit: GIT_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts: (args) => gitFacts('branch', args),
  run,
};
