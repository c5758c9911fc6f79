/** Which files mean the same thing by a name: those that declare it, take it by an import, or share a folder with them. */
import { posix } from 'node:path';
import { createResolver } from '../map/resolve.js';
import type { Group } from './groups.js';
import type { NamedFile, NamePlace } from './types.js';
import { familyOf } from './words.js';

/** `yes`, `no`, or not to be told by names. */
export type Meant = 'yes' | 'no' | 'unknown';

export interface Reach {
  /** Does a file that takes `source` take it from a file that has the name? */
  taken(file: NamedFile, source: string): Meant;
  /** Is a plain name that nothing in its file declares or imports the one meant? */
  free(file: NamedFile): Meant;
  /** Is `before.name` the one meant? */
  behind(file: NamedFile, place: NamePlace): Meant;
}

const ROOTS: ReadonlySet<string> = new Set(['crate', 'self', 'super']);

/** `tree`: all files there are, also those without the name. `alone`: nothing else of this name is declared outside of functions. */
export function reachOf(
  group: Group,
  files: readonly NamedFile[],
  tree: readonly { path: string; language: string }[],
  alone: boolean,
): Reach {
  const numbers = new Map(tree.map(({ path }, number) => [path, number]));
  const resolver = createResolver(tree);
  const carriers = new Set(group.declarations.map(({ file }) => file.path));
  const named = new Map(files.map((file) => [file.path, file]));
  const resolved = (file: NamedFile, source: string) =>
    resolver.resolve(source, numbers.get(file.path) ?? -1).map((number) => tree[number]?.path ?? '');
  const judge = (file: NamedFile, source: string): Meant => {
    if (familyOf(file.language) === 'go') return goPackage(source, group);
    const paths = resolved(file, source);
    if (paths.some((path) => carriers.has(path))) return 'yes';
    if (paths.length === 0) return outside(file, source, group, tree);
    // A file that passes everything on does not hold the name itself.
    if (alone) return 'yes';
    return paths.every((path) => declaresOther(named.get(path), group)) ? 'no' : 'unknown';
  };
  for (let before = -1; before !== carriers.size; ) {
    before = carriers.size;
    for (const file of files)
      if (!carriers.has(file.path) && importsOf(file).some((source) => judge(file, source) === 'yes')) carriers.add(file.path);
  }
  return {
    taken: judge,
    free: (file) => free(file, group, judge, alone),
    behind: (file, place) => behind(file, place, { group, judge, alone }),
  };
}

/** An import of Go names a folder below its module; the folder of the module itself bears any name. */
function goPackage(source: string, { declarations }: Group): Meant {
  const folders = [...new Set(declarations.map((one) => posix.dirname(one.file.path)))];
  if (folders.some((folder) => source === folder || source.endsWith(`/${folder}`))) return 'yes';
  return folders.includes('.') && source.includes('/') ? 'unknown' : 'no';
}

const importsOf = ({ read }: NamedFile): string[] =>
  read.places.filter(({ isNew, source }) => !isNew && source !== undefined && source !== '').map(({ source }) => source ?? '');

const declaresOther = (file: NamedFile | undefined, group: Group): boolean =>
  file?.read.places.some(
    (place) => !place.isNew && place.declares === 'own' && place.kind !== 'member' && place.scopes.length === 0,
  ) === true && !group.declarations.some((one) => one.file.path === file.path);

/** An import that names no file of the tree. */
function outside(file: NamedFile, source: string, group: Group, tree: readonly { path: string }[]): Meant {
  const family = familyOf(file.language);
  if (family === 'javascript' || family === 'python') return 'no';
  if (family === 'rust') {
    const first = /(?:use|crate)\s+(?:::)?([\p{L}_][\p{L}\p{N}_]*)/u.exec(source)?.[1] ?? '';
    const isOurs =
      ROOTS.has(first) ||
      tree.some(({ path }) => path.split('/').some((part) => part.replace(/\.rs$/, '').replaceAll('-', '_') === first));
    return isOurs ? 'yes' : 'no';
  }
  const path = /(?:import|use|using)\s+(?:static\s+|function\s+|const\s+)?([\p{L}\p{N}_.\\]+)/u.exec(source)?.[1] ?? '';
  const parts = path
    .split(/[.\\]/)
    .filter((part) => part !== '')
    .slice(0, -1);
  if (parts.length === 0) return 'yes';
  const folders = group.declarations.map((one) => posix.dirname(one.file.path).split('/'));
  return folders.some((folder) => parts.slice(-2).some((part) => folder.at(-1)?.toLowerCase() === part.toLowerCase())) ||
    group.declarations.some((one) => parts.at(-1) === posix.basename(one.file.path).replace(/\.\w+$/, ''))
    ? 'yes'
    : 'no';
}

function free(file: NamedFile, group: Group, judge: (file: NamedFile, source: string) => Meant, alone: boolean): Meant {
  const family = familyOf(file.language);
  if (family !== group.family && !(family === 'c' && group.family === 'cpp') && !(family === 'cpp' && group.family === 'c'))
    return 'no';
  const same = group.declarations.some((one) => posix.dirname(one.file.path) === posix.dirname(file.path));
  if (family === 'go') return same ? 'yes' : 'no';
  if (family === 'javascript') return 'no';
  if (family === 'python') {
    const stars = file.read.imports.filter(({ names }) => names.some(([name, alias]) => name === '*' && alias === '*'));
    return stars.some(({ source }) => judge(file, source) === 'yes') ? 'yes' : 'no';
  }
  if (alone) return 'yes';
  return same && ['java', 'kotlin', 'scala', 'csharp', 'php'].includes(family) ? 'yes' : 'unknown';
}

function behind(
  file: NamedFile,
  place: NamePlace,
  {
    group,
    judge,
    alone,
  }: { readonly group: Group; readonly judge: (file: NamedFile, source: string) => Meant; readonly alone: boolean },
): Meant {
  const family = familyOf(file.language);
  const { before } = place;
  const own = group.declarations.some((one) => one.file.path === file.path);
  if (family === 'javascript' && own && /^(?:module\.)?exports$/.test(before)) return 'yes';
  if (before === '') return 'no';
  if (family === 'rust') {
    const last = before.split('::').at(-1) ?? '';
    const stems = group.declarations.flatMap((one) =>
      one.file.path
        .replace(/(?:\/(?:mod|lib|main))?\.rs$/, '')
        .split('/')
        .slice(-1),
    );
    return (place.path && ROOTS.has(last)) ||
      (place.path && stems.includes(last)) ||
      (alone && group.kind === 'type' && place.path)
      ? 'yes'
      : 'no';
  }
  if (family === 'go' || family === 'javascript' || family === 'python') {
    const from = file.read.imports.filter(({ source, names }) => isNamedBy(before, source, names, family));
    const meant = from.map(({ source, names }) => judge(file, moduleOf(source, names, before, family)));
    return meant.includes('yes') ? 'yes' : meant.includes('unknown') ? 'unknown' : 'no';
  }
  if (family === 'cpp' && !place.path) return 'no';
  return group.kind === 'type' || family === 'cpp' ? (alone ? 'yes' : 'unknown') : 'no';
}

/** Is a word before the dot what an import brings as a whole? */
function isNamedBy(before: string, source: string, names: readonly (readonly [string, string])[], family: string): boolean {
  if (family === 'go') {
    const alias = names[0]?.[1];
    const last =
      source
        .split('/')
        .filter((part) => !/^v\d+$/.test(part))
        .at(-1) ?? '';
    return before === (alias === undefined || alias === '*' || alias === '' ? last : alias);
  }
  if (names.some(([, alias]) => alias === before)) return true;
  return family === 'python' && source === before;
}

/** `from pkg import mod` and `mod.name`: the module is `pkg.mod`. */
function moduleOf(source: string, names: readonly (readonly [string, string])[], before: string, family: string): string {
  if (family !== 'python') return source;
  const name = names.find(([, alias]) => alias === before)?.[0];
  return name === undefined || name === '*' ? source : `${source}${source.endsWith('.') ? '' : '.'}${name}`;
}
