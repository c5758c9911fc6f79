/** What is asked of a command and what is told about it. */
import type { Confinement, SandboxPort, SandboxReport } from '../types/sandbox.js';

interface CommonOptions {
  readonly cwd: string;
  /** Already free of provider keys; made quiet here. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds until the whole group is ended; none by default. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Milliseconds between asking (TERM) and killing (KILL) at the deadline; 2000 by default. */
  readonly graceMs?: number;
  /** Live text for people: cleaned, in batches, not complete when much is printed. */
  readonly onOutput?: (text: string) => void;
  /** Bytes of output kept in memory, half from each end; 256 KiB by default. */
  readonly keepBytes?: number;
  /** The whole output goes to this new file once it is longer than `logAbove` bytes (default: `keepBytes`). */
  readonly logFile?: string;
  readonly logAbove?: number;
  /** Bytes the log may hold; 256 MiB by default. */
  readonly logCap?: number;
  /** `split` keeps standard error out of the output; `merged` (default) keeps the order of writing. */
  readonly streams?: 'merged' | 'split';
  /** What it left running is ended with it, whatever group it is in. */
  readonly endsAll?: boolean;
  /** The program is known to leave no process behind: ending us needs no search for it. */
  readonly contained?: boolean;
  /** Where a command line that is too long for an argument is put; by default the folder for temporary files. */
  readonly scripts?: string;
  /** With `split`: the same for standard error; without it, what goes there is not shown live. */
  readonly onErrorOutput?: (text: string) => void;
  /** With `split`: bytes of standard error kept in memory, half from each end; 32 KiB by default. */
  readonly keepErrorBytes?: number;
  /** Leaves NULs and control sequences in the output, for programs that are read field by field. */
  readonly rawText?: boolean;
  /** Where it runs; without, it can do whatever we can. */
  readonly sandbox?: Pick<SandboxPort, 'confine'>;
  readonly confine?: Pick<Confinement, 'readOnly' | 'nothingLasts' | 'agent' | 'readable'> & { readonly tied?: boolean };
}

/** A command line for the shell, or a program with its arguments. */
export type CommandOptions = CommonOptions &
  ({ readonly command: string } | { readonly file: string; readonly args: readonly string[] });

export interface CommandOutcome {
  /** Null when a signal, the deadline or an abort ended it. */
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Milliseconds from the start to the end of the first process. */
  readonly ms: number;
  /** All output, or its beginning when `omittedBytes` is not 0. Without control sequences unless `rawText`. */
  readonly output: string;
  /** The end of the output when something in the middle was left out. */
  readonly outputEnd: string;
  readonly omittedBytes: number;
  readonly totalBytes: number;
  /** With `split`: what went to standard error (its two ends). */
  readonly errorOutput: string;
  /** With `split`: bytes between the two ends of standard error that were left out. */
  readonly errorOmittedBytes?: number;
  /** Set when the output is on disk: all of it, or its first `logEndedAt` bytes. */
  readonly logFile?: string;
  /** Set when the log reached its cap: the bytes of output it holds. */
  readonly logEndedAt?: number;
  /** Processes that still ran when the command had ended. They end with us; `killAllChildren` ends them sooner. */
  readonly leftover: readonly number[];
  /** Set when it ran in a sandbox; its exit code is then 128 and the signal's number after a death by signal. */
  readonly sandbox?: SandboxReport;
}
