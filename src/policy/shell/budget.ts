/** How much work one command line may cost the judge; what needs more is not judged and always asks. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';

/** Counts work in characters read; a place looked up on the disk counts as many. */
export interface Budget {
  /** Takes `units`; false when there is not that much left, and from then on always. `share`: of all there is, no more than that may be used then. */
  take(units: number, share?: number): boolean;
  /** Nothing is left. */
  readonly spent: boolean;
  readonly used: number;
}

/** About a second of work on a slow machine. */
export const MOST_WORK = 3_000_000;
/** One place looked up, in characters read. */
export const LOOK_UP = 150;
export const TOO_MUCH = because`it is too much to judge`;

/** Said where there is no way to return early; the judge turns it into a question. */
export class TooMuchWork extends Error {
  readonly reason: Reason = TOO_MUCH;
}

export function createBudget(most: number = MOST_WORK): Budget {
  let used = 0;
  let spent = false;
  return {
    take(units, share = 1) {
      if (used + units > most * share && share < 1) return false;
      if (spent || used + units > most) spent = true;
      else used += units;
      return !spent;
    },
    get spent() {
      return spent;
    },
    get used() {
      return used;
    },
  };
}
