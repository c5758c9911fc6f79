/** How much may be looked at while one reply is read, so that broken marks repeated a thousand times hold nothing up. */

export interface Work {
  /** Characters that may still be looked at again. */
  left: number;
}

/** Far more than a reply needs whose tags are whole; some tenths of a second. */
const MOST_CHARACTERS = 20_000_000;

/** The work one reply of this length is worth. */
export function workFor(text: string): Work {
  return { left: MOST_CHARACTERS + 20 * text.length };
}

export function spend(work: Work, characters: number): void {
  work.left -= characters;
}

/** True once a reply costs more than it may: what follows is not read, and no call of it is run. */
export function isSpent(work: Work): boolean {
  return work.left <= 0;
}
