/** What is known of every file of a tree: from the cache where it is still true, otherwise read and parsed. */
import { decodeUtf16, detect } from '../../base/text-encoding.js';
import { languageOf } from '../languages/registry.js';
import type { MapCache } from './cache.js';
import { type MapEntry, pack, renumbered } from './entries.js';
import { emptyFile } from './extract.js';
import { createNames, type NameTable } from './names.js';
import { createParsePool, type ParsePool, type PoolOptions } from './pool.js';
import type { DiskState, Extracted, FoundFile, MapCounts, Skipped } from './types.js';

/** A time this near to the look (milliseconds) says nothing: the file may have changed again within the same tick of its clock. */
const RACY_MS = 2_500;

export interface GatherRequest {
  readonly files: readonly FoundFile[];
  /** Bytes of a file and their SHA-256 in hex; undefined: it cannot be read, or must not be. */
  read(path: string): Promise<{ readonly bytes: Buffer; readonly sha256: string } | undefined>;
  /** The file as it is now; undefined: it is gone, or no file any more. */
  look(path: string): DiskState | undefined;
  readonly cache?: MapCache | undefined;
  /** Whether a path lies in the part of the tree that was walked: what the cache has there and was not found is gone. */
  covers(path: string): boolean;
  readonly signal: AbortSignal;
  /** How texts are parsed; by default in threads where there are many. */
  readonly pool?: PoolOptions | undefined;
}

export interface Gathered {
  /** Files to be shown, by path. */
  readonly entries: readonly MapEntry[];
  readonly names: NameTable;
  readonly skipped: Omit<Skipped, 'large'>;
  readonly counts: MapCounts;
}

interface Work {
  readonly request: GatherRequest;
  readonly names: NameTable;
  readonly known: ReadonlyMap<string, MapEntry>;
  /** Entries by the hash of their bytes, for files that moved. Built by the first question. */
  byHash(hash: string, language: string): MapEntry | undefined;
  readonly pool: ParsePool;
  readonly now: Map<string, MapEntry>;
  readonly counts: { parsed: number; read: number; changed: boolean };
  unreadable: number;
}

/** Throws the reason of the signal, and what parsing throws. A file that changes meanwhile is taken as it was read. */
export async function gather(request: GatherRequest): Promise<Gathered> {
  const { cache, files, signal } = request;
  const kept = cache?.load() ?? { names: createNames(), entries: new Map<string, MapEntry>(), stamp: '' };
  const work: Work = {
    request,
    names: kept.names,
    known: kept.entries,
    byHash: hashIndex(kept.entries),
    pool: await createParsePool(request.pool),
    now: new Map(),
    counts: { parsed: 0, read: 0, changed: false },
    unreadable: 0,
  };
  const end = () => void work.pool.close();
  signal.addEventListener('abort', end);
  try {
    for (const file of files) {
      signal.throwIfAborted();
      const entry = work.known.get(file.path);
      if (entry && isUnchanged(entry, file.disk)) work.now.set(file.path, entry);
      else await readAnew(file, work);
    }
    await work.pool.finish();
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', end);
    await work.pool.close();
  }
  if (cache) keep(cache, kept, work);
  // Keys and cancellation get their turn between long steps.
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
  const all = [...work.now.values()];
  const skipped = { generated: 0, minified: 0, binary: 0, slow: 0, unreadable: work.unreadable };
  for (const { status } of all) if (status !== 'ok' && status !== 'other') skipped[status]++;
  return {
    entries: all.filter(({ status }) => status === 'ok').sort((a, b) => (a.path < b.path ? -1 : 1)),
    names: work.names,
    skipped,
    counts: { files: files.length, parsed: work.counts.parsed, read: work.counts.read, workers: work.pool.workers },
  };
}

/** Same size, times and inode as when its bytes were read, and those times were old enough by then to tell a later change. */
function isUnchanged({ disk }: MapEntry, now: DiskState): boolean {
  if (!disk || disk.size !== now.size || disk.ino !== now.ino) return false;
  if (disk.mtimeMs !== now.mtimeMs || disk.ctimeMs !== now.ctimeMs) return false;
  return disk.seenAt - Math.max(disk.mtimeMs, disk.ctimeMs) > RACY_MS;
}

async function readAnew(file: FoundFile, work: Work): Promise<void> {
  const { path } = file;
  const got = await work.request.read(path);
  work.counts.read++;
  if (!got) {
    work.unreadable++;
    return;
  }
  const after = work.request.look(path);
  const isSame = after && after.size === file.disk.size && after.ino === file.disk.ino && after.mtimeMs === file.disk.mtimeMs;
  const disk = isSame && after.ctimeMs === file.disk.ctimeMs ? file.disk : undefined;
  const hash = got.sha256.slice(0, 32);
  const before = work.known.get(path);
  work.counts.changed = true;
  if (before?.hash === hash) {
    work.now.set(path, { ...before, disk });
    return;
  }
  const text = textOf(got.bytes);
  const language = text === undefined ? '' : (languageOf(path, text)?.id ?? '');
  const twin = work.byHash(hash, language);
  if (twin) {
    work.now.set(path, { ...twin, path, disk });
    return;
  }
  const add = (found: Extracted): void => {
    const { status, declarations } = found;
    const kept = status === 'slow' ? undefined : disk;
    work.now.set(path, { path, hash, disk: kept, status, language: found.language, declarations, ...pack(found, work.names) });
  };
  // Its place stays the same whatever thread is done first.
  if (text === undefined) add(emptyFile('binary'));
  else if (language === '') add(emptyFile('other'));
  else {
    work.counts.parsed++;
    await work.pool.add({ path, text }, add);
  }
}

function textOf(bytes: Buffer): string | undefined {
  const { binary, encoding } = detect(bytes);
  if (binary) return undefined;
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? decodeUtf16(bytes, encoding) : bytes.toString('utf8');
}

function hashIndex(entries: ReadonlyMap<string, MapEntry>): Work['byHash'] {
  let index: Map<string, MapEntry> | undefined;
  return (hash, language) => {
    index ??= new Map([...entries.values()].map((entry) => [`${entry.hash} ${entry.language}`, entry]));
    return index.get(`${hash} ${language}`);
  };
}

/** Writes the cache when something is new. What another process kept of other parts of the tree meanwhile is taken along. */
function keep(cache: MapCache, kept: ReturnType<MapCache['load']>, work: Work): void {
  const { covers } = work.request;
  const gone = [...kept.entries.keys()].some((path) => covers(path) && !work.now.has(path));
  if (!work.counts.changed && !gone) return;
  const all = new Map([...kept.entries].filter(([path]) => !covers(path)));
  if (cache.stamp() !== kept.stamp) {
    const theirs = cache.load();
    for (const [path, entry] of theirs.entries) {
      if (!covers(path))
        all.set(path, { ...entry, data: renumbered(entry.data, (old) => work.names.idOf(theirs.names.list[old] ?? '')) });
    }
  }
  for (const [path, entry] of work.now) if (entry.status !== 'slow') all.set(path, entry);
  cache.save(work.names, all.values());
}
