/** Commands that run in the background: what is told of them, and the port through which tools reach them. */
import type { SandboxPort, SandboxReport } from './sandbox.js';

export interface JobStart {
  readonly command: string;
  /** Real path of the folder it starts in. */
  readonly cwd: string;
  /** Free of provider keys. */
  readonly env: Readonly<Record<string, string>>;
  /** True: it outlives us, and later processes in the same workspace find it again. */
  readonly keep: boolean;
  /** Milliseconds until it is ended; without it, it runs until it or the run ends. Not for kept jobs. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Where it runs; without, it can do whatever we can. */
  readonly sandbox?: Pick<SandboxPort, 'confine'>;
  /** The SSH agent is passed into the sandbox. */
  readonly agent?: boolean;
}

export interface JobInfo {
  readonly id: string;
  readonly command: string;
  /** Folder it was started in. */
  readonly dir: string;
  readonly keep: boolean;
  /** `lost`: it is gone and nobody saw how it ended (the machine went down, or its supervisor was killed). */
  readonly state: 'running' | 'ended' | 'lost';
  /** As a shell reports it: 128 and the signal's number after a death by signal. */
  readonly exitCode?: number;
  /** Set when we ended it. */
  readonly endedBy?: 'kill' | 'timeout';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Number of its process group; only for people to read. */
  readonly pid: number;
  /** Processes it left behind that still run although its command has ended. */
  readonly leftover: readonly number[];
  readonly logFile: string;
  /** Bytes of output so far in the log. */
  readonly logBytes: number;
  /** Set when the log reached its cap and holds only so many bytes. */
  readonly logEndedAt?: number;
}

/** Which part of the output: what came since the last look, everything, or the last lines. */
export type JobPart = { readonly kind: 'new' } | { readonly kind: 'all' } | { readonly kind: 'tail'; readonly lines: number };

export interface JobLook {
  readonly info: JobInfo;
  /** The part asked for, or its beginning when it is long. Without control sequences. */
  readonly output: string;
  /** Its end when something in the middle was left out. */
  readonly outputEnd: string;
  readonly omittedBytes: number;
  /** Bytes before the part that is shown. */
  readonly before: number;
  /** What the sandbox did to it; not known of kept jobs of other runs. */
  readonly sandbox?: SandboxReport;
}

/** All jobs of one run, and the kept ones of the workspace. Faults are ToolFaults; an unknown id is `NotFound`. */
export interface Jobs {
  /** Starts a command and watches it for a moment: one that ends at once comes back as ended. Throws when too many run. */
  start(options: JobStart): Promise<JobInfo>;
  list(): Promise<readonly JobInfo[]>;
  /** Reads output; waits for the end of the job first, at most `waitMs`. */
  look(id: string, part: JobPart, options: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<JobLook>;
  /** Asks it and all it started to end, kills what does not within two seconds. Gives how it stands afterwards. */
  kill(id: string, options: { readonly signal: AbortSignal }): Promise<JobInfo>;
  /** Takes an ended job off the list, with its log. */
  forget(id: string): Promise<void>;
}
