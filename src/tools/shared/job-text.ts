/** Background jobs in the words of results. */
import { cleanText } from '../../process/clean-text.js';
import { signalHint } from '../../process/outcome-text.js';
import type { JobInfo } from '../../types/job.js';
import type { ErrorCode } from '../../types/tool.js';

const LINE_CHARS = 120;

/** The first line of a command, cut to `limit` characters, with a mark when there is more. */
export function firstLine(command: string, limit: number): string {
  const lines = cleanText(command).trim().split('\n');
  const line = (lines[0] ?? '').slice(0, limit);
  const more = lines.length > 1 ? ` ... (${lines.length} lines)` : line.length < (lines[0] ?? '').length ? ' ...' : '';
  return line + more;
}

/** `0.4 s`, `12 s`, `5 min`, `3 h`, `2 d`. */
export function shownAge(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** `running`, `exit code 1`, `killed, exit code 143 (as after signal TERM)`, ... and what it left behind. */
export function jobState(info: JobInfo): string {
  const left = info.leftover.length === 0 ? '' : `; left running: pid ${info.leftover.slice(0, 10).join(', ')}`;
  if (info.state === 'running') return 'running';
  if (info.state === 'lost') return `gone, exit code unknown${left}`;
  const code = info.exitCode ?? 0;
  const by = info.endedBy === undefined ? '' : info.endedBy === 'kill' ? 'killed, ' : 'killed at its timeout, ';
  return `ended, ${by}exit code ${code}${signalHint(code)}${left}`;
}

/** Id, state, age and command on one line. */
export function jobLine(info: JobInfo, now: number): string {
  const ran = info.endedAt === undefined ? '' : ` after ${shownAge(info.endedAt - info.startedAt)}`;
  const kept = info.keep ? ', kept' : '';
  return `${info.id}  ${jobState(info)}${ran}, started ${shownAge(now - info.startedAt)} ago${kept}: ${firstLine(info.command, LINE_CHARS)}`;
}

/** The code of a result that tells how a job ended by itself; undefined while it runs and after a good end. */
export function jobCode(info: JobInfo): ErrorCode | undefined {
  if (info.state === 'running' || info.exitCode === 0) return undefined;
  return info.exitCode === undefined ? 'Failed' : `ExitCode:${info.exitCode}`;
}
