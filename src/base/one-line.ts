/** Names and texts of others on one line: nothing in them breaks it, moves the cursor or turns its direction. */

/** Line ends, other controls, and marks that hide or turn text. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text with such characters spelled out: `\n`, `\u202e`. */
export function oneLine(text: string): string {
  return text.replace(UNSEEN, (char) =>
    char === '\n'
      ? '\\n'
      : char === '\r'
        ? '\\r'
        : char === '\t'
          ? '\\t'
          : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prose on one line: blanks joined, marks that hide or turn text gone, cut at a word behind `most` characters. */
export function shortProse(text: string, most: number): string {
  const plain = text.replace(/\s+/g, ' ').replace(UNSEEN, '').trim();
  if (plain.length <= most) return plain;
  const cut = plain.slice(0, most);
  const blank = cut.lastIndexOf(' ');
  return `${(blank > most / 2 ? cut.slice(0, blank) : cut).replace(/[\ud800-\udbff]$/, '')}…`;
}
