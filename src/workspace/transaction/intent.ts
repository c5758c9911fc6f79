/** What a transaction is about to do, as the journal keeps it: enough to undo or to finish it without the process that began it. */
import { isAbsolute } from 'node:path';
import { isTempName } from '../temp-name.js';

/**
 * - `create`: the new file waits as `temp`
 * - `replace`: the new bytes wait as `temp`, the old file stays reachable as `saved`
 * - `remove`: the old file stays reachable as `saved`
 * - `rewrite`: the file keeps its identity; `saved` is a copy of its old bytes
 */
export type Act = 'create' | 'replace' | 'remove' | 'rewrite';

/** One file of a transaction. Names of temporary files are unguessable and used for nothing else. */
export interface FileIntent {
  /** Real path. */
  readonly path: string;
  readonly act: Act;
  /** New bytes, beside the file. */
  readonly temp: string;
  /** The old file, beside it or in our own store. While it exists the file is neither undone nor finished. */
  readonly saved: string;
  readonly savedIn: 'folder' | 'store';
  /** A copy of the old bytes in our own store that becomes the backup; empty when `saved` becomes it. */
  readonly copy: string;
  /** Where the backup goes: `.bak` beside the file, or our own store. */
  readonly backupIn: 'folder' | 'store' | 'nowhere';
  /** SHA-256 of the backup that is replaced; empty for none. */
  readonly former: string;
  /** SHA-256 before and after; empty for nothing. */
  readonly before: string;
  readonly after: string;
  /** Permission bits before, and after where they are changed. */
  readonly mode: number;
  readonly modeAfter?: number;
}

export interface Intent {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Folders that are made for it, outermost first. */
  readonly folders: readonly string[];
  readonly files: readonly FileIntent[];
}

const ACTS: readonly unknown[] = ['create', 'replace', 'remove', 'rewrite'] satisfies Act[];
const HASH = /^([0-9a-f]{64})?$/;

/** An intent read from a journal; undefined for what is none. */
export function asIntent(value: unknown): Intent | undefined {
  const { time, folders, files } = (value ?? {}) as Partial<Record<keyof Intent, unknown>>;
  if (typeof time !== 'number' || !Array.isArray(folders) || !Array.isArray(files)) return undefined;
  if (!folders.every(isPath) || !files.every(isFileIntent)) return undefined;
  return { time, folders, files };
}

function isFileIntent(value: unknown): value is FileIntent {
  const file = (value ?? {}) as Partial<Record<keyof FileIntent, unknown>>;
  return (
    isPath(file.path) &&
    ACTS.includes(file.act) &&
    [file.temp, file.saved].every((name) => typeof name === 'string' && isTempName(name)) &&
    (file.savedIn === 'folder' || file.savedIn === 'store') &&
    (file.copy === '' || (typeof file.copy === 'string' && isTempName(file.copy))) &&
    (file.backupIn === 'folder' || file.backupIn === 'store' || file.backupIn === 'nowhere') &&
    [file.former, file.before, file.after].every((hash) => typeof hash === 'string' && HASH.test(hash)) &&
    typeof file.mode === 'number' &&
    (file.modeAfter === undefined || typeof file.modeAfter === 'number')
  );
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value) && !value.includes('\0');
}
