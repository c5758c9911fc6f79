/** Lines of a model's text made harmless: what could reorder, hide or pile up letters is shown as its code or taken out. */

/** Marks that join letters into emoji and choose their form stay; everything else invisible does not. */
const ODD = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Soft hyphens, spaces without width, marks of direction that move nothing by themselves. */
const DROPPED = /^(?:[\u00ad\u200b\u200c\u200e\u200f\u2060\ufeff]|[\u{e0100}-\u{e01ef}])$/u;
const PLAIN = /^[\x20-\x7e]*$/;

/** One line without its line end, free of escape sequences already. Tabs stay. */
export function harmlessLine(line: string): string {
  if (PLAIN.test(line)) return line;
  return line
    .replace(ODD, (letter, at: number) => {
      if (letter === '\t') return letter;
      if (DROPPED.test(letter)) return '';
      if (letter === '\ufe0f' || letter === '\ufe0e') return at > 0 ? letter : '';
      if (letter === '\u200d') return joins(line, at) ? letter : '';
      return `<U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
    })
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .replace(/[\p{Zs}]/gu, ' ');
}

/** A joiner only between two pictures; elsewhere it would hide. */
function joins(line: string, at: number): boolean {
  return (
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?$/u.test(line.slice(Math.max(0, at - 3), at)) &&
    /^\u200d\p{Extended_Pictographic}/u.test(line.slice(at, at + 3))
  );
}

/** Tabs as spaces up to the next stop of four columns. */
export function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let out = '';
  for (const letter of line) out += letter === '\t' ? ' '.repeat(4 - (out.length % 4)) : letter;
  return out;
}
