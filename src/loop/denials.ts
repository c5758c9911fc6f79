/** Counts what a person refuses, so that a model cannot wear them down by asking again and again. */

export interface DenialLimits {
  /** Refusals of one kind of call in a row after which it is not asked about any more; of one tool, whatever the kind: twice as many. */
  readonly inARow: number;
  /** Refusals of any tool in a session after which every call is asked about, also those that only read. */
  readonly inAll: number;
}

export const DEFAULT_DENIAL_LIMITS: DenialLimits = { inARow: 3, inAll: 20 };

/** A tool, and for commands the program that decided. */
export interface CallKind {
  readonly tool: string;
  readonly program?: string;
}

export interface Denials {
  refused(call: CallKind): void;
  /** A yes: the tool is asked about as before, and the session is no longer under watch. */
  approved(call: CallKind): void;
  /** True: asked often enough; the call is refused without a question until the user says something new. */
  isBlocked(call: CallKind): boolean;
  /** True: every call is asked about. */
  isWatched(): boolean;
  /** The user said something new: blocked tools may ask once more. */
  heard(): void;
}

export function createDenials({ inARow, inAll }: DenialLimits): Denials {
  const row = new Map<string, number>();
  const mostOf = (key: string): number => (isTool(key) ? inARow * 2 : inARow);
  let total = 0;
  return {
    refused(call) {
      for (const key of keysOf(call)) row.set(key, (row.get(key) ?? 0) + 1);
      total++;
    },
    approved({ tool }) {
      for (const key of row.keys()) if (key === tool || key.startsWith(`${tool} `)) row.delete(key);
      total = 0;
    },
    isBlocked: (call) => keysOf(call).some((key) => (row.get(key) ?? 0) >= mostOf(key)),
    isWatched: () => total >= inAll,
    heard() {
      for (const [key, count] of row) row.set(key, Math.min(count, mostOf(key) - 1));
    },
  };
}

/** The tool itself, and the kind of call it is; a tab never stands in a name. */
function keysOf({ tool, program }: CallKind): readonly string[] {
  return [tool, `${tool} \t${program ?? ''}`];
}

const isTool = (key: string): boolean => !key.includes('\t');
