/** `exec` with `background`: the job's id, or its result when it ended before one could look. */
import { fitOutput, fitsWhole } from '../../../process/fit-output.js';
import type { JobInfo, JobStart, Jobs } from '../../../types/job.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../../types/tool.js';
import { jobCode, jobState, shownAge } from '../../shared/job-text.js';
import { sandboxText } from '../../shared/sandbox-text.js';

/** Characters of output shown of a job that ended at once. */
const OUTPUT_CHARS = 28_000;

type Start = Pick<JobStart, 'command' | 'cwd' | 'keep' | 'timeoutMs' | 'agent' | 'sandbox'>;

/** Starts it and answers within a third of a second. `echo` is the line above the answer. */
export async function startInBackground(start: Start, context: ToolContext, echo: string): Promise<ToolResult> {
  const { jobs, childEnv } = context.host;
  if (jobs === undefined) throw new ToolFault('Failed', 'background jobs are not available here: send it without background');
  const info = await jobs.start({ ...start, env: childEnv, signal: context.signal });
  if (info.state !== 'running' && info.leftover.length === 0) return endedAtOnce(jobs, info, context, echo);
  const limit = start.timeoutMs === undefined ? '' : ` or after ${start.timeoutMs / 1000} s`;
  const end = info.keep
    ? 'It is kept: it goes on after this run, and @proc of a later run in this folder finds it.'
    : `It ends with this run${limit}.`;
  const state = info.state === 'running' ? '' : `${jobState(info)}\n`;
  const output = `${echo}id: ${info.id}\nlog: ${info.logFile}\n${state}Running in the background (pid ${info.pid}). ${end} @proc ${JSON.stringify({ cmd: 'output', args: { id: info.id } })} shows its output; kill ends it.`;
  return { output, isError: false, display: { kind: 'text', text: output } };
}

async function endedAtOnce(jobs: Jobs, info: JobInfo, context: ToolContext, echo: string): Promise<ToolResult> {
  const look = await jobs.look(info.id, { kind: 'all' }, { waitMs: 0, signal: context.signal });
  const code = jobCode(info);
  const { logFile, logEndedAt } = info;
  const shown = { ...look, logFile, logEndedAt };
  const body = look.output === '' ? '(no output)\n' : fitOutput(shown, OUTPUT_CHARS);
  const ms = (info.endedAt ?? Date.now()) - info.startedAt;
  // Nothing is in the background any more; a log that was shown whole is of no use.
  if (fitsWhole(shown, OUTPUT_CHARS)) await jobs.forget(info.id);
  const sandbox = sandboxText(look.sandbox, context.host.sandbox);
  const end = `${jobState(info)}: it ended ${shownAge(ms)} after its start and is not in the background\n${sandbox}`;
  return {
    output: `${echo}${body}${body.endsWith('\n') ? '' : '\n'}${end.trimEnd()}`,
    isError: code !== undefined,
    ...(code === undefined ? {} : { code }),
    display: { kind: 'process', command: info.command, exitCode: info.exitCode ?? null, ms: Math.max(0, Math.round(ms)) },
  };
}
