/** How far the changes of one file can be taken back from what is on disk: pure, without the disk. */
import type { KeptReason } from '../../types/undo.js';
import type { Step } from './fold.js';
import type { Before } from './lines.js';

/** What is on disk now; null: no file. */
export type Present = { readonly sha256: string; readonly size: number; readonly mode: number } | null;

export interface Walk {
  /** Steps that are taken back, the newest first. */
  readonly taken: readonly Step[];
  /** Steps that were wanted and stay. */
  readonly left: readonly Step[];
  /** Why they stay. */
  readonly why?: KeptReason;
  /** The file afterwards: old bytes of the store, null for no file, `present` when it stays as it is. */
  readonly target: Before | null | 'present';
  /** Permission bits afterwards, where they are not those of the present file. */
  readonly mode?: number;
}

/**
 * Goes back from the newest applied step of a file. A step is taken back when the file is as the step left it, or already as
 * it was before the step. Anything else was changed by someone else since: only `force` goes on, and overwrites it.
 */
export function walkBack(applied: readonly Step[], wanted: ReadonlySet<string>, present: Present, force: boolean): Walk {
  const taken: Step[] = [];
  let at: Before | null | 'present' = 'present';
  let forced = false;
  let why: KeptReason | undefined;
  for (const step of applied.toReversed()) {
    if (!wanted.has(step.id)) {
      why = 'later';
      break;
    }
    const now: Present = at === 'present' ? present : at;
    const { before, after } = step.file;
    if (same(after, now)) at = before;
    else if (!same(before, now)) {
      if (!force) {
        why = 'changed';
        break;
      }
      forced = true;
      at = before;
    }
    taken.push(step);
  }
  const left = applied.filter((step) => wanted.has(step.id) && !taken.includes(step));
  if (at !== 'present' && at !== null && !at.kept && !same(at, present)) {
    return { taken: [], left: [...taken, ...left], why: 'missing', target: 'present' };
  }
  const mode = at === 'present' || at === null ? undefined : modeAfter(taken, at, present, forced);
  const reason = left.length > 0 ? { why: why ?? 'later' } : {};
  if (at !== 'present' && same(at, present) && mode === undefined) return { taken, left, ...reason, target: 'present' };
  return { taken, left, ...reason, target: at, ...(mode === undefined ? {} : { mode }) };
}

/** Same content? What is too large to be hashed is never the same. */
export function same(a: { readonly sha256: string; readonly size: number } | null, b: typeof a): boolean {
  if (a === null || b === null) return a === b;
  return a.sha256 !== '' && a.sha256 === b.sha256 && a.size === b.size;
}

/** Permission bits go back with the bytes only where a step set them and nobody set others since. */
function modeAfter(taken: readonly Step[], target: Before, present: Present, forced: boolean): number | undefined {
  if (present === null) return target.mode;
  if (present.mode === target.mode) return undefined;
  if (forced || taken.some(({ file }) => file.before === null || file.after === null)) return target.mode;
  const set = taken.find(({ file }) => file.after?.mode !== undefined)?.file.after;
  return set?.mode === present.mode ? target.mode : undefined;
}
