/** How well a text could be read, and what its quotes are in it. */

/** Fewer faults are better, and of as many the smaller ones. */
export interface Faults {
  readonly count: number;
  /** Characters that could not be read. */
  readonly size: number;
}

/** Plain data: it goes between threads. All offsets are among those that were asked about. */
export interface Reading {
  readonly faults: Faults;
  /** Straight quotes that delimit one token together: those of its beginning and those of its end. */
  readonly tokens: readonly Token[];
  /** Curly quotes inside of strings, comments and the like that are whole. */
  readonly kept: ReadonlySet<number>;
  /** Curly quotes that could not be read, or only as part of a name. */
  readonly bad: ReadonlySet<number>;
}

/** `close` is empty for a token with a quote at its beginning alone, as a lifetime of Rust. */
export interface Token {
  readonly open: readonly number[];
  readonly close: readonly number[];
}

export function isBetter(a: Faults, b: Faults): boolean {
  return a.count < b.count || (a.count === b.count && a.size < b.size);
}
