/** Changes several files, or none. */
import { chmodSync, lstatSync, rmSync, statSync } from 'node:fs';
import { ToolFault } from '../types/tool.js';
import type { FileState, FileTarget, Located } from '../types/workspace.js';
import { clip, diskFault } from './faults.js';
import { sameBytes } from './file-state.js';
import { type WriteResult, type WriteStores, writeWhole } from './write-file.js';

/** One target with the place it lies at. */
export interface Change extends FileTarget {
  readonly located: Located;
}

/** The bytes and permission bits of a file, or undefined when nothing is there. */
type Look = (path: string) => Promise<{ readonly bytes: Buffer; readonly state: FileState; readonly mode: number } | undefined>;

/** The caller holds the locks of all paths and has checked their zones. Throws ToolFault; then nothing was changed. */
export async function changeAll(changes: readonly Change[], stores: WriteStores, look: Look): Promise<WriteResult[]> {
  const before = await Promise.all(changes.map((change) => look(change.path)));
  changes.forEach((change, i) => void assertAsExpected(change, before[i]?.state));
  const done: number[] = [];
  try {
    const results: WriteResult[] = [];
    for (const [i, change] of changes.entries()) {
      done.push(i);
      results.push(await apply(change, stores));
    }
    return results;
  } catch (error) {
    for (const i of done.toReversed()) await restore(changes[i], before[i], stores);
    throw diskFault(error, 'change', changes[done.at(-1) ?? 0]?.located.shown ?? '');
  }
}

function assertAsExpected({ expect, located }: Change, now: FileState | undefined): void {
  if (expect === 'absent' ? now === undefined : now !== undefined && sameBytes(expect, now)) return;
  const what =
    expect === 'absent' ? 'exists already' : now ? 'changed on disk since it was read' : 'was removed since it was read';
  throw new ToolFault('Stale', `${clip(located.shown)} ${what}. Nothing was changed.`);
}

async function apply({ located, bytes, mode, expect }: Change, stores: WriteStores): Promise<WriteResult> {
  const { real, shown } = located;
  if (bytes !== null) {
    const result = await writeWhole({ real, shown, bytes, backup: true, expect, mode }, stores);
    if (mode !== undefined) chmodSync(real, mode);
    return result;
  }
  const result = await writeWhole({ real, shown, bytes: Buffer.alloc(0), backup: true, expect }, stores);
  rmSync(real);
  return result;
}

async function restore(
  change: Change | undefined,
  before: { readonly bytes: Buffer; readonly mode: number } | undefined,
  stores: WriteStores,
): Promise<void> {
  if (!change) return;
  const { real, shown } = change.located;
  if (!before) {
    if (lstatSync(real, { throwIfNoEntry: false })) rmSync(real);
    return;
  }
  await writeWhole({ real, shown, bytes: before.bytes, backup: false, mode: before.mode }, stores);
  if ((statSync(real).mode & 0o7777) !== before.mode) chmodSync(real, before.mode);
}
