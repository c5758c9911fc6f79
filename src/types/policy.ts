/** Verdicts, rules and modes: the words of the one gate. */
import type { JsonObject } from './json.js';
import type { Reason } from './reason.js';
import type { ErrorCode, Facts, ToolCall } from './tool.js';
import type { Located } from './workspace.js';

export type { Reason } from './reason.js';

export type PermissionMode = 'default' | 'accept-edits' | 'plan' | 'auto';
export const PERMISSION_MODES: readonly PermissionMode[] = ['default', 'accept-edits', 'plan', 'auto'];

export type RuleAction = 'allow' | 'deny' | 'ask';

export interface Rule {
  readonly pattern: string;
  /** As a person wrote it, where `pattern` spells it out. */
  readonly written?: string;
  readonly action: RuleAction;
  /** Where it came from: a file path, `--allow`, `--deny`, `session`. */
  readonly origin: string;
}

export interface RuleSet {
  readonly rules: readonly Rule[];
  /** A broken file: what it might have denied is denied. Says which file and why. */
  readonly broken: readonly { readonly file: string; readonly reason: string }[];
  /** Rules that were read and do not count. */
  readonly idle?: readonly IdleRule[];
  /** What is odd about the files although they can be used. */
  readonly doubts?: readonly RuleDoubt[];
}

/** A rule, or a file, that says less than it seems to. */
export interface RuleDoubt {
  readonly origin: string;
  readonly rule?: Rule;
  readonly why: Reason;
}

/** A rule that is not in force. `replaced`: a trusted project file without `merge` stands in its place. */
export interface IdleRule {
  readonly rule: Rule;
  readonly why: 'untrusted' | 'changed' | 'replaced';
}

export type Verdict = 'allow' | 'ask' | 'immune' | 'deny';

/** The decision on one call, always with its reason. `step` is the number in product.md 5. */
export interface Decision {
  readonly verdict: Verdict;
  readonly step: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** One English sentence, for the model. */
  readonly reason: string;
  /** The same for people, in whatever language they read. */
  readonly why?: Reason;
  readonly rule?: Rule;
  /** The simple command or path that decided. */
  readonly part?: string;
  /** The code of the result when the call is not run. */
  readonly code: ErrorCode;
}

/** A call with all that the decision needs; paths already resolved. */
export interface Judged {
  readonly call: ToolCall;
  readonly facts: Facts;
  readonly reads: readonly Located[];
  readonly writes: readonly Located[];
}

export interface PolicyContext {
  readonly rules: RuleSet;
  readonly mode: PermissionMode;
  readonly home: string;
  readonly root: string;
  readonly roots: readonly string[];
  /** Operator's own configuration only; lifts the dangerous list. */
  readonly allowUnsafe: boolean;
  /** The shell that runs commands here; bash when absent. With `sh` everything that is not plain POSIX asks. */
  readonly shell?: 'bash' | 'sh';
  /** Resolves a path a shell command names. */
  locate(path: string): Located;
  /** Did a person agree in this session that this very call goes without the sandbox, or with the SSH agent? */
  agreed?(judged: Judged): boolean;
  /** What the repository of the workspace, or of a folder in it, makes programs do; see workspace/repository-traits.ts. */
  traits?(dir?: string): RepositoryFacts;
  /** Is there a personal file below this absolute folder, as far as a bounded look can tell? */
  holdsPersonal?(dir: string): boolean;
  /** Likewise a personal file that compilers read: `keys.env.ts`. */
  holdsPersonalCode?(dir: string): boolean;
  /** The first link below a folder that leads to a personal or system file, within bounds. */
  personalLink?(dir: string): string | undefined;
}

/** `gitRuns`: the setting or hook for which git may run a program. `npmrc`: npm is set up by the repository. */
export interface RepositoryFacts {
  readonly gitRuns?: string | undefined;
  readonly npmrc?: boolean;
}

/** The one pure decision: same input, same verdict. Never throws. */
export type Policy = (judged: Judged, context: PolicyContext) => Decision;

export type Answer = 'yes' | 'always' | 'no' | 'never' | 'stopped';

/** What a person made of a call at the question: it is judged again, as a new call of the same tool. */
export interface ChangedCall {
  readonly args: JsonObject;
  /** What was changed, for the model: stable English. */
  readonly note: string;
}

/** An answer with more to it; `changed` counts with `yes` alone. */
export interface FullAnswer {
  readonly answer: Answer;
  readonly changed?: ChangedCall | undefined;
}

export interface Question {
  readonly call: ToolCall;
  readonly facts: Facts;
  readonly decision: Decision;
  readonly agent: string;
  readonly task: string;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** How many other questions wait behind this one now; absent: not known. */
  waiting?(): number;
}

/** The port that answers an ask. One question at a time; the gate sees to it. */
export interface Approver {
  /** False: nobody can be asked; an ask is a denial. */
  readonly canAsk: boolean;
  /** Set when it depends on the decision; replaces `canAsk`. */
  canAskFor?(decision: Decision): boolean;
  ask(question: Question, options: AskOptions): Promise<Answer | FullAnswer>;
}
