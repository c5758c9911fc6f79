/** How a command ended, in the words of results. */
import { constants } from 'node:os';
import type { ErrorCode } from '../types/tool.js';
import type { CommandOutcome } from './command-types.js';

const seconds = (ms: number): string => (ms / 1000).toFixed(ms < 1000 ? 2 : ms < 10_000 ? 1 : 0);

/** The number a shell would report for a death by signal: 128 and the signal's own. */
function signalExit(signal: string): number {
  return 128 + ((constants.signals as Record<string, number | undefined>)[signal] ?? 0);
}

/** ` (as after signal KILL)` for an exit code that a shell or a sandbox made of a death by signal; otherwise empty. */
export function signalHint(exitCode: number): string {
  if (exitCode <= 128) return '';
  const found = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return found === undefined ? '' : ` (as after signal ${found.replace(/^SIG/, '')})`;
}

/** The code of a result; undefined when the command ended with 0. */
export function endCode(outcome: CommandOutcome): ErrorCode | undefined {
  if (outcome.aborted) return 'Aborted';
  if (outcome.timedOut) return 'Timeout';
  if (outcome.signal !== undefined) return `ExitCode:${signalExit(outcome.signal)}`;
  if (outcome.exitCode === 0) return undefined;
  return outcome.exitCode === null ? 'Failed' : `ExitCode:${outcome.exitCode}`;
}

/** One line: `exit code: 1, 0.2 s`. `limitSeconds` is the deadline that was set. */
export function describeEnd(outcome: CommandOutcome, limitSeconds: number): string {
  if (outcome.aborted) return `stopped after ${seconds(outcome.ms)} s (aborted)`;
  if (outcome.timedOut) return `killed after ${limitSeconds} s (timeout; the flag timeout gives it more seconds)`;
  if (outcome.signal !== undefined)
    return `killed by signal ${outcome.signal.replace(/^SIG/, '')} (exit code ${signalExit(outcome.signal)}), ${seconds(outcome.ms)} s`;
  const hint = outcome.sandbox === undefined ? '' : signalHint(outcome.exitCode ?? 0);
  return `exit code: ${outcome.exitCode ?? 'unknown'}${hint}, ${seconds(outcome.ms)} s`;
}
