/** For a search that was not found: the real region most like it, and where the two first differ. Only ever shown, never applied. */

import { splitBreaks, splitLines } from '../../base/text-lines.js';
import { counted } from './counted.js';

const MOST_LINES = 100_000;
const MOST_SHOWN = 12;
const MOST_WIDTH = 160;

/** A few lines for the message, or undefined when nothing is alike. `called` is what the message calls the searched text. */
export function nearestRegion(text: string, search: string, called = 'search'): string | undefined {
  const lines = splitLines(text)
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
  const target = pairsOf(bare(wanted[longest] ?? '').slice(0, 400));
  if (target.size < 3) return undefined;
  let best: { line: number; score: number } | undefined;
  for (const [i, line] of lines.entries()) {
    const pairs = pairsOf(bare(line).slice(0, 400));
    let shared = 0;
    for (const pair of target) if (pairs.has(pair)) shared++;
    const score = (2 * shared) / (target.size + pairs.size);
    if (score >= 0.5 && score > (best?.score ?? 0)) best = { line: i, score };
  }
  return best && best.line - longest;
}

function bare(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}

function clip(line: string): string {
  return line.length <= MOST_WIDTH ? line : `${line.slice(0, MOST_WIDTH)}... (${line.length} characters)`;
}

/** In quotes, with white space and odd characters visible. */
function visible(line: string): string {
  return JSON.stringify(clip(line)).replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
