/** Puts the backup of a file back, after making sure that it is the one from before the last change. */
import { closeSync, fstatSync, type Stats } from 'node:fs';
import { basename } from 'node:path';
import { ToolFault } from '../types/tool.js';
import type { FileState } from '../types/workspace.js';
import { type BackupRecord, keepUndone, type RecordStore } from './backup-record.js';
import { clip, diskFault } from './faults.js';
import { instant, sha256 } from './file-state.js';
import { lookAt } from './look.js';
import { assertRegular, openForRead, pathOfDescriptor } from './open-checked.js';
import { readAll } from './raw-io.js';
import { type WriteResult, type WriteStores, writeWhole } from './write-file.js';

/** The note of a rollback that had nothing to do. */
export const SAME_AS_BACKUP = 'the file already had the content of its backup';

const LARGEST = 1024 * 1024 * 1024;

interface Source {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly notes: readonly string[];
  /** Made here, so the record stays true. */
  readonly ours: boolean;
}

/** The caller holds the lock of the path and has checked its zone. Throws ToolFault; then nothing was changed. */
export async function rollbackFile(
  request: { readonly real: string; readonly shown: string; about?(after: Pick<FileState, 'sha256' | 'size'>): void },
  stores: WriteStores,
): Promise<WriteResult> {
  const { real, shown } = request;
  try {
    const record = stores.records.get(real);
    const source = await findSource(real, shown, record);
    const current = await contentOf(real, shown);
    const notes = [...source.notes];
    // A mode that the change had set goes back with it; one that was set since stays.
    const undoesMode = source.ours && current && record?.modeAfter === (current.stat.mode & 0o7777);
    const setMode = undoesMode && record.mode !== record.modeAfter ? record.mode : undefined;
    if (current?.bytes.equals(source.bytes) && setMode === undefined) {
      return { created: false, state: current.state, notes: [...notes, SAME_AS_BACKUP] };
    }
    if (current) notes.push(...saveUndone(stores.records, real, current.bytes));
    request.about?.({ sha256: sha256(source.bytes), size: source.bytes.length });
    const written = await writeWhole(
      {
        real,
        shown,
        bytes: source.bytes,
        backup: false,
        expect: current?.state ?? 'absent',
        mode: source.mode,
        setMode,
        record: (before, after) => (before && source.ours ? { ...before, time: stores.now(), after } : before),
      },
      stores,
    );
    return { ...written, notes: [...notes, ...written.notes] };
  } catch (error) {
    throw diskFault(error, 'roll back', shown);
  }
}

async function findSource(real: string, shown: string, record: BackupRecord | undefined): Promise<Source> {
  const bak = `${real}.bak`;
  const name = clip(shown);
  if (record?.backup && record.backup !== bak) {
    const stored = await contentOf(record.backup, record.backup);
    if (!stored || sha256(stored.bytes) !== record.sha256) {
      throw new ToolFault('NotFound', `the backup of ${name} was kept at ${record.backup} and is no longer there`);
    }
    const aside = lookAt(bak)
      ? [`restored from ${record.backup}; ${basename(bak)} was not made here`]
      : [`restored from ${record.backup}`];
    return { bytes: stored.bytes, mode: record.mode, notes: aside, ours: true };
  }
  const found = await contentOf(bak, `${shown}.bak`);
  if (!found) throw new ToolFault('NotFound', noBackup(name, record));
  const hash = sha256(found.bytes);
  const mode = found.stat.mode & 0o777;
  if (record && record.backup === bak && hash === record.sha256)
    return { bytes: found.bytes, mode: record.mode, notes: [], ours: true };
  if (record && isOlder(record, hash, found.stat, bak)) {
    throw new ToolFault(
      'Stale',
      `${name}.bak is older than the last change of ${name} made here (${instant(record.time)}), so it would undo more than that change. The newer state is ${name} itself as it is now; nothing was restored.`,
    );
  }
  return { bytes: found.bytes, mode, notes: [`${basename(bak)} was not made here: its origin is unknown`], ours: false };
}

function noBackup(name: string, record: BackupRecord | undefined): string {
  if (record) return `there is no backup of ${name}: the last change here created it, or its backup was not kept or was removed`;
  return `there is no backup of ${name}: ${name}.bak does not exist`;
}

function isOlder(record: BackupRecord, hash: string, stat: Stats, bak: string): boolean {
  if (record.earlier.includes(hash)) return true;
  return record.backup !== bak && Math.max(stat.mtimeMs, stat.ctimeMs) < record.time;
}

interface Content {
  readonly bytes: Buffer;
  readonly stat: Stats;
  readonly state: { readonly mtimeMs: number; readonly size: number; readonly sha256: string };
}

/** Undefined when there is nothing under this path. */
async function contentOf(path: string, shown: string): Promise<Content | undefined> {
  const found = lookAt(path);
  if (!found) return undefined;
  assertRegular(found, shown);
  const fd = openForRead(path, shown);
  try {
    const stat = fstatSync(fd);
    assertRegular(stat, shown);
    if (pathOfDescriptor(fd, path) !== path)
      throw new ToolFault('Conflict', `${clip(shown)} was replaced while it was being read`);
    const bytes = await readAll(fd, stat.size, LARGEST);
    if (!bytes) throw new ToolFault('EFBIG', `${clip(shown)} has ${stat.size} bytes, more than can be restored`);
    return { bytes, stat, state: { mtimeMs: stat.mtimeMs, size: bytes.length, sha256: sha256(bytes) } };
  } finally {
    closeSync(fd);
  }
}

/** What the rollback takes away is kept too, one generation, outside the workspace. */
function saveUndone(records: RecordStore, real: string, bytes: Buffer): string[] {
  try {
    return [`the content that was replaced is kept in ${keepUndone(records, real, bytes)}`];
  } catch {
    return [];
  }
}
