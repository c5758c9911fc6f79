/** From an import as it is written to the files of the tree that it can mean. Works on names alone; asks no disk. */
import { posix } from 'node:path';

/** More files than this that fit equally well: it is not known which is meant. */
const MOST_EQUAL = 3;
/** Files of a package that is a folder. */
const MOST_IN_FOLDER = 200;
const FOLDER_FILES: ReadonlySet<string> = new Set(['index', '__init__', 'mod', 'lib', 'main', 'init']);
const ECMA: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'jsx']);
/** Endings written in imports; in TypeScript not those of the file that is meant. */
const WRITTEN = /\.(?:[mc]?[jt]sx?|hh?|hpp|hxx|inc|rb|php|py|sh|bash)$/;
/** Languages whose unit is the folder: an import names one, and files in it see each other. */
export const FOLDER_UNITS: ReadonlySet<string> = new Set(['go']);

export interface TreeFile {
  readonly path: string;
  readonly language: string;
}

export interface Resolver {
  /** Numbers of files; none when it means nothing here. */
  resolve(source: string, from: number): readonly number[];
}

interface Index {
  readonly files: readonly TreeFile[];
  /** Path without its ending -> files. */
  readonly byStem: ReadonlyMap<string, readonly number[]>;
  /** Last segment of such a path -> files. */
  readonly byLast: ReadonlyMap<string, readonly number[]>;
  /** Last segment of a folder -> folders. */
  readonly foldersByLast: ReadonlyMap<string, readonly string[]>;
  readonly inFolder: ReadonlyMap<string, readonly number[]>;
  /** Files of a folder that stand for it. */
  readonly standing: ReadonlyMap<string, readonly number[]>;
}

/** `files` in a fixed order; their numbers are their places in it. */
export function createResolver(files: readonly TreeFile[]): Resolver {
  const index = indexOf(files);
  const known = new Map<string, readonly number[]>();
  return {
    resolve(source, from) {
      const file = files[from];
      if (!file || source === '') return [];
      const key = `${source}\0${file.language}\0${file.path.slice(0, file.path.lastIndexOf('/') + 1)}`;
      let found = known.get(key);
      if (!found) {
        found = lookUp(source, file, index);
        known.set(key, found);
      }
      return found.filter((number) => number !== from);
    },
  };
}

function indexOf(files: readonly TreeFile[]): Index {
  const byStem = new Map<string, number[]>();
  const byLast = new Map<string, number[]>();
  const foldersByLast = new Map<string, string[]>();
  const inFolder = new Map<string, number[]>();
  const standing = new Map<string, number[]>();
  const add = <K, V>(map: Map<K, V[]>, key: K, value: V) => {
    const list = map.get(key);
    if (list) list.push(value);
    else map.set(key, [value]);
  };
  for (const [number, { path }] of files.entries()) {
    const stem = stemOf(path);
    const folder = posix.dirname(path);
    add(byStem, stem, number);
    add(byLast, lastOf(stem), number);
    if (!inFolder.has(folder)) add(foldersByLast, lastOf(folder), folder);
    add(inFolder, folder, number);
    if (FOLDER_FILES.has(lastOf(stem))) add(standing, folder, number);
  }
  return { files, byStem, byLast, foldersByLast, inFolder, standing };
}

/** `a/b.test` of `a/b.test.ts`, `a/b` of `a/b.d.ts`. */
export function stemOf(path: string): string {
  return path.replace(/(?:\.d)?\.[^./]+$/, '');
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function lookUp(source: string, from: TreeFile, index: Index): readonly number[] {
  const ecma = ECMA.has(from.language);
  const folder = posix.dirname(from.path);
  const python = from.language === 'python' ? /^(\.+)(.*)$/s.exec(source) : null;
  if (python)
    return at(
      posix.join(folder, '../'.repeat((python[1]?.length ?? 1) - 1), (python[2] ?? '').replaceAll('.', '/')),
      from,
      index,
    );
  if (source.startsWith('.')) return at(posix.join(folder, source), from, index);
  const beside = ecma || !source.includes('/') ? [] : at(posix.join(folder, source), from, index);
  if (beside.length > 0) return beside;
  if (WRITTEN.test(source) && !ecma) {
    const near = at(posix.join(folder, source), from, index);
    if (near.length > 0) return near;
  }
  const words = segmentsOf(source);
  for (let length = words.length; length >= Math.max(1, words.length - 1); length--) {
    const found = bySuffix(words.slice(0, length), from, index, ecma);
    if (found.length > 0) return found;
    if (words.length < 3) break;
  }
  return [];
}

/** A path in the tree, as it is, with another ending, or a folder with a file that stands for it. */
function at(path: string, from: TreeFile, index: Index): readonly number[] {
  const fits = (list: readonly number[] | undefined) => (list ?? []).filter((number) => sameFamily(from, index.files[number]));
  const exact = fits(index.byStem.get(stemOf(path))).filter((number) => index.files[number]?.path === path);
  if (exact.length > 0) return exact;
  const written = WRITTEN.test(path) ? fits(index.byStem.get(path.replace(WRITTEN, ''))) : [];
  if (written.length > 0) return written;
  const bare = fits(index.byStem.get(path));
  if (bare.length > 0) return bare;
  return standingFor(path, from, index);
}

function standingFor(folder: string, from: TreeFile, index: Index): readonly number[] {
  const held = FOLDER_UNITS.has(from.language) ? index.inFolder : index.standing;
  const all = [...(held.get(folder) ?? []), ...(held.get(`${folder}/src`) ?? [])];
  return all.filter((number) => sameFamily(from, index.files[number])).slice(0, MOST_IN_FOLDER);
}

function segmentsOf(source: string): string[] {
  const bare = source.replace(WRITTEN, '');
  const parts = bare.includes('/') ? bare.split('/') : bare.split(/::|\\|\./);
  return parts.filter((part) => part !== '' && part !== '*' && part !== 'crate' && part !== 'self' && part !== 'super');
}

/** Files whose path ends as the import does, the longest such end first; the nearest of those that fit equally. */
function bySuffix(words: readonly string[], from: TreeFile, index: Index, ecma: boolean): readonly number[] {
  const last = words.at(-1);
  if (last === undefined) return [];
  const least = words.length === 1 && !ecma ? 1 : 2;
  const scored: { readonly score: number; readonly numbers: readonly number[] }[] = [];
  for (const number of index.byLast.get(last) ?? []) {
    const file = index.files[number];
    if (!file || !sameFamily(from, file)) continue;
    const score = commonEnd(stemOf(file.path).split('/'), words);
    if (score >= least) scored.push({ score, numbers: [number] });
  }
  for (const folder of index.foldersByLast.get(last) ?? []) {
    const score = commonEnd(folder.split('/'), words);
    if (score < least && !(ecma && score === 1 && words.length <= 2)) continue;
    const numbers = standingFor(folder, from, index);
    if (numbers.length > 0) scored.push({ score, numbers });
  }
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const equal = scored.filter(({ score }) => score === best);
  if (equal.length === 1) return equal[0]?.numbers ?? [];
  if (least === 1 && words.length === 1) return nearest(equal, from, index, 1);
  return nearest(equal, from, index, MOST_EQUAL);
}

function nearest(
  equal: readonly { readonly numbers: readonly number[] }[],
  from: TreeFile,
  index: Index,
  most: number,
): readonly number[] {
  const near = equal.map(({ numbers }) => ({
    numbers,
    common: commonStart(index.files[numbers[0] ?? 0]?.path.split('/') ?? [], from.path.split('/')),
  }));
  const best = Math.max(0, ...near.map(({ common }) => common));
  const kept = near.filter(({ common }) => common === best);
  return kept.length > most ? [] : kept.flatMap(({ numbers }) => numbers);
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count++;
  return count;
}

const FAMILIES: readonly (readonly string[])[] = [
  ['typescript', 'tsx', 'javascript', 'jsx'],
  ['c', 'cpp', 'c-header', 'swift'],
  ['java', 'kotlin', 'scala'],
];

/** Can one of these import the other? */
export function sameFamily(a: TreeFile, b: TreeFile | undefined): boolean {
  if (!b) return false;
  return a.language === b.language || FAMILIES.some((family) => family.includes(a.language) && family.includes(b.language));
}
