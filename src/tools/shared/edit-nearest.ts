/** For a search that was not found: the real region most like it, and where the two first differ. Only ever shown, never applied. */

import { splitBreaks, splitLines } from '../../base/text-lines.js';
import { counted } from './counted.js';

const MOST_LINES = 100_000;
/** Of a larger file only so many characters at its beginning are compared. */
const MOST_CHARACTERS = 2_000_000;
/** Lines are told apart by their first so many characters. */
const COMPARED = 400;
const MOST_SHOWN = 12;
const MOST_WIDTH = 160;

/** A few lines for the message, or undefined when nothing is alike. `called` is what the message calls the searched text. */
export function nearestRegion(text: string, search: string, called = 'search'): string | undefined {
  const lines = splitLines(text.slice(0, MOST_CHARACTERS))
    .slice(0, MOST_LINES)
    .map((line) => line.text);
  const { pieces } = splitBreaks(search);
  const wanted = pieces.length > 1 && pieces.at(-1) === '' ? pieces.slice(0, -1) : pieces;
  const from = byEqualLines(lines, wanted) ?? byLikeness(lines, wanted);
  if (from === undefined) return undefined;
  const start = Math.max(0, from);
  const region = lines.slice(start, from + wanted.length);
  const shown = region.slice(0, MOST_SHOWN).map((line, i) => `${String(start + i + 1).padStart(4)} | ${clip(line)}`);
  if (region.length > MOST_SHOWN) shown.push(`     ... ${counted(region.length - MOST_SHOWN, 'more line')}`);
  const different = wanted.findIndex((piece, i) => piece !== lines[from + i]);
  const here = lines[from + different];
  const difference =
    different < 0
      ? ''
      : here === undefined
        ? `\nFirst difference: the file ends before line ${different + 1} of ${called} (${visible(wanted[different] ?? '')}).`
        : `\nFirst difference, line ${from + different + 1}: the file has ${visible(here)}, ${called} has ${visible(wanted[different] ?? '')}.`;
  return `Nearest text, lines ${start + 1}-${start + region.length}:\n${shown.join('\n')}${difference}`;
}

/** The offset at which most lines are equal but for white space; lines that occur often count less. */
function byEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [i, line] of lines.entries()) {
    const key = bare(line);
    if (key === '') continue;
    const list = places.get(key);
    if (list) list.push(i);
    else places.set(key, [i]);
  }
  const votes = new Map<number, number>();
  for (const [j, piece] of wanted.entries()) {
    const list = places.get(bare(piece)) ?? [];
    if (list.length > 200) continue;
    for (const i of list) votes.set(i - j, (votes.get(i - j) ?? 0) + bare(piece).length / list.length);
  }
  let best: number | undefined;
  for (const [offset, score] of votes) {
    if (offset > -wanted.length && (best === undefined || score > (votes.get(best) ?? 0))) best = offset;
  }
  return best;
}

/** The line most like the longest searched line, by shared pairs of letters; at least half of them. */
function byLikeness(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((best, piece, i) => (bare(piece).length > bare(wanted[best] ?? '').length ? i : best), 0);
  const target = new Map([...pairsOf(bare(wanted[longest] ?? '').slice(0, COMPARED))].map((pair, number) => [pair, number]));
  if (target.size < 3) return undefined;
  const seen = new Int32Array(target.size).fill(-1);
  // Most pairs are none of the wanted ones, which a small table tells at once.
  const maybe = new Uint8Array(0x10000);
  for (const pair of target.keys()) maybe[slotOf(pair)] = 1;
  let best: { line: number; score: number } | undefined;
  for (const [i, line] of lines.entries()) {
    // Too short to share enough.
    if (line.length < target.size / 3) continue;
    if (!mayShare(line, maybe, target.size)) continue;
    const text = bare(line.slice(0, 2 * COMPARED)).slice(0, COMPARED);
    const shared = sharedPairs(text, target, seen, i);
    const least = Math.max(0.5, best?.score ?? 0);
    // With no pair of its own a line would score most: its own are counted only where that is enough.
    if ((2 * shared) / (target.size + shared) < least) continue;
    const score = (2 * shared) / (target.size + pairsOf(text).size);
    if (score >= 0.5 && score > (best?.score ?? 0)) best = { line: i, score };
  }
  return best && best.line - longest;
}

/** Whether enough letters begin a pair that may be wanted: a third of the wanted ones at least. */
function mayShare(line: string, maybe: Uint8Array, wanted: number): boolean {
  const end = Math.min(line.length, 2 * COMPARED) - 1;
  let found = 0;
  for (let at = 0; at < end; at++) found += maybe[slotOf(pairAt(line, at))] ?? 0;
  return 3 * found + 3 >= wanted;
}

/** Pairs of `target` that stand in the text, each once; `seen` notes by the number of the line which were counted. */
function sharedPairs(text: string, target: ReadonlyMap<number, number>, seen: Int32Array, line: number): number {
  let shared = 0;
  for (let at = 0; at + 1 < text.length; at++) {
    const number = target.get(pairAt(text, at));
    if (number === undefined || seen[number] === line) continue;
    seen[number] = line;
    shared++;
  }
  return shared;
}

function bare(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

function pairsOf(text: string): Set<number> {
  const pairs = new Set<number>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(pairAt(text, at));
  return pairs;
}

function slotOf(pair: number): number {
  return ((pair >>> 16) * 31 + pair) & 0xffff;
}

/** Two letters as one number. */
function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

function clip(line: string): string {
  return line.length <= MOST_WIDTH ? line : `${line.slice(0, MOST_WIDTH)}... (${line.length} characters)`;
}

/** In quotes, with white space and odd characters visible. */
function visible(line: string): string {
  return JSON.stringify(clip(line)).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
