/** The work of `@coder test`, loaded by the first call: the runner of a project, or the command that was given. */
import { isWithin } from '../../process/git-place.js';
import type { JsonObject } from '../../types/json.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { detectRunners } from './detect.js';
import { findTestFiles } from './find-test-files.js';
import type { Selection } from './plan.js';
import { readProject } from './project.js';
import { runTests } from './run-tests.js';

const textOf = (args: JsonObject, name: string): string | undefined => (typeof args[name] === 'string' ? args[name] : undefined);

function checkCommand(command: string, pattern: string | undefined): void {
  if (command.trim() === '' || command.includes('\0'))
    throw new ToolFault('InvalidArgs', 'cmd is empty or holds a NUL character; leave it out to let the tests be found');
  if (pattern !== undefined)
    throw new ToolFault('InvalidArgs', 'cmd and pattern exclude each other: name the test files in cmd, or leave cmd out');
}

/** `usualSeconds` counts where the call names no time. Throws ToolFault. */
export async function runFound(args: JsonObject, context: ToolContext, usualSeconds: number): Promise<ToolResult> {
  const folder = await context.workspace.directory(textOf(args, 'dir') ?? '.');
  const seconds = typeof args['timeout'] === 'number' ? args['timeout'] : usualSeconds;
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
