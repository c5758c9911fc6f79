/** Places where the new name would be taken for something else, or something else for it. */
import { posix } from 'node:path';
import { boundTo, type Declaration, type Group, groupsOf } from './groups.js';
import type { NamedFile, NamePlace } from './types.js';
import { familyOf } from './words.js';

interface Touched {
  readonly file: NamedFile;
  readonly taken: readonly NamePlace[];
}

const BY_FOLDER: ReadonlySet<string> = new Set(['go', 'java', 'kotlin', 'scala', 'csharp', 'php', 'c', 'cpp', 'swift', 'ruby']);

export function collisionsOf(group: Group, touched: readonly Touched[], files: readonly NamedFile[]): Declaration[] {
  if (group.kind === 'member') return memberCollisions(group, touched, files);
  const inFiles = touched.flatMap(({ file, taken }) => plainCollisions(group, file, taken).map((place) => ({ file, place })));
  return [...inFiles, ...(group.scope === undefined ? sharedCollisions(group, touched, files) : [])];
}

const isPlain = (place: NamePlace, signed: boolean): boolean =>
  place.isNew &&
  place.kind !== 'member' &&
  place.declares !== 'key' &&
  place.signed === signed &&
  (place.role === 'plain' || place.declares !== undefined);

function plainCollisions(group: Group, file: NamedFile, taken: readonly NamePlace[]): NamePlace[] {
  const news = file.read.places.filter((place) => isPlain(place, group.signed));
  const declared = news.filter(({ declares }) => declares !== undefined);
  const plain = taken.filter(({ role }) => role === 'plain');
  return news.filter((place) => {
    if (place.declares !== undefined) {
      const scope = place.scopes.at(-1);
      // It would catch a use of the name, or stand beside its declaration.
      return scope === undefined ? group.scope === undefined : plain.some(({ scopes }) => scopes.includes(scope));
    }
    if (boundTo(place, declared) !== undefined) return false;
    if (group.scope !== undefined) return place.scopes.includes(group.scope);
    return plain.length > 0;
  });
}

/** Declared in another file that shares its names with one that declares ours. */
function sharedCollisions(group: Group, touched: readonly Touched[], files: readonly NamedFile[]): Declaration[] {
  if (!BY_FOLDER.has(group.family)) return [];
  const folders = new Set(group.declarations.map(({ file }) => posix.dirname(file.path)));
  const known = new Set(touched.map(({ file }) => file.path));
  return files
    .filter(
      (file) =>
        familyOf(file.language) === group.family &&
        !known.has(file.path) &&
        (folders.has(posix.dirname(file.path)) || group.family === 'ruby'),
    )
    .flatMap((file) =>
      file.read.places
        .filter((place) => isPlain(place, group.signed) && place.declares === 'own' && place.scopes.length === 0)
        .map((place) => ({ file, place })),
    );
}

/** The same type has such a member; or a bare use would be caught by something local. */
function memberCollisions(group: Group, touched: readonly Touched[], files: readonly NamedFile[]): Declaration[] {
  const containers = new Set(group.declarations.map(({ place }) => place.container));
  const same = groupsOf(files, 'member', true)
    .filter((one) => one.family === group.family && containers.has(one.container) && one.container !== '')
    .flatMap(({ declarations }) => declarations);
  const local = touched.flatMap(({ file, taken }) => {
    const bare = taken.filter(({ role, declares, short }) => role === 'plain' && declares === undefined && !short);
    const declared = file.read.places.filter((place) => isPlain(place, false) && place.declares === 'own');
    return declared
      .filter((place) => bare.some(({ scopes }) => scopes.includes(place.scopes.at(-1) ?? -1)))
      .map((place) => ({ file, place }));
  });
  return [...same, ...local];
}
