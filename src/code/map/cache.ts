/** Keeps the entries of a map in one file of our own state: safe to delete, checked when read, replaced as a whole when written. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { randomHex } from '../../base/clock.js';
import { readRegular } from '../../base/read-regular.js';
import { LANGUAGES } from '../languages/registry.js';
import { type MapEntry, renumbered } from './entries.js';
import { EXTRACTION } from './extract.js';
import type { Graph } from './graph.js';
import { createNames, type NameTable } from './names.js';
import { type DiskState, STATUSES } from './types.js';

/** A cache larger than this (bytes) is not written; that is a tree of some 100,000 files. */
const LARGEST = 192 * 1024 * 1024;
/** All caches of the folder together; the oldest go first. */
const MOST_TOGETHER = 512 * 1024 * 1024;
/** A draft this old (milliseconds) belongs to a process that is gone. */
const OLD_DRAFT = 60 * 60 * 1000;
const MAGIC = 'chatcli map 1\n';
const DIGEST = 32;
const HASH = 16;
const NAME = /^[0-9a-f]{32}\.(?:map|graph)$/;
const DRAFT = /^[0-9a-f]{32}\.(?:map|graph)\.[0-9a-f]+\.tmp$/;

/** What makes old entries useless: another extraction, other languages, another build. */
const VERSION = [EXTRACTION, ...LANGUAGES.map(({ id, references }) => `${id} ${references}`), basename(import.meta.url)].join(
  '\n',
);

export interface Kept {
  readonly names: NameTable;
  /** By path. */
  readonly entries: ReadonlyMap<string, MapEntry>;
  /** Which state of the file this was; empty when there was none. */
  readonly stamp: string;
}

export interface MapCache {
  /** Never throws; whatever is damaged, strange or of another version is as good as nothing. */
  load(): Kept;
  stamp(): string;
  /** The graph of exactly these entries, or undefined. Never throws. */
  loadGraph(entries: readonly MapEntry[]): Graph | undefined;
  /** Never throws. */
  saveGraph(entries: readonly MapEntry[], graph: Graph): void;
  /** Replaces what is kept. Never throws: what cannot be kept is made anew next time. */
  save(names: NameTable, entries: Iterable<MapEntry>): void;
}

interface Columns {
  readonly version: string;
  readonly names: string;
  readonly paths: string;
  readonly languages: string;
  readonly hashes: Uint8Array;
  /** Five for each file: size, mtime, ctime, inode, when seen (0: not known). */
  readonly disk: Float64Array;
  /** Five for each file: status, language, declarations, end of its data, end of its text. */
  readonly facts: Uint32Array;
  readonly data: Uint32Array;
  readonly text: Uint8Array;
}

interface StoredGraph {
  readonly key: string;
  readonly graph: Graph;
}

/** `folder` is made when missing, for this user only. `tree`: the real path of the workspace. */
export function createMapCache(folder: string, tree: string): MapCache {
  const name = createHash('sha256').update(tree).digest('hex').slice(0, 32);
  const file = join(folder, `${name}.map`);
  const graphFile = join(folder, `${name}.graph`);
  const stamp = () => stampOf(file);
  return {
    stamp,
    load() {
      const seen = stamp();
      const columns = read(file) as Columns | undefined;
      return { ...(entriesOf(columns) ?? { names: createNames(), entries: new Map<string, MapEntry>() }), stamp: seen };
    },
    save(names, entries) {
      write(folder, file, () => columnsOf(names, [...entries]));
    },
    loadGraph(entries) {
      const stored = read(graphFile) as StoredGraph | undefined;
      return stored?.key === graphKey(entries) ? stored.graph : undefined;
    },
    saveGraph(entries, graph) {
      write(folder, graphFile, (): StoredGraph => ({ key: graphKey(entries), graph }));
    },
  };
}

/** Names which entries a graph was made of. */
function graphKey(entries: readonly MapEntry[]): string {
  const hash = createHash('sha256').update(VERSION);
  return hash.update(entries.map(({ path, hash: content }) => `${path}\0${content}`).join('\0')).digest('hex');
}

/** Replaces the file as a whole. Never throws. */
function write(folder: string, file: string, content: () => unknown): void {
  const draft = `${file}.${randomHex(8)}.tmp`;
  try {
    const body = serialize(content());
    if (body.length > LARGEST) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const bytes = Buffer.concat([Buffer.from(MAGIC), createHash('sha256').update(body).digest(), body]);
    writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
    tidy(folder, basename(file));
  } catch {
    removeIfThere(draft);
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Not reachable, so not there.
  }
}

function stampOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : '';
  } catch {
    return '';
  }
}

/** What was written, whole and unchanged; undefined for anything else. */
function read(file: string): unknown {
  try {
    const bytes = readRegular(file, LARGEST + 1024);
    if (bytes.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return undefined;
    const digest = bytes.subarray(MAGIC.length, MAGIC.length + DIGEST);
    const body = bytes.subarray(MAGIC.length + DIGEST);
    if (!createHash('sha256').update(body).digest().equals(digest)) return undefined;
    return deserialize(body);
  } catch {
    return undefined;
  }
}

const split = (text: string): string[] => (text === '' ? [] : text.split('\0'));

function entriesOf(columns: Columns | undefined): Omit<Kept, 'stamp'> | undefined {
  if (columns?.version !== VERSION) return undefined;
  const { disk, facts, data, text } = columns;
  const paths = split(columns.paths);
  const languages = columns.languages.split('\0');
  const hashes = Buffer.from(columns.hashes).toString('hex');
  if (disk.length !== paths.length * 5 || facts.length !== paths.length * 5 || hashes.length !== paths.length * HASH * 2)
    return undefined;
  const entries = new Map<string, MapEntry>();
  let dataAt = 0;
  let textAt = 0;
  for (const [i, path] of paths.entries()) {
    const [status = 0, language = 0, declarations = 0, dataEnd = 0, textEnd = 0] = facts.subarray(i * 5, i * 5 + 5);
    entries.set(path, {
      path,
      hash: hashes.slice(i * HASH * 2, (i + 1) * HASH * 2),
      disk: diskAt(disk, i * 5),
      status: STATUSES[status] ?? 'other',
      language: languages[language] ?? '',
      declarations,
      data: data.subarray(dataAt, dataEnd),
      text: text.subarray(textAt, textEnd),
    });
    dataAt = dataEnd;
    textAt = textEnd;
  }
  return { names: createNames(() => split(columns.names)), entries };
}

function diskAt(disk: Float64Array, at: number): DiskState | undefined {
  const [size = 0, mtimeMs = 0, ctimeMs = 0, ino = 0, seenAt = 0] = disk.subarray(at, at + 5);
  return seenAt === 0 ? undefined : { size, mtimeMs, ctimeMs, ino, seenAt };
}

/** Only names that are still mentioned are kept, under new numbers. */
function columnsOf(names: NameTable, entries: readonly MapEntry[]): Columns {
  const renumbering = createRenumbering(names);
  const datas = entries.map((entry) => renumbered(entry.data, renumbering.number));
  const languages = [...new Set(['', ...entries.map(({ language }) => language)])];
  const numbers = new Map(languages.map((language, i) => [language, i]));
  const facts = new Uint32Array(entries.length * 5);
  const disk = new Float64Array(entries.length * 5);
  let dataEnd = 0;
  let textEnd = 0;
  for (const [i, entry] of entries.entries()) {
    dataEnd += entry.data.length;
    textEnd += entry.text.length;
    const language = numbers.get(entry.language) ?? 0;
    facts.set([STATUSES.indexOf(entry.status), language, entry.declarations, dataEnd, textEnd], i * 5);
    if (entry.disk) disk.set([entry.disk.size, entry.disk.mtimeMs, entry.disk.ctimeMs, entry.disk.ino, entry.disk.seenAt], i * 5);
  }
  const data = new Uint32Array(dataEnd);
  let at = 0;
  for (const each of datas) {
    data.set(each, at);
    at += each.length;
  }
  return {
    version: VERSION,
    names: renumbering.names().join('\0'),
    paths: entries.map(({ path }) => path).join('\0'),
    languages: languages.join('\0'),
    hashes: Buffer.from(entries.map(({ hash }) => hash).join(''), 'hex'),
    disk,
    facts,
    data,
    text: Buffer.concat(entries.map(({ text }) => text)),
  };
}

function createRenumbering(names: NameTable): { number(old: number): number; names(): string[] } {
  const numbers = new Int32Array(names.list.length).fill(-1);
  const kept: string[] = [];
  return {
    names: () => kept,
    number(old) {
      const known = numbers[old] ?? -1;
      if (known >= 0) return known;
      numbers[old] = kept.length;
      return kept.push(names.list[old] ?? '') - 1;
    },
  };
}

/** Removes drafts of processes that are gone, and the oldest caches when all together are too large. */
function tidy(folder: string, own: string): void {
  const found = readdirSync(folder).flatMap((name) => {
    const stat = NAME.test(name) || DRAFT.test(name) ? lstatSync(join(folder, name), { throwIfNoEntry: false }) : undefined;
    return stat?.isFile() ? [{ name, size: stat.size, time: stat.mtimeMs }] : [];
  });
  const drafts = found.filter(({ name, time }) => DRAFT.test(name) && Date.now() - time > OLD_DRAFT);
  for (const { name } of drafts) rmSync(join(folder, name), { force: true });
  let total = 0;
  for (const { name, size } of found.filter(({ name: each }) => NAME.test(each)).sort((a, b) => b.time - a.time)) {
    total += size;
    if (total > MOST_TOGETHER && name !== own) rmSync(join(folder, name), { force: true });
  }
}
