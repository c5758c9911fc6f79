/** The text of a map: blocks of files in their order, never longer than the budget, and what was left out said. */
import type { Skipped } from './types.js';

export interface Block {
  /** One line, without control characters. */
  readonly path: string;
  readonly declarations: number;
  /** Outline lines, two spaces for each level. Asked for only when there is room; undefined: it must not be shown. */
  lines(): readonly string[] | undefined;
}

export interface MapText {
  readonly text: string;
  readonly shown: number;
}

/** Largest part of the budget that one file takes, and what it may always take. */
const SHARE = 4;
const ALWAYS = 600;

/**
 * At most `budget` characters in all. The note is sure of its place first; where even the shortest does not fit, a single `…`
 * stands for it. `notes` come behind it as far as they fit.
 */
export function mapText(title: string, blocks: readonly Block[], budget: number, notes: readonly string[]): MapText {
  const head = `${title}\n`;
  const reserved = longestNote(blocks.length, blocks.length).length + 1;
  let room = budget - head.length - reserved;
  const parts: string[] = [];
  if (room >= 0) {
    for (const block of blocks) {
      const lines = block.lines();
      if (!lines) continue;
      const text = blockText(block.path, lines, Math.min(room, Math.max(ALWAYS, Math.floor(budget / SHARE))));
      if (text === undefined) break;
      parts.push(text);
      room -= text.length;
    }
  }
  const left = blocks.length - parts.length;
  if (parts.length === 0) return { text: shortest(title, blocks.length, budget, notes), shown: 0 };
  const lines = [`${head}${parts.join('')}`.slice(0, -1)];
  let length = (lines[0] ?? '').length;
  for (const note of [...(left > 0 ? [longestNote(left, blocks.length)] : []), ...notes]) {
    if (length + 1 + note.length > budget) continue;
    lines.push(note);
    length += 1 + note.length;
  }
  return { text: lines.join('\n'), shown: parts.length };
}

function longestNote(left: number, all: number): string {
  return `... [${left} of ${all} files left out for the budget; outline shows a file, a larger budget or focus shows more] ...`;
}

/** All of a file, or the top of it, or its first lines with a word about the rest; undefined: not even that fits. */
function blockText(path: string, all: readonly string[], most: number): string | undefined {
  const whole = joined(path, all);
  if (whole.length <= most) return whole;
  const top = all.filter((line) => !line.startsWith(' '));
  const rest = all.length - top.length;
  const upper = joined(path, rest > 0 ? [...top, more(rest)] : top);
  if (upper.length <= most) return upper;
  const kept: string[] = [];
  let length = path.length + 1 + more(all.length).length + 3;
  for (const line of top) {
    if (length + line.length + 3 > most) break;
    kept.push(line);
    length += line.length + 3;
  }
  if (kept.length === 0) return undefined;
  return joined(path, [...kept, more(all.length - kept.length)]);
}

const more = (count: number): string => `… ${count} more`;
const joined = (path: string, lines: readonly string[]): string => [path, ...lines.map((line) => `  ${line}`), ''].join('\n');

/** No file fits: the words that do. */
function shortest(title: string, files: number, budget: number, notes: readonly string[]): string {
  const left = files === 0 ? '' : `... [${files} files left out: the budget is too small for one] ...`;
  const choices = [
    [title, left, ...notes],
    [title, left],
    [left === '' ? title : left],
    [files === 0 ? '' : `… ${files} files, budget too small`],
    [files === 0 ? '' : `… ${files} files`],
    ['…'],
  ].map((lines) => lines.filter((line) => line !== '').join('\n'));
  return choices.find((text) => text !== '' && text.length <= budget) ?? '';
}

/** What was passed over, as one note; empty when nothing was. */
export function skippedNote(skipped: Skipped, secret: number): string {
  const words: [number, string][] = [
    [skipped.large, 'over 1 MiB'],
    [skipped.generated, 'generated'],
    [skipped.minified, 'minified'],
    [skipped.binary, 'binary'],
    [skipped.slow, 'too slow to parse'],
    [skipped.unreadable, 'not readable'],
    [secret, 'guarded'],
  ];
  const said = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return said.length === 0 ? '' : `(not outlined: ${said.join(', ')})`;
}
