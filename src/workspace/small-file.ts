/** Reads small regular files without ever waiting: no pipe is opened, no link followed, nothing large read. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';

/** More than any configuration a repository keeps. */
export const MOST_BYTES = 256 * 1024;

/** What stands at a path, links not followed; undefined when there is nothing or it cannot be looked at. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The text of a file; `missing` when there is none, `odd` when it is no readable regular file of at most `most` bytes. */
export function readSmallFile(path: string, most = MOST_BYTES): { readonly text: string } | 'missing' | 'odd' {
  const bytes = readSmallBytes(path, most);
  return typeof bytes === 'string' ? bytes : { text: bytes.toString('utf8') };
}

/** The bytes of a file, with the same answers. */
export function readSmallBytes(path: string, most: number): Buffer | 'missing' | 'odd' {
  let handle: number | undefined;
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return 'missing';
    if (!stat.isFile() || stat.size > most) return 'odd';
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(handle).isFile()) return 'odd';
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= most; length += read)
      read = readSync(handle, buffer, length, most + 1 - length, null);
    return length > most ? 'odd' : buffer.subarray(0, length);
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOTDIR' ? 'missing' : 'odd';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
