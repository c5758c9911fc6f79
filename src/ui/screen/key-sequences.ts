/** What the escape sequences of keyboards mean, in the spellings of xterm, rxvt, the Linux console, kitty and modifyOtherKeys. */
import type { Key, KeyName } from './port.js';

type Named = Extract<Key, { kind: 'key' }>;

/** `ignored` is a reply or a report: no key at all. */
export type Meaning = Key | { readonly kind: 'ignored' } | { readonly kind: 'paste-start' };

const IGNORED: Meaning = { kind: 'ignored' };
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
/** Command and its like: no text comes of these. */
const OTHER = 0b111000;

const FINALS: Readonly<Record<string, KeyName>> = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end' };
const NUMBERS: Readonly<Record<number, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const CODES: Readonly<Record<number, KeyName>> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57426: 'delete',
};
/** Keypad of kitty from 57399 on. */
const KITTY_PAD = '0123456789./*-+';
const SS3_PAD: Readonly<Record<string, string>> = { j: '*', k: '+', l: ',', m: '-', n: '.', o: '/', X: '=' };

/** A key with its modifiers as bits: 1 Shift, 2 Alt, 4 Ctrl. */
export function named(name: KeyName, bits = 0, letter?: string): Named {
  const flags = { ctrl: (bits & CTRL) !== 0, alt: (bits & ALT) !== 0, shift: (bits & SHIFT) !== 0 };
  return letter === undefined ? { kind: 'key', name, ...flags } : { kind: 'key', name, letter, ...flags };
}

/** A control character, 0 to 31 or 127. `bits` are added. */
export function controlKey(code: number, bits = 0): Named {
  if (code === 0x0d) return named('enter', bits);
  if (code === 0x0a) return named('enter', bits | CTRL);
  if (code === 0x09) return named('tab', bits);
  if (code === 0x7f || code === 0x08) return named('backspace', bits);
  if (code === 0x1b) return named('escape', bits);
  if (code === 0) return named('unknown', bits | CTRL);
  return named('letter', bits | CTRL, String.fromCharCode(code < 0x1b ? code + 0x60 : code + 0x40));
}

/** A printable character with Ctrl or Alt. */
export function letterKey(letter: string, bits: number): Named {
  const lower = letter.toLowerCase();
  return named('letter', lower === letter ? bits : bits | SHIFT, lower);
}

/** `ESC [ … final`: `body` is what stands between, `final` the last character. */
export function meaningOfCsi(body: string, final: string, bits = 0): Meaning {
  if (/^[?<=>]/.test(body)) return IGNORED;
  if (body === '' && (final === 'I' || final === 'O')) return IGNORED;
  const groups = body.split(';').map((group) => group.split(':').map((number) => (number === '' ? 0 : Number(number))));
  const first = groups[0]?.[0] ?? 0;
  const mods = bits | Math.max(0, (groups[1]?.[0] ?? 0) - 1);
  if (!groups.flat().every(Number.isSafeInteger)) return named('unknown', bits);
  const arrow = FINALS[final];
  // The release of a key is none.
  if ((groups[1]?.[1] ?? 1) === 3) return IGNORED;
  if (arrow) return named(arrow, mods);
  if (final === 'Z') return named('tab', mods | SHIFT);
  if (final === 'u') return groups[0] && body !== '' ? ofCode(groups[0], mods, groups[2]) : IGNORED;
  if (final === '~') return ofNumber(first, groups, mods);
  if (final === '^' || final === '$' || final === '@') return ofNumber(first, groups, bits | rxvtBits(final));
  if (/^[abcd]$/.test(final) && body === '') return named(FINALS[final.toUpperCase()] ?? 'unknown', bits | SHIFT);
  // Replies about position, device and window, and the mouse of rxvt.
  if ((final === 'R' || final === 'M') && groups.length >= 2) return IGNORED;
  if (/^[cnty]$/.test(final)) return IGNORED;
  return named('unknown', mods);
}

const rxvtBits = (final: string): number => (final === '^' ? CTRL : final === '$' ? SHIFT : CTRL | SHIFT);

function ofNumber(number: number, groups: readonly (readonly number[])[], bits: number): Meaning {
  if (number === 200) return { kind: 'paste-start' };
  if (number === 201) return IGNORED;
  if (number === 27 && groups.length >= 3) return ofCode([groups[2]?.[0] ?? 0], bits);
  return named(NUMBERS[number] ?? 'unknown', bits);
}

/** A key by its character: `codes` are the key and, where told, what it gives with Shift. */
function ofCode(codes: readonly number[], bits: number, typed?: readonly number[]): Meaning {
  const [code = 0, shifted = 0] = codes;
  const name = CODES[code];
  if (name) return named(name, code === 10 ? bits | CTRL : bits);
  const pad = KITTY_PAD[code - 57399];
  if (pad !== undefined) return plainOrLetter(pad, bits);
  if (code < 32 || (code > 127 && code < 160) || (code >= 57344 && code <= 63743) || code > 0x10ffff)
    return named('unknown', bits);
  if (code >= 0xd800 && code < 0xe000) return named('unknown', bits);
  const letter = String.fromCodePoint(code);
  if (typed?.every((one) => one >= 32 && one < 0xd800) && (bits & (CTRL | ALT | OTHER)) === 0)
    return { kind: 'text', text: String.fromCodePoint(...typed) };
  const withShift = shifted >= 32 && shifted < 0xd800 ? String.fromCodePoint(shifted) : letter.toUpperCase();
  return plainOrLetter(letter, bits, withShift);
}

function plainOrLetter(letter: string, bits: number, withShift = letter): Meaning {
  if ((bits & OTHER) !== 0) return named('unknown', bits);
  if ((bits & (CTRL | ALT)) === 0) return { kind: 'text', text: (bits & SHIFT) !== 0 ? withShift : letter };
  if (letter === ' ' && (bits & CTRL) !== 0) return named('unknown', bits);
  return letterKey(letter, bits);
}

/** `ESC O x`, perhaps with a number for the modifiers before the last character. */
export function meaningOfSs3(digits: string, final: string, bits = 0): Meaning {
  const mods = bits | Math.max(0, Number(digits || 1) - 1);
  const arrow = FINALS[final];
  if (arrow) return named(arrow, mods);
  if (final === 'M') return named('enter', mods);
  if (final === 'I') return named('tab', mods);
  if (/^[abcd]$/.test(final)) return named(FINALS[final.toUpperCase()] ?? 'unknown', mods | CTRL);
  const pad = SS3_PAD[final] ?? (final >= 'p' && final <= 'y' ? String(final.charCodeAt(0) - 0x70) : undefined);
  return pad === undefined ? named('unknown', mods) : plainOrLetter(pad, mods);
}
