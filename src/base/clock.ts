/** Time and random ids as values, so that tests and replays can replace them. */
import { randomBytes } from 'node:crypto';

/** Milliseconds since 1970. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Source of ids that are unique within a process. */
export interface IdSource {
  next(prefix: string): string;
}

/** Ids in counting order (`m1`, `m2`): readable, and the same in every replay. */
export function countingIds(): IdSource {
  const counters = new Map<string, number>();
  return {
    next(prefix) {
      const n = (counters.get(prefix) ?? 0) + 1;
      counters.set(prefix, n);
      return `${prefix}${n}`;
    },
  };
}

/** Lower-case hex, `length` characters, unguessable. */
export function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
}
