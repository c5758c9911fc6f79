/** What opening a wrapper gives: inner commands, scripts, and what the wrapper adds. */
import type { Reason } from '../../types/policy.js';
import type { Reading } from './readers/reader.js';
import { possible, type ShellWord, type Simple } from './types.js';
import type { Start } from './walk.js';

export interface Script {
  readonly text: string;
  readonly start: Start;
  /** Perhaps no script at all (a string in a program): only what always asks or is refused counts. */
  readonly perhaps?: boolean;
}

/** What a wrapper holds. */
export interface Unwrapped {
  readonly inner: readonly Simple[];
  readonly scripts: readonly Script[];
  /** The wrapper itself, its inner commands left out. */
  readonly self: Reading;
  /** Why what it runs is only known when it runs. */
  readonly opaque?: Reason;
  /** Why it always asks. */
  readonly immune?: Reason;
  /** Its own words still name paths although it holds scripts. */
  readonly mentions?: boolean;
}

/** The inheritance of a script that a command runs. */
export function startOf(simple: Simple, via: string, changes: Partial<Start> = {}): Start {
  return {
    cwd: simple.cwd,
    piped: simple.piped,
    stdin: simple.stdin,
    via: [...simple.via, via],
    away: simple.away,
    depth: simple.depth + 1,
    ...changes,
  };
}

/** Every reading of a word as a script. */
export function scriptsOf(word: ShellWord | undefined, start: Start): Script[] {
  return word ? possible(word).map((text) => ({ text, start })) : [];
}
