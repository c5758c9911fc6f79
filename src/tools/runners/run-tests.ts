/** Runs tests and says what came of them: counts and failures first, then the output. */

import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CommandOutcome } from '../../process/command-types.js';
import { fitOutput, fitsWhole } from '../../process/fit-output.js';
import { describeEnd, endCode } from '../../process/outcome-text.js';
import { runCommand } from '../../process/run-command.js';
import { settleText } from '../../process/settle-text.js';
import type { ErrorCode, ToolContext, ToolResult } from '../../types/tool.js';
import { counted } from '../shared/counted.js';
import { sandboxText } from '../shared/sandbox-text.js';
import { listFiles } from './find-test-files.js';
import type { TestPlan } from './plan.js';
import { readBuildErrors } from './report/build-errors.js';
import { readJunitXml } from './report/compiled.js';
import { readReport } from './report/read-report.js';
import { NOTHING, reportLines, type TestFailure, type TestReport } from './report/report.js';

const KEEP_BYTES = 4 * 1024 * 1024;
/** Characters of raw output below the counts: little is needed when all is well. */
const GREEN_OUTPUT = 4000;
const RED_OUTPUT = 12_000;
const FAILURES_CHARS = 12_000;

/** A program with arguments, or a shell command line the caller gave. */
export type TestRun = (TestPlan | { readonly title: string; readonly command: string; readonly cwd: string }) & {
  readonly seconds: number;
};

/** Counts of reports written during the run, for runners that print none when all is well. */
function xmlReport(below: string, since: number): TestReport | undefined {
  const files = listFiles(below, (path) => /(^|\/)build\/test-results\/.+\.xml$/.test(path)).map((path) => join(below, path));
  const fresh = files.filter((file) => statSync(file).mtimeMs >= since - 1000);
  return fresh.length === 0 ? undefined : { ...NOTHING, ...readJunitXml(fresh.map((file) => readFileSync(file, 'utf8'))) };
}

function failureLines(failures: readonly TestFailure[]): string {
  let text = '';
  let shown = 0;
  for (const { name, message } of failures) {
    const entry = `${shown + 1}. ${name}\n${message === '' ? '' : `${message.replace(/^/gm, '   ')}\n`}`;
    if (text.length + entry.length > FAILURES_CHARS) break;
    text += entry;
    shown += 1;
  }
  const rest = failures.length - shown;
  return `${text}${rest > 0 ? `... and ${rest} more\n` : ''}`;
}

/** Failing tests, or why there could be none. */
function failuresOf(report: TestReport | undefined, code: ErrorCode | undefined, output: string): string {
  if (report !== undefined && report.failures.length > 0) return `Failing tests:\n${failureLines(report.failures)}`;
  if (code === undefined || (report !== undefined && report.passed > 0)) return '';
  const errors = readBuildErrors(reportLines(output));
  return errors.length === 0 ? '' : `The build failed, so that no test could run:\n${failureLines(errors)}`;
}

interface Verdict {
  readonly code?: ErrorCode;
  readonly counts: string;
  readonly remark: string;
}

function verdictOf(outcome: CommandOutcome, report: TestReport | undefined): Verdict {
  const code = endCode(outcome);
  if (report === undefined) return { ...(code === undefined ? {} : { code }), counts: 'no counts in the output', remark: '' };
  const { passed, failed, skipped, uncounted } = report;
  const counts = `${uncounted ?? `${passed} passed`}, ${failed} failed, ${skipped} skipped`;
  if (passed + failed + skipped === 0 && uncounted === undefined && (code === undefined || code.startsWith('ExitCode:')))
    return { code: 'NotFound', counts: 'no tests were run', remark: 'No tests were run: this is not a green run.\n' };
  if (code === undefined && failed > 0)
    return { code: 'Failed', counts, remark: `The exit code is 0 although ${counted(failed, 'test')} failed.\n` };
  if (code === undefined && passed === 0 && uncounted === undefined)
    return { counts, remark: 'Every test was skipped: nothing was checked.\n' };
  return { ...(code === undefined ? {} : { code }), counts, remark: '' };
}

function startRun(run: TestRun, context: ToolContext): Promise<CommandOutcome> {
  const common = {
    cwd: run.cwd,
    env: { ...context.host.childEnv, ...('env' in run ? run.env : {}) },
    signal: context.signal,
    timeoutMs: run.seconds * 1000,
    keepBytes: KEEP_BYTES,
    logFile: join(context.host.scratch, `test-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}.log`),
    logAbove: GREEN_OUTPUT,
    onOutput: (text: string) => context.progress(text),
    ...(context.host.sandbox && { sandbox: context.host.sandbox }),
  };
  return runCommand('command' in run ? { ...common, command: run.command } : { ...common, file: run.file, args: run.args });
}

/** The words a person would type. */
function shownCommand(run: TestRun): string {
  return 'command' in run ? run.command.slice(0, 300) : [basename(run.file), ...run.args].join(' ').slice(0, 300);
}

/** Runs and reports. A red run, a run without tests and one that did not end are errors. */
export async function runTests(run: TestRun, context: ToolContext, notes: readonly string[]): Promise<ToolResult> {
  const since = Date.now();
  const outcome = await startRun(run, context);
  const whole = outcome.outputEnd === '' ? outcome.output : `${outcome.output}\n${outcome.outputEnd}`;
  const read = readReport(whole);
  const report = read.report ?? ('xmlBelow' in run && run.xmlBelow !== undefined ? xmlReport(run.xmlBelow, since) : undefined);
  const { code, counts, remark } = verdictOf(outcome, report);
  const red = code !== undefined;
  const running =
    outcome.timedOut && report?.running ? `Running at that moment: ${report.running.slice(0, 10).join(', ')}\n` : '';
  const head = `${run.title}: ${counts} - ${describeEnd(outcome, run.seconds)}\n${remark}${running}`;
  const failures = failuresOf(report, code, whole);
  const extra = [...notes, ...('notes' in run ? (run.notes ?? []) : [])].map((note) => `note: ${note}\n`).join('');
  const left =
    outcome.leftover.length === 0
      ? ''
      : `still running in the background: pid ${outcome.leftover.slice(0, 20).join(', ')} (ends with this run)\n`;
  const shown = { ...outcome, output: settleText(read.text), outputEnd: '' };
  const room = red ? RED_OUTPUT : GREEN_OUTPUT;
  const fitted = fitOutput(shown, room);
  if (outcome.logFile !== undefined && fitsWhole(shown, room) && outcome.leftover.length === 0)
    rmSync(outcome.logFile, { force: true });
  const body = outcome.totalBytes === 0 ? '(no output)' : fitted.replace(/\s+$/, '');
  const { passed, failed, skipped } = report ?? NOTHING;
  const sandbox = sandboxText(outcome.sandbox, context.host.sandbox);
  return {
    output: `${head}${failures}${extra}${left}${sandbox}Output of ${shownCommand(run)}\n${body}`,
    isError: red,
    ...(code === undefined ? {} : { code }),
    display: { kind: 'tests', command: shownCommand(run), passed, failed, skipped, ok: !red },
  };
}
