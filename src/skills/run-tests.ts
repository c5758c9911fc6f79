/** `run-tests`: runs the tests of the project with its own runner and tells the failing ones apart. */
import type { JsonObject } from '../types/json.js';
import type { ScriptContext, ScriptOutcome, ScriptSkill, ScriptStatus } from '../types/skill.js';
import type { ToolResult } from '../types/tool.js';
import { DIR, dirOf, ECOSYSTEM, numberOf, SECONDS, textOf } from './shared/args.js';
import { statusOfFault } from './shared/fault.js';
import { tidyPath } from './shared/paths.js';
import { findProjects, type Project, projectData, projectNotes, TREE_TOOL } from './shared/project.js';
import { READ_TOOL } from './shared/read-whole.js';
import { bounded, fenced, tailOf } from './shared/report.js';

const TEST_TOOL = '@coder test';
const MOST_TEXT = 24_000;

interface Failure {
  readonly name: string;
  readonly message: string;
}

interface Run {
  readonly dir: string;
  readonly status: ScriptStatus;
  /** First line: runner, counts, how it ended. */
  readonly head: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly code: string | null;
  readonly command: string | null;
  readonly failures: readonly Failure[];
  readonly notes: readonly string[];
  readonly output: string;
}

/** The entries below `Failing tests:` or `The build failed, …:`; a message is indented by three. */
function failuresIn(lines: readonly string[]): Failure[] {
  const failures: { name: string; message: string }[] = [];
  for (const line of lines) {
    const entry = /^\d+\. (.*)$/.exec(line);
    const last = failures.at(-1);
    if (entry) failures.push({ name: entry[1] ?? '', message: '' });
    else if (last && line.startsWith('   ')) last.message += `${last.message === '' ? '' : '\n'}${line.slice(3)}`;
    else break;
  }
  return failures;
}

function runOf(dir: string, result: ToolResult): Run {
  const text = result.output.replace(/^(?:note: [^\n]*\n)+/, '');
  const [head = '', ...rest] = text.split('\n');
  const start = rest.findIndex(
    (line) => line === 'Failing tests:' || line.startsWith('The build failed, so that no test could run:'),
  );
  const outputAt = rest.findIndex((line) => line.startsWith('Output of '));
  const before = outputAt === -1 ? rest : rest.slice(0, outputAt);
  const display = result.display?.kind === 'tests' ? result.display : undefined;
  const isMissing = result.code === 'NotFound' || /is not installed \(not in PATH\)/.test(text);
  const status = !result.isError ? 'ok' : isMissing ? 'not-available' : display ? 'failed' : statusOfFault(result);
  return {
    dir,
    status,
    head: head.trim(),
    passed: display?.passed ?? 0,
    failed: display?.failed ?? 0,
    skipped: display?.skipped ?? 0,
    code: result.code ?? null,
    command: display?.command ?? null,
    failures: start === -1 ? [] : failuresIn(rest.slice(start + 1)),
    notes: before.filter((line) => line.startsWith('note: ')).map((line) => line.slice(6)),
    output: outputAt === -1 ? before.join('\n') : rest.slice(outputAt + 1).join('\n'),
  };
}

const WORDS: Record<ScriptStatus, string> = {
  ok: 'PASSED',
  failed: 'FAILED',
  'not-available': 'NOT AVAILABLE',
  denied: 'DENIED',
};

function runText(run: Run): string {
  const failures = run.failures
    .slice(0, 60)
    .map(({ name, message }) => `- ${name}${message === '' ? '' : `\n${fenced(bounded(message, 1500))}`}`);
  const rest = run.failures.length > 60 ? [`... and ${run.failures.length - 60} more`] : [];
  const output =
    run.status === 'failed' && run.output.trim() !== ''
      ? [`Output of ${run.command ?? 'the tests'}:`, fenced(tailOf(run.output, 5000))]
      : [];
  return [
    `## ${run.dir === '.' ? 'tests' : run.dir}: ${WORDS[run.status]}`,
    run.head,
    ...run.notes.map((note) => `Note: ${note}`),
    ...failures,
    ...rest,
    ...output,
  ].join('\n');
}

/** Where tests are: the folder itself, or the projects below it when it has none of its own. */
async function runAll(
  args: JsonObject,
  context: ScriptContext,
): Promise<{ runs: Run[]; projects: readonly Project[]; notes: string[] }> {
  const pattern = textOf(args, 'pattern');
  const more = { timeout: numberOf(args, 'timeout') ?? 600, ...(pattern !== undefined && { pattern }) };
  const dir = dirOf(args);
  const only = textOf(args, 'ecosystem');
  const found = await findProjects(context, dir, only);
  if (found.fault) return { runs: [runOf(dir, found.fault)], projects: [], notes: [] };
  // A folder of several projects has no runner of its own: loose test files in one of them must not stand for all.
  const isBelow = found.taken.length > 0 && found.taken.every(({ at, dir: own }) => at === own && tidyPath(dir) !== own);
  if (only !== undefined || isBelow) return { ...(await runEach(found.taken, more, context)), notes: projectNotes(found) };
  return { runs: [runOf(dir, await context.call(TEST_TOOL, { dir, ...more }))], projects: found.taken, notes: [] };
}

async function runEach(
  projects: readonly Project[],
  more: JsonObject,
  context: ScriptContext,
): Promise<{ runs: Run[]; projects: readonly Project[] }> {
  const runs: Run[] = [];
  const seen = new Set<string>();
  for (const { at } of projects) {
    if (seen.has(at) || context.signal.aborted) continue;
    seen.add(at);
    runs.push(runOf(at, await context.call(TEST_TOOL, { dir: at, ...more })));
  }
  return { runs, projects };
}

function statusOfRuns(runs: readonly Run[]): ScriptStatus {
  for (const status of ['failed', 'denied', 'ok'] as const) if (runs.some((run) => run.status === status)) return status;
  return 'not-available';
}

async function run(args: JsonObject, context: ScriptContext): Promise<ScriptOutcome> {
  const { runs, projects, notes } = await runAll(args, context);
  const status = statusOfRuns(runs);
  const sum = (pick: (run: Run) => number) => runs.reduce((total, one) => total + pick(one), 0);
  const counts = { passed: sum((one) => one.passed), failed: sum((one) => one.failed), skipped: sum((one) => one.skipped) };
  const open = runs.filter((one) => one.status === 'not-available').map((one) => one.dir);
  const head =
    runs.length === 0
      ? 'NOT AVAILABLE: no such project was found'
      : runs.length === 1
        ? `${WORDS[status]}: ${runs[0]?.head ?? ''}`
        : `${WORDS[status]}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${runs.length} projects${open.length > 0 ? `; no tests could be run in ${open.join(', ')}` : ''}`;
  const text = [
    `**run-tests: ${bounded(head, 2000)}**`,
    ...notes.map((note) => `Note: ${note}`),
    ...runs.map((one) => `\n${runText(one)}`),
  ].join('\n');
  const data: JsonObject = {
    script: 'run-tests',
    status,
    head: bounded(head, 1000),
    ...counts,
    failures: runs.flatMap((one) => one.failures.slice(0, 500).map((failure) => ({ ...failure, dir: one.dir }))),
    runs: runs.map(({ dir, status: state, head: line, passed, failed, skipped, code, command }) => ({
      dir,
      status: state,
      head: line,
      passed,
      failed,
      skipped,
      code,
      command,
    })),
    projects: projectData(projects),
  };
  return { status, text: `${bounded(text, MOST_TEXT)}\n`, data };
}

/** Data: `passed`, `failed`, `skipped`, `failures[]` {name, message, dir}, `runs[]` one a project. No tests are never a green run. */
export const runTests: ScriptSkill = {
  name: 'run-tests',
  summary: 'Runs the tests with their own runner; counts, failing tests, messages',
  schema: {
    type: 'object',
    properties: {
      dir: DIR,
      pattern: { type: 'string', minLength: 1, description: 'Glob over test files: "*_test.go"' },
      ecosystem: ECOSYSTEM,
      timeout: SECONDS,
    },
    additionalProperties: false,
  },
  example: { dir: '.' },
  calls: [TEST_TOOL, TREE_TOOL, READ_TOOL],
  readOnly: false,
  run,
};
