/** How well a text could be read. */

/** Fewer faults are better, and of as many the smaller ones. */
export interface Faults {
  readonly count: number;
  /** Characters that could not be read. */
  readonly size: number;
}

export interface Reading {
  readonly faults: Faults;
  /** Those of the asked offsets at which a string begins or ends. */
  readonly delimiters: ReadonlySet<number>;
}

export function isBetter(a: Faults, b: Faults): boolean {
  return a.count < b.count || (a.count === b.count && a.size < b.size);
}
