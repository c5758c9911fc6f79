/** The sandbox as those see it who start programs: one port, and what it says afterwards. */

/** A program as it would be started without a sandbox. */
export interface ProgramStart {
  /** Absolute path, or a name for PATH. */
  readonly file: string;
  readonly args: readonly string[];
  /** Real path. */
  readonly cwd: string;
  /** False: it is not started in a session of its own, so the sandbox makes one. */
  readonly ownSession: boolean;
  /** Ends at once when the process that started it ends; nothing it leaves in the background outlives it. */
  readonly tied?: boolean;
}

/** How one program is confined, besides the rules of the session. */
export interface Confinement {
  /** Environment of this program. */
  readonly env: Readonly<Record<string, string>>;
  /** The workspace is read-only: linters, language servers. */
  readonly readOnly?: boolean;
  /** With `readOnly`: home and caches are read-only too, temporary folders are its own and gone when it ends. */
  readonly nothingLasts?: boolean;
  /** The SSH agent is passed. */
  readonly agent?: boolean;
  /** Folders to show besides those of the session. */
  readonly readable?: readonly string[];
}

export interface ConfinedEnd {
  readonly output: string;
  readonly exitCode: number | null;
  readonly command?: string;
  readonly cwd: string;
  /** Something it started still runs. */
  readonly runsOn: boolean;
}

/** What the sandbox did to one program. */
export interface SandboxReport {
  /** What it was about, and one English sentence. */
  readonly refusal?: { readonly kind: string; readonly text: string };
  /** One English sentence for each file that was removed because it would redirect git. */
  readonly planted: readonly string[];
}

/** A program inside its sandbox. `handles` must stand in its `stdio` from index 3 on, in this order; `release` closes ours. */
export interface ConfinedStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly handles: readonly number[];
  release(): void;
  /** What became of it; also puts right what must not stay. May be asked again while something of it runs on. Never throws. */
  report(end: ConfinedEnd): SandboxReport;
  /** Nothing of it runs any more, or it was never started, and nobody asks for a report. What is found is said with the next one. */
  ended(): void;
}

/** The sandbox of a session. */
export interface SandboxPort {
  /** A person is there who can agree to a command without sandbox. */
  readonly canOffer: boolean;
  /** False: `confine` lets programs run without one. Tried once. Absent where that is not known. Never throws. */
  inForce?(): Promise<boolean>;
  /** The program inside the sandbox; undefined: it runs without one. Throws ToolFault `Blocked` when it must not run. */
  confine(program: ProgramStart, use: Confinement): Promise<ConfinedStart | undefined>;
}
