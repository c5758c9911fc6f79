/** How one letter of the input looks: nothing in it can mislead, move the cursor elsewhere or stay unseen. */

import { lettersOf } from '../letters.js';
import { clusterWidth, columnsOf } from '../markdown/cells.js';

export interface Shown {
  readonly text: string;
  readonly columns: number;
  /** It stands for something that has no looks of its own. */
  readonly stands: boolean;
}

const PLAIN = /^[\x20-\x7e]$/;
/** Marks that change the direction, invisible letters, what no script uses. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u00ad\u061c\u2800\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/u;
/** Icon fonts draw these. */
const ICON = /^[\ue000-\uf8ff\u{f0000}-\u{f1fff}]$/u;
/** Joiners and variants are a part of letters; so are the tags of three flags. */
const PART = /\u200c|\u200d|[\ufe00-\ufe0f]/gu;
const TAG_FLAG = /^\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}$/u;
/** More joiners and variants than this in one letter carry something else. */
const MOST_PARTS = 8;

const TAB: Shown = { text: '  ', columns: 2, stands: false };

const MOST_KNOWN = 4000;
const known = new Map<string, Shown>();

/** A tab is two blanks; what cannot be seen is shown as its code. */
export function showLetter(letter: string): Shown {
  const found = known.get(letter);
  if (found) return found;
  const shown = look(letter);
  if (known.size >= MOST_KNOWN) known.clear();
  if (letter.length <= 32) known.set(letter, shown);
  return shown;
}

function look(letter: string): Shown {
  if (PLAIN.test(letter)) return { text: letter, columns: 1, stands: false };
  if (letter === '\t') return TAB;
  if (ICON.test(letter)) return { text: letter, columns: Math.max(1, clusterWidth(letter)), stands: false };
  const parts = letter.match(PART)?.length ?? 0;
  const bare = parts > 0 && parts <= MOST_PARTS ? letter.replace(PART, '') : letter;
  const isFine = bare !== '' && (!UNSEEN.test(bare) || TAG_FLAG.test(letter));
  const columns = isFine ? clusterWidth(letter) : 0;
  if (columns > 0) return { text: letter, columns, stands: false };
  const text = Array.from(letter, (one) => (columns > 0 || UNSEEN.test(one) || bare === '' || isFine ? code(one) : one)).join('');
  return { text, columns: columnsOf(text), stands: true };
}

/** A whole text, letter by letter. */
export function showText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return Array.from(lettersOf(text), ({ letter }) => showLetter(letter).text).join('');
}

const code = (letter: string): string => `<U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
