/** Counts what a person refuses, so that a model cannot wear them down by asking again and again. */

export interface DenialLimits {
  /** Refusals of one tool in a row after which it is not asked about any more. */
  readonly inARow: number;
  /** Refusals of any tool in a session after which every call is asked about, also those that only read. */
  readonly inAll: number;
}

export const DEFAULT_DENIAL_LIMITS: DenialLimits = { inARow: 3, inAll: 20 };

export interface Denials {
  refused(tool: string): void;
  /** A yes: the tool is asked about as before, and the session is no longer under watch. */
  approved(tool: string): void;
  /** True: asked often enough; the call is refused without a question until the user says something new. */
  isBlocked(tool: string): boolean;
  /** True: every call is asked about. */
  isWatched(): boolean;
  /** The user said something new: blocked tools may ask once more. */
  heard(): void;
}

export function createDenials({ inARow, inAll }: DenialLimits): Denials {
  const row = new Map<string, number>();
  let total = 0;
  return {
    refused(tool) {
      row.set(tool, (row.get(tool) ?? 0) + 1);
      total++;
    },
    approved(tool) {
      row.delete(tool);
      total = 0;
    },
    isBlocked: (tool) => (row.get(tool) ?? 0) >= inARow,
    isWatched: () => total >= inAll,
    heard() {
      for (const [tool, count] of row) row.set(tool, Math.min(count, inARow - 1));
    },
  };
}
