/** Removes the backups that were made here and are still what was made here; everything else stays and is told. */
import { type Dirent, opendirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CleanedBackups, Located } from '../types/workspace.js';
import { type BackupRecord, isElsewhere, knownHashes, type RecordStore } from './backup-record.js';
import { errnoOf } from './faults.js';
import { holdDir } from './held-dir.js';
import { hashAt, lookAt } from './look.js';
import { within } from './zones.js';

/** How many entries are looked at for `.bak` files nobody here knows. */
const MOST_ENTRIES = 20_000;
const SKIPPED = new Set(['.git', 'node_modules']);

export interface CleanRequest {
  /** Real path of the folder; what lies below it counts. */
  readonly folder: string;
  readonly dryRun: boolean;
  /** `shown` is the path of a `.bak` as messages show it. */
  accepts(shown: string): boolean;
}

export interface CleanPorts {
  readonly records: RecordStore;
  locate(path: string): Located;
  /** Runs `work` while nobody else writes the file. Throws ToolFault. */
  alone(file: Located, work: () => Promise<void>): Promise<void>;
}

interface Report {
  readonly removed: string[];
  readonly stored: string[];
  readonly left: { readonly path: string; readonly why: string }[];
}

/** Never throws for a single file: what cannot be removed is left with the reason. */
export async function cleanBackups(request: CleanRequest, ports: CleanPorts): Promise<CleanedBackups> {
  const report: Report = { removed: [], stored: [], left: [] };
  const known = new Set<string>();
  const records = ports.records.all().filter((record) => within(record.path, request.folder));
  for (const { path } of records.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const file = ports.locate(path);
    const shown = `${file.shown}.bak`;
    known.add(`${path}.bak`);
    if (!request.accepts(shown)) continue;
    if (file.real !== path || [path, `${path}.bak`].some((name) => ports.locate(name).zone !== 'inside')) {
      if (lookAt(`${path}.bak`)) report.left.push({ path: shown, why: 'file tools do not write there' });
      continue;
    }
    try {
      await ports.alone(file, () => cleanOne(file, shown, request.dryRun, ports.records, report));
    } catch (error) {
      report.left.push({ path: shown, why: errnoOf(error) ?? (error instanceof Error ? error.message : String(error)) });
    }
  }
  for (const path of unknownBelow(request.folder, known)) {
    const folder = ports.locate(dirname(path)).shown;
    const shown = folder === '.' ? basename(path) : `${folder}/${basename(path)}`;
    if (request.accepts(shown)) report.left.push({ path: shown, why: kindOf(path) });
  }
  return report;
}

async function cleanOne(file: Located, shown: string, dryRun: boolean, records: RecordStore, report: Report): Promise<void> {
  const record = records.get(file.real);
  if (!record) return;
  const besideGone = await cleanBeside(file.real, record, { shown, dryRun }, report);
  const stored = record.backup !== null && record.backup !== `${file.real}.bak` && lookAt(record.backup)?.isFile() === true;
  if (stored) {
    if (!dryRun) rmSync(record.backup, { force: true });
    report.stored.push(file.shown);
  }
  if (dryRun || !(stored || besideGone)) return;
  // What is gone is forgotten; of what is there the hashes stay known.
  if (besideGone && !lookAt(file.real)) records.remove(file.real);
  // A copy that lay elsewhere says nothing of the file beside.
  else records.set({ ...record, backup: null, sha256: '', earlier: stored ? [] : knownHashes(record) });
}

/** True when no backup of ours is left beside the file. */
async function cleanBeside(
  real: string,
  record: BackupRecord,
  { shown, dryRun }: { readonly shown: string; readonly dryRun: boolean },
  report: Report,
): Promise<boolean> {
  if (!lookAt(dirname(real))) return true;
  const dir = holdDir(dirname(real));
  try {
    const path = dir.child(`${basename(real)}.bak`);
    const found = lookAt(path);
    if (!found) return true;
    // With the backup elsewhere, the file beside is somebody's own, also when it holds the same bytes.
    const ours = found.isFile() && !isElsewhere(record, `${real}.bak`) && knownHashes(record).includes(await hashAt(path));
    if (!ours) {
      const made = found.isFile() && (record.backup === `${real}.bak` || record.earlier.length > 0);
      report.left.push({ path: shown, why: made ? 'not as it was made here' : kindOf(path) });
      return false;
    }
    if (!dryRun) rmSync(path);
    report.removed.push(shown);
    return true;
  } finally {
    dir.close();
  }
}

function kindOf(path: string): string {
  const found = lookAt(path);
  return found?.isFile() ? 'not made here' : found?.isSymbolicLink() ? 'a symbolic link' : 'not an ordinary file';
}

/** Paths below a folder that end with `.bak` and that no record tells of, within bounds. */
function unknownBelow(folder: string, known: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const open = [folder];
  let seen = 0;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const entry of entriesOf(next)) {
      if (++seen > MOST_ENTRIES) return found.sort();
      const path = join(next, entry.name);
      if (entry.name.endsWith('.bak') && !known.has(path)) found.push(path);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) open.push(path);
    }
  }
  return found.sort();
}

function* entriesOf(folder: string): Generator<Dirent> {
  try {
    const dir = opendirSync(folder);
    try {
      for (let entry = dir.readSync(); entry; entry = dir.readSync()) yield entry;
    } finally {
      dir.closeSync();
    }
  } catch {
    // A folder that cannot be read has nothing to tell.
  }
}
