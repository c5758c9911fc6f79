/** `@coder git-log`: the newest commits. */
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { DIR_FIELD, GIT_LIMIT, gitFacts, gitResult, openGitCall } from './shared/git-call.js';

const DEFAULT_COMMITS = 10;
/** Spelled out: a repository may give the short names of formats a meaning of its own. */
const LONG = '--format=format:commit %H%d%nAuthor: %an <%ae>%nDate:   %ad%n%n%w(0,4,4)%B%w()';
const SHORT = '--format=format:%h%d %s';

const pathOf = (args: JsonObject): string | undefined => (typeof args['path'] === 'string' ? args['path'] : undefined);

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const call = await openGitCall(args, context);
  const path = pathOf(args);
  const limit = typeof args['limit'] === 'number' ? args['limit'] : DEFAULT_COMMITS;
  const words = [
    'log',
    args['oneline'] === true ? SHORT : LONG,
    `--max-count=${limit}`,
    '--date=iso',
    '--decorate=short',
    '--no-color',
    '--no-notes',
  ];
  words.push('--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-patch', '--');
  if (path !== undefined) {
    const located = context.workspace.locate(path);
    if (located.zone !== 'inside' && located.zone !== 'personal')
      throw new ToolFault('OutsideWorkspace', `${located.shown} lies outside the workspace`);
    words.push(`:(literal)${located.real}`);
  }
  const outcome = await call.run(words, { log: true });
  if (outcome.exitCode === 128 && /does not have any commits yet/.test(outcome.errorOutput))
    return { output: 'no commits yet', isError: false, display: { kind: 'text', text: 'no commits yet' } };
  return gitResult(outcome, 'git log', path === undefined ? 'no commits yet' : `no commits touch ${path}`);
}

/** Reads only; runs nothing the repository configures. */
export const gitLogTool: Tool = {
  name: '@coder git-log',
  aliases: ['log'],
  summary: 'Lists the newest commits, 10 unless limit says otherwise',
  schema: {
    type: 'object',
    properties: {
      oneline: { type: 'boolean', default: false, description: 'One line per commit' },
      limit: { type: 'integer', minimum: 1, maximum: 10_000, default: DEFAULT_COMMITS, description: 'Number of commits' },
      path: { type: 'string', minLength: 1, description: 'Only commits that touch this file or folder' },
      dir: DIR_FIELD,
    },
    additionalProperties: false,
  },
  fieldAliases: { file: 'path', n: 'limit', count: 'limit', 'max-count': 'limit' },
  positional: ['path'],
  example: { oneline: true, limit: 5 },
  inFull: false,
  limit: GIT_LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts: (args) => gitFacts('log', args, pathOf(args)),
  run,
};
