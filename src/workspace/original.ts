/** The file a write is about to replace: opened, hashed, and checked to be the one that was expected. */
import { accessSync, closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { ToolFault } from '../types/tool.js';
import type { FileState } from '../types/workspace.js';
import { clip } from './faults.js';
import { describeChange, sameBytes, sha256OfDescriptor, stateOf } from './file-state.js';
import type { HeldDir } from './held-dir.js';
import { lookAt } from './look.js';
import { assertRegular, READ_FLAGS } from './open-checked.js';

/** The file about to be changed, held open. */
export interface Original {
  readonly real: string;
  readonly name: string;
  readonly fd: number;
  readonly stat: Stats;
  readonly sha256: string;
}

interface Named {
  readonly real: string;
  readonly shown: string;
}

/** Opens and hashes what is there; undefined when nothing is. Faults for what is no ordinary file or may not be written. */
export async function openOriginal(dir: HeldDir, name: string, { real, shown }: Named): Promise<Original | undefined> {
  const path = dir.child(name);
  const found = lookAt(path);
  if (!found) return undefined;
  assertRegular(found, shown);
  accessSync(path, constants.W_OK);
  const fd = openSync(path, READ_FLAGS);
  try {
    const stat = fstatSync(fd);
    assertRegular(stat, shown);
    return { real, name, fd, stat, sha256: await sha256OfDescriptor(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Faults with `Stale` (or `EEXIST`) unless the file on disk is the one that was expected. */
export function assertExpected(
  { shown, expect }: { readonly shown: string; readonly expect?: FileState | 'absent' },
  original: Pick<Original, 'stat' | 'sha256'> | undefined,
): void {
  if (expect === undefined) return;
  const name = clip(shown);
  if (expect === 'absent') {
    if (original) throw new ToolFault('EEXIST', `${name} exists already; it was not overwritten`);
    return;
  }
  if (!original)
    throw new ToolFault('Stale', `${name} was removed since it was read. Nothing was written; read it again or write it anew.`);
  const now = stateOf(original.stat, original.sha256);
  if (sameBytes(expect, now)) return;
  throw new ToolFault(
    'Stale',
    `${name} changed on disk since it was read (${describeChange(expect, now)}). Nothing was written; read it again first.`,
  );
}

/** Still the file that was looked at, in the folder that was opened? */
export function assertUntouched(dir: HeldDir, name: string, was: Stats | undefined, shown: string): void {
  dir.verify();
  const now = lookAt(dir.child(name));
  if (!was && !now) return;
  if (was && now && now.ino === was.ino && now.mtimeMs === was.mtimeMs && now.size === was.size) return;
  throw new ToolFault(
    'Stale',
    `${clip(shown)} was changed by another program at this very moment. Nothing was written; read it again first.`,
  );
}
