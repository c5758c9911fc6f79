/** What stands under a path right now. */
import { closeSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { errnoOf } from './faults.js';
import { sha256OfDescriptor } from './file-state.js';
import { READ_FLAGS } from './open-checked.js';

/** What stands under a path, links not followed; undefined for nothing. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

/** SHA-256 of a regular file; empty for what cannot be opened. */
export async function hashAt(path: string): Promise<string> {
  let fd: number;
  try {
    fd = openSync(path, READ_FLAGS);
  } catch {
    return '';
  }
  try {
    return fstatSync(fd).isFile() ? await sha256OfDescriptor(fd) : '';
  } finally {
    closeSync(fd);
  }
}
