/** `@coder test`: finds out how a project is tested, runs it, and leads with what failed. */
import type { JsonObject } from '../../types/json.js';
import type { Tool } from '../../types/tool.js';

const LIMIT = 30_000;
const DEFAULT_SECONDS = 30;
const LONGEST_SECONDS = 86_400;

const textOf = (args: JsonObject, name: string): string | undefined => (typeof args[name] === 'string' ? args[name] : undefined);

/** A red run is an error with the runner's exit code; a run without tests is `NotFound`. */
export const testTool: Tool = {
  name: '@coder test',
  native: 'test',
  aliases: ['run_tests', 'run_test'],
  summary: 'Runs the tests with their own runner; reports counts and failures',
  schema: {
    type: 'object',
    properties: {
      dir: { type: 'string', default: '.', description: 'Folder whose tests are run' },
      pattern: { type: 'string', minLength: 1, description: 'Glob over test files: "*_test.go", "test/api/**"' },
      timeout: {
        type: 'number',
        minimum: 0.1,
        maximum: LONGEST_SECONDS,
        default: DEFAULT_SECONDS,
        description: 'Seconds until it is killed',
      },
      cmd: { type: 'string', minLength: 1, description: 'Shell command to run instead of the runner found' },
    },
    additionalProperties: false,
  },
  fieldAliases: { command: 'cmd', path: 'dir', file: 'pattern', files: 'pattern', cwd: 'dir', workdir: 'dir' },
  positional: ['dir'],
  example: { pattern: '*.test.ts', timeout: 120 },
  inFull: true,
  limit: LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts: (args) => {
    const dir = textOf(args, 'dir') ?? '.';
    const [command, pattern] = [textOf(args, 'cmd'), textOf(args, 'pattern')];
    return {
      readOnly: false,
      reads: [dir],
      writes: [],
      order: 'alone',
      label: { verb: 'test', object: (command ?? pattern ?? dir).split('\n')[0]?.slice(0, 100) ?? dir },
      ...(command === undefined ? {} : { command }),
    };
  },
  run: async (args, context) => (await import('../runners/run-found.js')).runFound(args, context, DEFAULT_SECONDS),
};
