/** Which file refers to which, and how much: through its imports where they lead somewhere, by unique names where the language needs none. */
import { posix } from 'node:path';
import { type MapEntry, unpack } from './entries.js';
import type { NameTable } from './names.js';
import { createResolver, FOLDER_UNITS, type Resolver, sameFamily } from './resolve.js';

/** Edges of all files in one row: those of file n stand from `starts[n]` up to `starts[n + 1]`. */
export interface Graph {
  readonly starts: Uint32Array;
  readonly to: Uint32Array;
  readonly weights: Float64Array;
}

/** In these a name of another file must be imported, so that a bare name says nothing. */
const IMPORTS_ALL: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'jsx', 'python', 'rust', 'go', 'shell']);
/** In these an import without names brings none. */
const NAMES_ALL: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'jsx', 'python']);
/** A name that more files define says nothing about any of them. */
const MOST_DEFINERS = 4;
const SHORTEST_NAME = 3;
/** Weight of a file that is only loaded, and of a name that only has the right spelling. */
const LOADED = 0.5;
const GUESSED = 0.5;

interface Work {
  readonly entries: readonly MapEntry[];
  readonly names: NameTable;
  readonly resolver: Resolver;
  /** Name -> files that define it. */
  readonly definers: ReadonlyMap<number, readonly number[]>;
  /** How often the file at hand mentions a name, by number. */
  readonly mentions: Uint32Array;
}

/** So many files are done without a pause. */
const AT_ONCE = 250;

/** `entries` in a fixed order; the same entries always give the same graph. `pause` is awaited now and then, and may throw. */
export async function graphOf(entries: readonly MapEntry[], names: NameTable, pause: () => Promise<void>): Promise<Graph> {
  const definers = new Map<number, number[]>();
  for (const [file, entry] of entries.entries()) {
    for (const name of unpack(entry).defines) {
      const list = definers.get(name);
      if (list) list.push(file);
      else definers.set(name, [file]);
    }
  }
  const work: Work = {
    entries,
    names,
    resolver: createResolver(entries),
    definers,
    mentions: new Uint32Array(names.list.length),
  };
  const edges: ReadonlyMap<number, number>[] = [];
  for (const [file, entry] of entries.entries()) {
    if (file % AT_ONCE === AT_ONCE - 1) await pause();
    edges.push(edgesOf(entry, file, work));
  }
  return graphFrom(edges);
}

/** `edges`: for each file the files it refers to, with weights. */
export function graphFrom(edges: readonly ReadonlyMap<number, number>[]): Graph {
  const starts = new Uint32Array(edges.length + 1);
  for (const [file, each] of edges.entries()) starts[file + 1] = (starts[file] ?? 0) + each.size;
  const to = Uint32Array.from(edges.flatMap((each) => [...each.keys()]));
  return { starts, to, weights: Float64Array.from(edges.flatMap((each) => [...each.values()])) };
}

function edgesOf(entry: MapEntry, file: number, work: Work): ReadonlyMap<number, number> {
  const { imports, references } = unpack(entry);
  const edges = new Map<number, number>();
  const add = (to: number, weight: number) => {
    if (to !== file) edges.set(to, (edges.get(to) ?? 0) + weight);
  };
  for (let at = 0; at < references.length; at += 2) work.mentions[references[at] ?? 0] = references[at + 1] ?? 0;
  /** Files all of whose names are in reach. */
  const open = new Set<number>();
  const settled = new Set<number>();
  for (const { source, names } of imports) followImport({ source, names }, { file, add, open, settled, work });
  if (FOLDER_UNITS.has(entry.language)) for (const near of neighbours(entry, file, work)) open.add(near);
  const free = !IMPORTS_ALL.has(entry.language);
  for (let at = 0; at < references.length; at += 2) {
    const name = references[at] ?? 0;
    const found = work.definers.get(name);
    if (!found || settled.has(name)) continue;
    const weight = Math.sqrt(references[at + 1] ?? 1);
    const reached = found.filter((to) => open.has(to));
    for (const to of reached) add(to, weight / reached.length);
    if (reached.length === 0 && free) guess(name, weight, { file, entry, found, add, work });
  }
  for (let at = 0; at < references.length; at += 2) work.mentions[references[at] ?? 0] = 0;
  return edges;
}

interface Following {
  readonly file: number;
  add(to: number, weight: number): void;
  readonly open: Set<number>;
  readonly settled: Set<number>;
  readonly work: Work;
}

function followImport(
  { source, names }: { readonly source: number; readonly names: readonly (readonly [number, number])[] },
  { file, add, open, settled, work }: Following,
): void {
  const text = work.names.list[source] ?? '';
  const targets = work.resolver.resolve(text, file);
  for (const to of targets) add(to, LOADED / targets.length);
  const named = names.filter(([name]) => work.names.list[name] !== '*');
  const language = work.entries[file]?.language ?? '';
  const opens = named.length < names.length || (names.length === 0 && !NAMES_ALL.has(language));
  if (opens) for (const to of targets) open.add(to);
  for (const [name, alias] of named) {
    const weight = Math.sqrt(Math.max(1, work.mentions[alias] ?? 0));
    const having = targets.filter((to) => work.definers.get(name)?.includes(to));
    for (const to of having) add(to, weight / having.length);
    if (having.length > 0) settled.add(alias);
    else if (targets.length > 0 && targets.length <= 2) for (const to of targets) add(to, (GUESSED * weight) / targets.length);
    else followMember(text, name, weight, { file, add, open, settled, work });
  }
}

/** What is taken may be a module itself: `from app import auth`. */
function followMember(source: string, name: number, weight: number, { file, add, work, open }: Following): void {
  const word = work.names.list[name] ?? '';
  const separator = source.includes('::') ? '::' : source.includes('/') ? '/' : source.includes('\\') ? '\\' : '.';
  const inner = work.resolver.resolve(source.endsWith('.') ? `${source}${word}` : `${source}${separator}${word}`, file);
  for (const to of inner) {
    add(to, weight / inner.length);
    open.add(to);
  }
}

/** Other files of its folder, which see each other without imports. */
function neighbours(entry: MapEntry, file: number, { entries }: Work): number[] {
  const folder = posix.dirname(entry.path);
  const found: number[] = [];
  // Files of a folder that are sorted by path stand near each other; what is in its subfolders lies between.
  for (const step of [-1, 1]) {
    for (let at = file + step, seen = 0; seen < 500; at += step, seen++) {
      const other = entries[at];
      if (!other?.path.startsWith(folder === '.' ? '' : `${folder}/`)) break;
      if (other.language === entry.language && posix.dirname(other.path) === folder) found.push(at);
    }
  }
  return found;
}

function guess(
  name: number,
  weight: number,
  about: {
    readonly file: number;
    readonly entry: MapEntry;
    readonly found: readonly number[];
    add(to: number, weight: number): void;
    readonly work: Work;
  },
): void {
  const { file, entry, found, add, work } = about;
  if (found.length > MOST_DEFINERS || found.includes(file) || (work.names.list[name]?.length ?? 0) < SHORTEST_NAME) return;
  const family = found.filter((to) => sameFamily(entry, work.entries[to]));
  const folder = posix.dirname(entry.path);
  const near = family.filter((to) => posix.dirname(work.entries[to]?.path ?? '') === folder);
  const chosen = near.length > 0 ? near : family;
  for (const to of chosen) add(to, (GUESSED * weight) / chosen.length);
}
