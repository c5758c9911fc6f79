/** `@coder test`: finds out how a project is tested, runs it, and leads with what failed. */
import { isWithin } from '../../process/git-place.js';
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { detectRunners } from '../runners/detect.js';
import { findTestFiles } from '../runners/find-test-files.js';
import type { Selection } from '../runners/plan.js';
import { readProject } from '../runners/project.js';
import { runTests } from '../runners/run-tests.js';

const LIMIT = 30_000;
const DEFAULT_SECONDS = 30;
const LONGEST_SECONDS = 86_400;

const textOf = (args: JsonObject, name: string): string | undefined => (typeof args[name] === 'string' ? args[name] : undefined);

function checkCommand(command: string, pattern: string | undefined): void {
  if (command.trim() === '' || command.includes('\0'))
    throw new ToolFault('InvalidArgs', 'cmd is empty or holds a NUL character; leave it out to let the tests be found');
  if (pattern !== undefined)
    throw new ToolFault('InvalidArgs', 'cmd and pattern exclude each other: name the test files in cmd, or leave cmd out');
}

async function run(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const folder = await context.workspace.directory(textOf(args, 'dir') ?? '.');
  const seconds = typeof args['timeout'] === 'number' ? args['timeout'] : DEFAULT_SECONDS;
  const [command, pattern] = [textOf(args, 'cmd'), textOf(args, 'pattern')];
  if (command !== undefined) {
    checkCommand(command, pattern);
    return runTests({ title: 'given command', command, cwd: folder.real, seconds }, context, []);
  }
  const root = context.workspace.roots.find((candidate) => isWithin(candidate, folder.real)) ?? folder.real;
  const { childEnv: env, sandbox } = context.host;
  const project = readProject(folder.real, root, { env, signal: context.signal, ...(sandbox && { sandbox }) });
  const [runner, ...others] = detectRunners(project);
  const selection: Selection =
    pattern === undefined
      ? { kind: 'all' }
      : { kind: 'files', files: await findTestFiles(folder.real, pattern, (path) => runner.isTestFile(path)) };
  const plan = await runner.plan(selection);
  const notes =
    others.length === 0
      ? []
      : [`other tests here were not run: ${others.map((other) => other.name).join(', ')} (cmd or dir chooses them)`];
  return runTests({ ...plan, seconds }, context, notes);
}

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
  run,
};
