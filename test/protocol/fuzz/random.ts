/** Random choices that a seed repeats. */

export interface Random {
  /** From 0 up to, not including, `below`. */
  int(below: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  some<T>(list: readonly T[], share: number): T[];
}

/** The same choices for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    once: (times) => int(times) === 0,
    pick: (list) => list[int(list.length)] as (typeof list)[number],
    some: (list, share) => list.filter(() => next() < share),
  };
}
