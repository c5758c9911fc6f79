/** The one contract of everything a model can call. */
import type { RunOutcome } from './agent.js';
import type { Jobs } from './job.js';
import type { Json, JsonObject, ObjectSchema } from './json.js';
import type { LanguageServers } from './language.js';
import type { SandboxPort } from './sandbox.js';
import type { Workspace } from './workspace.js';

/** A call after all accepted shapes became one. Policy, locks, caps and tools see only this. Made only by `protocol`. */
export interface ToolCall {
  readonly id: string;
  /** Canonical name: `@coder write`, `@read`, `@todo`. */
  readonly tool: string;
  /** Flat arguments with canonical field names, valid against the tool's schema once checked. */
  readonly args: JsonObject;
  readonly source: 'tag' | 'native' | 'user';
  readonly agent: string;
  /** What was repaired or decoded on the way, told to the model with the result. */
  readonly notes?: readonly string[];
}

/** The closed list of result codes, besides errno names such as `ENOENT`. */
export type ErrorCode =
  | 'InvalidArgs'
  | 'NotFound'
  | 'OutsideWorkspace'
  | 'Sensitive'
  | 'Stale'
  | 'Conflict'
  | 'Blocked'
  | 'Denied'
  | 'Timeout'
  | 'Aborted'
  | 'Failed'
  | `ExitCode:${number}`
  | `E${Uppercase<string>}`;

export interface SearchHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** One file as an edit left it. `before` undefined: created; `after` undefined: deleted. Long texts may be left out. */
export interface FileChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  readonly added: number;
  readonly removed: number;
}

export interface PlanTask {
  readonly id: number;
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed';
  readonly error?: string;
  readonly attempts: number;
}

/** A result as data for screens; never terminal codes. The screen has one card per kind. */
export type Display =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly from: number; readonly to: number; readonly total: number }
  | { readonly kind: 'diff'; readonly changes: readonly FileChange[] }
  | { readonly kind: 'tree'; readonly root: string; readonly entries: number }
  | { readonly kind: 'matches'; readonly hits: readonly SearchHit[]; readonly more: boolean }
  | {
      readonly kind: 'process';
      readonly command: string;
      readonly exitCode: number | null;
      readonly signal?: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'tests';
      readonly command: string;
      readonly passed: number;
      readonly failed: number;
      readonly skipped: number;
      readonly ok: boolean;
    }
  | { readonly kind: 'plan'; readonly tasks: readonly PlanTask[] };

export interface ToolResult {
  /** What the model reads. Stable English, capped by the tool's limit. */
  readonly output: string;
  readonly isError: boolean;
  readonly code?: ErrorCode;
  readonly display?: Display;
  /** Real paths of files this call changed. */
  readonly changed?: readonly string[];
  /** Milliseconds; filled by the loop. */
  readonly ms?: number;
  /** What a worker's run came to, so that its denials and its cost count for the run that called it. */
  readonly worker?: RunOutcome;
  /** An image or document for models that can see it. `data` is base64. */
  readonly attachment?: { readonly mediaType: string; readonly data: string };
}

/** What a call would do, computed from its arguments alone. The gate judges it; the loop orders calls by it. */
export interface Facts {
  readonly readOnly: boolean;
  /** The calls it makes may change something; each of them passes the gate itself. Never set beside `readOnly: false`. */
  readonly changes?: boolean;
  /** Paths as given (relative to the workspace or absolute). */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** `overlap`: only paths order it; `tree`: waits for earlier writers (tree, search); `alone`: waits for all, holds all. */
  readonly order: 'overlap' | 'tree' | 'alone';
  /** For people: a verb that stands in the catalogues, and its object ("Reading", "main.go"). */
  readonly label: { readonly verb: LabelVerb; readonly object: string };
  /** The shell command line, when the call runs one the model wrote. */
  readonly command?: string;
  /** Set for calls the mode `accept-edits` agrees to: file tools, rollback, clean, checkpoint. */
  readonly edits?: boolean;
  /** Another program than ours does it, so it is asked about also where it seems to read only. */
  readonly foreign?: boolean;
  /** The workspace is recorded before it: edits and commands, not what tests, restores or tidies. */
  readonly snapshot?: boolean;
}

export type LabelVerb =
  | 'read'
  | 'write'
  | 'patch'
  | 'list'
  | 'search'
  | 'run'
  | 'test'
  | 'restore'
  | 'git'
  | 'plan-write'
  | 'plan-list'
  | 'plan-mark'
  | 'agent'
  | 'call';

/** The plan of one run; `@todo` reads and replaces it. */
export interface PlanStore {
  get(): readonly PlanTask[];
  set(tasks: readonly PlanTask[]): void;
}

/** What tools may know about the machine they run on. Built once by the composition root. */
export interface Host {
  /** Environment for child processes, provider keys removed. */
  readonly childEnv: Readonly<Record<string, string>>;
  /** Environment for `$VAR` in path arguments (same as childEnv). */
  readonly home: string;
  /** Folder for spill files and whole logs of this session; exists, mode 0700. */
  readonly scratch: string;
  /** Folder of our own state, `~/.chatcli` unless moved. */
  readonly state: string;
  /** Background jobs of this run; absent where none can be started. */
  readonly jobs?: Jobs;
  /** Where commands run that the model or the workspace had a part in; absent: nothing confines them. */
  readonly sandbox?: SandboxPort;
  /** Language servers of this run; absent where there are none. */
  readonly languages?: LanguageServers;
}

/** May a call change files it did not name? `message`: for the model, nothing was changed. */
export type WriteAnswer = { readonly ok: true } | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

export interface ToolContext {
  readonly workspace: Workspace;
  readonly host: Host;
  readonly plan: PlanStore;
  readonly agent: string;
  /** What the run is for, as questions show it. */
  readonly task?: string;
  /** Id of the call. */
  readonly callId?: string;
  readonly signal: AbortSignal;
  /** Asks the gate about files a call finds out that it must change; real paths, before anything is written. Never throws. */
  mayWrite?(paths: readonly string[]): Promise<WriteAnswer>;
  /** Which of these files (real paths) a rule forbids to read: what a call found out about them must not be shown. Never throws. */
  unreadable?(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Are there files here that must not be read, by a rule or as private ones? What others say of code may hold their text. */
  hidesFiles?(): boolean;
  /** Live output for people; not what the model reads. */
  progress(text: string): void;
}

export interface Tool {
  /** Canonical name, `@coder write` or `@read`. */
  readonly name: string;
  /** Name as a native function: `write`, `read`. Absent: reached through `coder` or `call_tool` only. */
  readonly native?: string;
  /** Further names models use, as a subcommand or a function: `write_file`, `edit`. */
  readonly aliases: readonly string[];
  /** One line, under 80 characters. */
  readonly summary: string;
  readonly schema: ObjectSchema;
  /** Other spellings of fields -> field. Dashes, underscores and camel case are folded anyway. */
  readonly fieldAliases: Readonly<Record<string, string>>;
  /** Fields that words without a flag fill, in order; the last may repeat if it is an array. */
  readonly positional: readonly string[];
  /** It has a command line of its own: in whatever shape a call comes, its arguments end as the words of the list `argv`. */
  readonly words?: boolean;
  /** The field a bare string means (recovery strategy 6). */
  readonly mainField?: string;
  readonly example: JsonObject;
  /** It hands its work to an agent whose calls pass the gate themselves: agents of one reply run together. */
  readonly delegates?: boolean;
  /** Stands with its whole schema in every native request. */
  readonly inFull: boolean;
  /** Cap of the output in characters. */
  readonly limit: number;
  /** How an output over the cap is cut: `head`: the tool cuts itself; `ends`: head and tail are kept. */
  readonly cut: 'head' | 'ends';
  readonly origin: 'builtin' | 'plugin' | 'mcp';
  facts(args: JsonObject): Facts;
  /** Must not throw for anything the model can cause: such faults are results. */
  run(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}

/** A fault a tool reports by throwing from deep inside; `run-call` makes it a result. */
export class ToolFault extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'ToolFault';
    this.code = code;
  }
}

export type { Json };
