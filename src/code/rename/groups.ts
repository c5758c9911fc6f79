/** Declarations of one name, put together where they are one thing. */
import { posix } from 'node:path';
import type { NamedFile, NameKind, NamePlace } from './types.js';
import { familyOf } from './words.js';

export interface Declaration {
  readonly file: NamedFile;
  readonly place: NamePlace;
}

/** One thing that is declared, maybe at several places. `scope` undefined: it holds in more than one function. */
export interface Group {
  readonly key: string;
  readonly kind: NameKind;
  readonly family: string;
  readonly scope?: number;
  readonly signed: boolean;
  readonly container: string;
  readonly declarations: readonly Declaration[];
}

/** Here files of a folder, or of a whole program, share names without an import. */
const BY_FOLDER: ReadonlySet<string> = new Set(['go', 'java', 'kotlin', 'scala', 'csharp', 'php']);
const BY_FILE: ReadonlySet<string> = new Set(['javascript', 'python', 'rust', 'shell']);

/** Groups in the order in which they come. `isNew`: those of the new name. */
export function groupsOf(files: readonly NamedFile[], kind: NameKind | undefined, isNew = false): Group[] {
  const all = files.flatMap((file) =>
    file.read.places
      .filter((place) => place.isNew === isNew && place.declares !== undefined && place.declares !== 'import')
      .map((place) => ({ file, place })),
  );
  const own = all.filter(({ place }) => place.declares === 'own' && (kind === undefined || place.kind === kind));
  const real = own.some(({ place }) => place.kind === 'member') ? own.filter(({ place }) => !place.short) : own;
  const weak = all.filter(({ place }) => place.declares === 'key' && (kind === undefined || kind === 'member'));
  // A field that is only assigned, or a key of an object, declares where nothing else does.
  const counted = real.length > 0 ? real : weak.some(({ place }) => place.kind) ? weak.filter(({ place }) => place.kind) : weak;
  const bodies = new Set(counted.filter(({ place }) => place.body && place.kind === 'function').map(({ file }) => file.path));
  const groups = new Map<string, Declaration[]>();
  for (const one of counted) {
    const key = keyOf(one, bodies.size);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, declarations]) => groupFrom(key, declarations));
}

function groupFrom(key: string, declarations: readonly Declaration[]): Group {
  const { place, file } = declarations[0] as Declaration;
  const scope = place.scopes.at(-1);
  const member = place.kind === 'member' || place.declares === 'key';
  return {
    key,
    kind: member ? 'member' : (place.kind ?? 'variable'),
    family: familyOf(file.language),
    ...(scope !== undefined && !member ? { scope } : {}),
    signed: place.signed && !member,
    container: place.container,
    declarations,
  };
}

function keyOf({ file, place }: Declaration, bodies: number): string {
  const family = familyOf(file.language);
  const sign = place.signed ? '$' : '';
  if (place.kind === 'member' || place.declares === 'key')
    return `${family} member ${place.container || (place.declares === 'key' ? '' : file.path)}`;
  const scope = place.scopes.at(-1);
  if (scope !== undefined) return `${file.path} ${sign}${scope}`;
  if (BY_FILE.has(family) || place.signed) return `${file.path} ${sign}`;
  if (BY_FOLDER.has(family)) return `${family} ${posix.dirname(file.path)}`;
  const apart = (family === 'c' || family === 'cpp') && place.kind === 'function' && bodies > 1 && place.body;
  return apart ? file.path : `${family === 'cpp' ? 'c' : family} all`;
}

/** `src/a.ts:3 (function)`, each with what it belongs to. */
export function declarationText({ file, place }: Declaration): string {
  const what = place.declares === 'key' ? 'member' : place.parameter ? 'parameter' : (place.kind ?? 'variable');
  const of = place.container !== '' && (place.kind === 'member' || place.parameter) ? ` of ${place.container}` : '';
  const local = place.scopes.length > 0 && !place.parameter && place.kind !== 'member' ? 'local ' : '';
  return `${file.path}:${place.line} (${local}${what}${of})`;
}

/** The scope a plain name is bound to in its file by a declaration around it, or undefined for the file itself. */
export function boundTo(place: NamePlace, declared: readonly NamePlace[]): number | undefined {
  for (const scope of place.scopes.toReversed())
    if (declared.some((one) => one.signed === place.signed && one.role === 'plain' && one.scopes.at(-1) === scope)) return scope;
  return undefined;
}
