/** What an undo takes away besides files: folders that are empty again, backups of files that are gone again. */
import { rmdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { holdDir } from '../held-dir.js';
import type { UndoWorkspace } from './look.js';

/** Removes folders of the workspace that are empty; all others stay. Never throws. */
export function removeEmptyFolders(workspace: UndoWorkspace, folders: Iterable<string>): void {
  const deepestFirst = [...new Set(folders)].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) {
    try {
      const { real, zone } = workspace.locate(folder);
      if (real === folder && zone === 'inside' && !workspace.roots.includes(folder)) rmdirSync(folder);
    } catch {
      // Not empty, or gone.
    }
  }
}

/** Removes the `.bak` of a file that is gone, when it was made here. Never throws. */
export async function removeBackup(workspace: UndoWorkspace, path: string): Promise<void> {
  const backup = `${path}.bak`;
  try {
    if (!(await workspace.isBackup(backup))) return;
    const dir = holdDir(dirname(backup));
    try {
      rmSync(dir.child(basename(backup)));
    } finally {
      dir.close();
    }
  } catch {
    // It stays; `clean` knows it.
  }
}
