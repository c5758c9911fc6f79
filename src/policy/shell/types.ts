/** The words of the shell judge: what a command line comes apart into, and what is said about each piece. */

import type { Reason, RepositoryFacts } from '../../types/policy.js';
import type { ErrorCode } from '../../types/tool.js';
import type { Located } from '../../types/workspace.js';

/** What the judge may know about the machine. */
export interface ShellEnv {
  readonly home: string;
  readonly root: string;
  readonly roots: readonly string[];
  /** Folder the command line starts in; the root when absent. */
  readonly cwd?: string;
  /** What runs the line; bash when absent. */
  readonly shell?: 'bash' | 'sh';
  locate(path: string): Located;
  /** Of the workspace, or of one folder in it. */
  traits?(dir?: string): RepositoryFacts;
  holdsPersonal?(dir: string): boolean;
  personalLink?(dir: string): string | undefined;
}

/** One word of a command after the shell has expanded it, as far as that can be known before it runs. */
export interface ShellWord {
  /** As it was written. */
  readonly source: string;
  /** Exact values it may have. */
  readonly values: readonly string[];
  /** File name patterns it may have; characters that stand for themselves are escaped with a backslash. */
  readonly patterns: readonly string[];
  /** True: it may also be something else, so `values` and `patterns` are not all. */
  readonly unknown: boolean;
  /** True: it may become several words, or none. */
  readonly splits: boolean;
  /** Text it begins with for certain. */
  readonly prefix: string;
  /** Values it may well have, for the search for danger only. */
  readonly guesses: readonly string[];
  /** A path that comes from a listing of the workspace (`git ls-files | xargs`, `find . -name`). */
  readonly listed?: boolean;
}

export interface ShellAssign {
  readonly name: string;
  readonly text: string;
  /** The value; undefined for arrays and the like. */
  readonly word?: ShellWord;
}

export interface ShellRedirect {
  readonly op: string;
  readonly text: string;
  readonly target?: ShellWord;
}

/** Folders a command may run in, absolute; undefined when they cannot be known. */
export type Cwd = readonly string[] | undefined;

/** One simple command, with what surrounds it. */
export interface Simple {
  /** The source of this command alone. */
  readonly text: string;
  /** Name and arguments; empty for bare assignments and redirections. */
  readonly words: readonly ShellWord[];
  readonly assigns: readonly ShellAssign[];
  readonly redirects: readonly ShellRedirect[];
  readonly cwd: Cwd;
  /** Commands whose output it may read on standard input, nearest last. */
  readonly piped: readonly Simple[];
  /** Commands inside its own substitutions. */
  readonly feeds: readonly Simple[];
  /** Texts its standard input may be, when they stand in the command line. */
  readonly stdin?: readonly string[];
  /** Names of the wrappers it was found behind, outermost first. */
  readonly via: readonly string[];
  /** True: it runs elsewhere (container, other host), so local paths mean nothing. */
  readonly away: boolean;
  readonly depth: number;
}

export type Severity = 'allow' | 'ask' | 'immune' | 'deny';

/** A place a command names, as far as it is known. */
export interface NamedPath {
  readonly located: Located;
  readonly write: boolean;
  /** It is a path only in another reading of the command. */
  readonly doubtful?: boolean;
  /** It stands for all below the place, or for what an absolute file name pattern matches (`deep`: and all below that). */
  readonly reach?: 'all' | { readonly pattern: string; readonly deep?: boolean };
}

export interface RuleText {
  readonly text: string;
  readonly least: number;
}

/** What is said about one simple command (or odd construct) before any rule. `allow` means: it only reads. */
export interface Part {
  readonly text: string;
  readonly verdict: Severity;
  /** One sentence. */
  readonly reason: Reason;
  /** Code of the result when it is not run, where it is not the usual one. */
  readonly code?: ErrorCode;
  /** It changes nothing, though it may look at things one asks about. */
  readonly readOnly: boolean;
  /** What it runs is only known when it runs. */
  readonly opaque: boolean;
  /** It could not be read at all, so no mode may wave it through. */
  readonly unread: boolean;
  /** Why the mode `auto` does not agree to it, although a rule may. */
  readonly lasting?: Reason;
  /** It names something outside the workspace. */
  readonly outside: boolean;
  /** It writes a file by redirection, or sets something rules do not speak of; only a rule for every command covers that. */
  readonly extra: boolean;
  /** It runs in a container or on another host: the rule for what takes it there decides. */
  readonly away: boolean;
  /** The words as written, for a rule that is to be kept; empty when there are none. */
  readonly written: string;
  /** Spellings deny rules are compared with. */
  readonly denyTexts: readonly string[];
  /** Spellings allow and ask rules are compared with; a rule must name at least `least` characters of it. */
  readonly ruleTexts: readonly RuleText[];
  readonly paths: readonly NamedPath[];
}

const ORDER: Record<Severity, number> = { allow: 0, ask: 1, immune: 2, deny: 3 };

/** The stricter of two verdicts. */
export function stricter(a: Severity, b: Severity): Severity {
  return ORDER[a] >= ORDER[b] ? a : b;
}

export function isStricter(a: Severity, b: Severity): boolean {
  return ORDER[a] > ORDER[b];
}

/** The one value a word certainly has, or undefined. */
export function only(word: ShellWord | undefined): string | undefined {
  return word && !word.unknown && word.patterns.length === 0 && word.values.length === 1 ? word.values[0] : undefined;
}

/** Every value a word may have as far as known, guesses included: for the search for danger. */
export function possible(word: ShellWord): readonly string[] {
  return [...word.values, ...word.patterns.map(unescapePattern), ...word.guesses];
}

function unescapePattern(pattern: string): string {
  return pattern.replace(/\\(.)/gs, '$1');
}

/** A word with exactly this value, for commands built by the judge. */
export function literal(value: string, source = value): ShellWord {
  return { source, values: [value], patterns: [], unknown: false, splits: false, prefix: value, guesses: [] };
}

/** A word nothing is known about. */
export function unknownWord(source: string, extra: Partial<ShellWord> = {}): ShellWord {
  return { source, values: [], patterns: [], unknown: true, splits: true, prefix: '', guesses: [], ...extra };
}
