/** Decides by trees alone which places a rename changes, or why it is not made. */

import { collisionsOf } from './collisions.js';
import { boundTo, type Declaration, declarationText, type Group, groupsOf } from './groups.js';
import { type Reach, reachOf } from './reach.js';
import type { NamedFile, NameKind, NamePlace } from './types.js';
import { familyOf, whyNoName } from './words.js';

export interface RenameAsked {
  readonly old: string;
  readonly new: string;
  readonly kind?: NameKind;
  /** The file that declares it, as paths of files are written, and a line in it. */
  readonly file?: string;
  readonly line?: number;
}

/** A change of a text: offsets without the byte order mark. */
export interface NameEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Chosen {
  readonly group: Group;
  readonly edits: ReadonlyMap<string, readonly NameEdit[]>;
  /** Places of the name in code that stay, with the reason. */
  readonly left: readonly { readonly path: string; readonly line: number; readonly why: string }[];
  /** Places of a member taken by their name alone. */
  readonly byName: number;
}

export type Choice =
  | { readonly ok: true; readonly chosen: Chosen }
  | {
      readonly ok: false;
      readonly code: 'NotFound' | 'Ambiguous' | 'Conflict' | 'InvalidArgs' | 'Failed';
      readonly message: string;
    };

const MOST_LISTED = 30;
/** Languages where a member is called without a word before it. */
const BARE_MEMBERS: ReadonlySet<string> = new Set(['java', 'kotlin', 'csharp', 'scala', 'swift', 'cpp', 'ruby']);

/** `tree`: all source files there are. */
export function chooseNames(
  files: readonly NamedFile[],
  tree: readonly { path: string; language: string }[],
  asked: RenameAsked,
): Choice {
  const all = groupsOf(files, undefined);
  const groups = groupsOf(files, asked.kind);
  if (groups.length === 0) return { ok: false, code: 'NotFound', message: '' };
  const picked = pick(groups, asked);
  if ('message' in picked) return { ok: false, code: 'Ambiguous', message: picked.message };
  const { group } = picked;
  const rivals = all.filter((one) => one.key !== group.key && one.scope === undefined && one.signed === group.signed);
  const plainRivals = rivals.filter(({ kind }) => kind !== 'member');
  const memberRivals = groupsOf(files, 'member').filter((one) => one.key !== group.key);
  if (group.kind === 'member' && memberRivals.length > 0)
    return refused(
      'Ambiguous',
      'a parser cannot tell whose member is meant where it is used. Also declared',
      memberRivals.flatMap(({ declarations }) => declarations),
    );
  const reach = reachOf(group, files, tree, plainRivals.length === 0);
  const takes = files.map((file) => ({ file, ...takenIn(file, group, reach) }));
  const unknown = takes.flatMap(({ file, unknown: places }) => places.map((place) => ({ file, place })));
  if (unknown.length > 0)
    return refused('Ambiguous', 'a parser cannot tell which declaration is meant at these places', unknown, true);
  const touched = takes.filter(({ taken }) => taken.length > 0);
  const bad =
    wordFault(
      touched.map(({ file }) => file),
      group,
      asked,
    ) ??
    brokenFault(takes.filter(({ file, taken }) => taken.length > 0 || file.read.faultLine !== undefined).map(({ file }) => file));
  if (bad) return bad;
  const collisions = collisionsOf(group, touched, files);
  if (collisions.length > 0)
    return refused('Conflict', `${asked.new} already means something where ${asked.old} is used or declared`, collisions, true);
  const left = takes.flatMap(({ file, left: places }) =>
    places.map(({ place, why }) => ({ path: file.path, line: place.line, why })),
  );
  const edits = new Map(
    touched.map(({ file, taken }) => [file.path, taken.map((place) => editOf(place, group, asked))] as const),
  );
  const byName =
    group.kind === 'member'
      ? touched.reduce((sum, { taken }) => sum + taken.filter(({ declares }) => declares !== 'own').length, 0)
      : 0;
  return { ok: true, chosen: { group, edits, left, byName } };
}

function pick(groups: readonly Group[], asked: RenameAsked): { readonly group: Group } | { readonly message: string } {
  const all = groups.flatMap(({ declarations }) => declarations);
  const there =
    asked.file === undefined ? groups : groups.filter(({ declarations }) => declarations.some((one) => isAt(one, asked)));
  const [first] = there;
  if (first && there.length === 1) return { group: first };
  const outer = there.filter(({ scope }) => scope === undefined);
  if (asked.file !== undefined && asked.line === undefined && outer.length === 1 && outer[0]) return { group: outer[0] };
  const where = asked.line === undefined ? (asked.file ?? '') : `${asked.file}:${asked.line}`;
  if (there.length === 0)
    return { message: `${asked.old} is not declared at ${where}, but at:\n${listed(all.map(declarationText))}` };
  const how =
    asked.file === undefined
      ? 'Name the file that declares the one you mean (file, and line when it declares several), or a kind, or a smaller dir'
      : 'Give the line of the one you mean too, or a kind';
  return {
    message: `${there.length} declarations of ${asked.old} have nothing to do with each other. ${how}:\n${listed(there.flatMap(({ declarations }) => declarations).map(declarationText))}`,
  };
}

const isAt = ({ file, place }: Declaration, asked: RenameAsked): boolean =>
  file.path === asked.file && (asked.line === undefined || place.line === asked.line);

export interface Taken {
  readonly taken: readonly NamePlace[];
  readonly unknown: readonly NamePlace[];
  readonly left: readonly { readonly place: NamePlace; readonly why: string }[];
}

function takenIn(file: NamedFile, group: Group, reach: Reach): Taken {
  const places = file.read.places.filter(({ isNew }) => !isNew);
  const declared = places.filter(({ declares, kind }) => declares !== undefined && declares !== 'key' && kind !== 'member');
  const taken: NamePlace[] = [];
  const unknown: NamePlace[] = [];
  const left: { place: NamePlace; why: string }[] = [];
  for (const place of places) {
    const said =
      group.kind === 'member' ? memberSays(place, file, group, declared) : plainSays(place, { file, group, reach, declared });
    if (said === 'yes') taken.push(place);
    else if (said === 'unknown') unknown.push(place);
    else left.push({ place, why: said });
  }
  return { taken, unknown, left };
}

function memberSays(place: NamePlace, file: NamedFile, group: Group, declared: readonly NamePlace[]): string {
  const family = familyOf(file.language);
  if (!related(family, group.family)) return 'another language';
  if (place.role === 'label') return 'a label';
  if (place.role === 'module') return 'a module';
  if (place.role === 'argument') return isArgumentOf(place, group) ? 'yes' : 'the name of an argument';
  if (place.role === 'symbol') return place.called ? 'yes' : 'a symbol';
  if (place.role === 'field') return isAccessor(file) ? 'yes' : 'a field';
  if (place.short) return 'yes';
  if (place.role === 'member') return 'yes';
  if (place.kind === 'member') return 'yes';
  if (place.declares !== undefined) return 'another declaration';
  if (!BARE_MEMBERS.has(family)) return 'no member';
  if (boundTo(place, declared) !== undefined) return 'a local name';
  return 'yes';
}

function plainSays(
  place: NamePlace,
  {
    file,
    group,
    reach,
    declared,
  }: { readonly file: NamedFile; readonly group: Group; readonly reach: Reach; readonly declared: readonly NamePlace[] },
): string {
  const family = familyOf(file.language);
  if (!related(family, group.family)) return 'another language';
  if (place.role === 'label') return 'a label';
  if (place.role === 'argument') return isArgumentOf(place, group) ? 'yes' : 'the name of an argument';
  if (place.role === 'symbol') return place.called && group.kind === 'function' ? 'yes' : 'a symbol';
  if (place.role === 'field') return 'a field';
  if (place.role === 'module') return 'a module';
  if (place.signed !== group.signed) return 'another kind of name';
  if (place.kind === 'member' || place.declares === 'key') return 'a member';
  const here = group.declarations.some((one) => one.file.path === file.path);
  if (group.scope !== undefined) {
    if (!here || place.role === 'member') return 'not in the scope';
    const own = place.declares === 'own' ? place.scopes.at(-1) : boundTo(place, declared);
    return own === group.scope ? 'yes' : 'not in the scope';
  }
  if (place.role === 'member') {
    const meant = reach.behind(file, place);
    return meant === 'no' ? 'a member' : meant;
  }
  if (place.source === '') return 'the name of another thing here';
  if (place.source !== undefined && place.scopes.length === 0) {
    const meant = reach.taken(file, place.source);
    return meant === 'no' ? `imported from elsewhere` : meant;
  }
  if (place.declares === 'own' && place.scopes.length > 0) return 'a local name';
  if (boundTo(place, declared) !== undefined) return 'a local name';
  const own = declared.some(({ declares, scopes }) => declares === 'own' && scopes.length === 0);
  if (own) return here ? 'yes' : 'another declaration';
  const imported = declared.find(({ declares, scopes }) => declares === 'import' && scopes.length === 0);
  if (imported) {
    const meant = imported.source === '' ? 'no' : reach.taken(file, imported.source ?? '');
    return meant === 'no' ? 'imported from elsewhere' : meant;
  }
  const meant = reach.free(file);
  return meant === 'no' ? 'not declared in its file' : meant;
}

const related = (a: string, b: string): boolean =>
  a === b ||
  (/^(?:c|cpp)$/.test(a) && /^(?:c|cpp)$/.test(b)) ||
  (/^(?:java|kotlin|scala)$/.test(a) && /^(?:java|kotlin|scala)$/.test(b));

/** `f(name=1)` names a parameter of `f`. */
const isArgumentOf = (place: NamePlace, { declarations }: Group): boolean =>
  declarations.some(({ place: one }) => one.parameter && one.container !== '' && one.container === place.before) ||
  declarations.some(({ place: one }) => one.kind === 'member' && one.container !== '' && one.container === place.before);

const isAccessor = ({ read }: NamedFile): boolean =>
  read.places.some(({ role, isNew, declares }) => role === 'symbol' && !isNew && declares === 'own');

function editOf(place: NamePlace, group: Group, names: RenameAsked): NameEdit {
  const { from, to } = place;
  if (!place.short) return { from, to, text: names.new };
  return { from, to, text: group.kind === 'member' ? `${names.new}: ${names.old}` : `${names.old}: ${names.new}` };
}

function wordFault(files: readonly NamedFile[], group: Group, asked: RenameAsked): Choice | undefined {
  for (const { path, language } of files) {
    const why = whyNoName(asked.new, language, group.kind === 'member');
    if (why) return { ok: false, code: 'InvalidArgs', message: `${JSON.stringify(asked.new)} ${why} in ${path} (${language})` };
  }
  return undefined;
}

function brokenFault(files: readonly NamedFile[]): Choice | undefined {
  const broken = files.filter(({ read }) => read.faultLine !== undefined && read.places.some(({ isNew }) => !isNew));
  if (broken.length === 0) return undefined;
  const lines = broken.map(({ path, read }) => `${path}:${read.faultLine}`);
  return {
    ok: false,
    code: 'Failed',
    message: `files with the name have syntax errors, so it cannot be told what it is there. Mend them first, or choose a dir without them:\n${listed(lines)}`,
  };
}

function refused(code: 'Ambiguous' | 'Conflict', why: string, places: readonly Declaration[], bare = false): Choice {
  const lines = places.map((one) => (bare ? `${one.file.path}:${one.place.line}` : declarationText(one)));
  const how =
    code === 'Ambiguous'
      ? '\nWith a language server and file (and line) it can be told; or choose a smaller dir.'
      : '\nTake another name, or rename that first.';
  return { ok: false, code, message: `${why}:\n${listed(lines)}${how}` };
}

/** A list with its end cut, each line once. */
export function listed(lines: readonly string[]): string {
  const all = [...new Set(lines)];
  const more = all.length > MOST_LISTED ? [`... and ${all.length - MOST_LISTED} more`] : [];
  return [...all.slice(0, MOST_LISTED), ...more].map((line) => `- ${line}`).join('\n');
}
