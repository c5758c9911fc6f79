/** Is a change of text a renaming and nothing else? Old text and new are compared piece by piece. */

/** The two names of a rename. */
export interface Names {
  readonly old: string;
  readonly new: string;
}

/** A change of a text: offsets from 0, and what comes there instead. */
export interface Replacing {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export const isWordPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);

/** Offsets at which a name stands in a text as a whole word. */
export function wholeWords(text: string, name: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(name); name !== '' && at >= 0; at = text.indexOf(name, at + 1)) {
    const before = isWordPart(name[0]) && isWordPart(text[at - 1]);
    const after = isWordPart(name.at(-1)) && isWordPart(text[at + name.length]);
    if (!before && !after) found.push(at);
  }
  return found;
}

/** One name with signs of its language (`--main-color`, `foo?`): no blanks, quotes or brackets. */
const SIGNED_NAME = /^[^\s()[\]{}<>;,"'`]{1,200}$/;

/**
 * How many names a change renames; undefined when it does anything else. A range may hold a part of a name, one name, or a whole
 * file; beside its names nothing may differ. The new name may also come beside the old one: `{ a }` -> `{ a: b }`, `a as b`.
 */
export function renamedIn(text: string, edit: Replacing, names: Names): number | undefined {
  const slice = text.slice(edit.from, edit.to);
  if (edit.text === names.new && slice.includes(names.old) && SIGNED_NAME.test(slice)) return 1;
  let { from, to } = edit;
  while (from > 0 && isWordPart(text[from - 1])) from--;
  while (to < text.length && isWordPart(text[to])) to++;
  const before = text.slice(from, to);
  return matched(before, text.slice(from, edit.from) + edit.text + text.slice(edit.to, to), names);
}

/** The search remembers where it was, so its time grows with the texts only. */
function matched(before: string, after: string, names: Names): number | undefined {
  const places = wholeWords(before, names.old);
  const pieces = places.map((at, index) => before.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + names.old.length, at));
  const last = places.at(-1);
  const rest = before.slice(last === undefined ? 0 : last + names.old.length);
  const choices = spellings(names);
  const seen = new Set<string>();
  const open = [{ index: 0, at: 0, count: 0 }];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const { index, at, count } = state;
    const piece = pieces[index];
    if (piece === undefined) {
      if (after.length - at === rest.length && after.endsWith(rest)) return count;
      continue;
    }
    if (!after.startsWith(piece, at)) continue;
    const next = at + piece.length;
    for (const choice of choices) {
      const key = `${index + 1}:${next + choice.length}`;
      if (!after.startsWith(choice, next) || seen.has(key)) continue;
      seen.add(key);
      open.push({ index: index + 1, at: next + choice.length, count: count + Number(choice !== names.old) });
    }
  }
  return undefined;
}

/** What may stand where the old name stood; the likeliest last, as it is tried first. */
function spellings({ old, new: name }: Names): readonly string[] {
  const plain = name.replace(/^\$/, '');
  const news = old.startsWith('$') ? [...new Set([`$${plain}`, plain, name])] : [name];
  const beside = news.flatMap((each) =>
    [': ', ':', ' as '].flatMap((between) => [`${old}${between}${each}`, `${each}${between}${old}`]),
  );
  return [...beside, old, ...news];
}
