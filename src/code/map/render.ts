/** The text of a map: blocks of files in their order, never longer than the budget, and what was left out said. */
import { type Block, type Growing, growing } from './block.js';
import type { Skipped } from './types.js';

export type { Block };

export interface MapText {
  readonly text: string;
  /** Files. */
  readonly shown: number;
}

/** With so many declarations shown the notes have a place that nothing takes. */
const BEFORE_NOTES = 3;

/**
 * At most `budget` characters in all. Lines come in one after another in an order that does not depend on the budget, so a larger one
 * never shows fewer. What is left out is always said; where even that does not fit, a single `…` stands for it.
 */
export function mapText(title: string, blocks: readonly Block[], budget: number, notes: readonly string[]): MapText {
  const leftNote = leftText(blocks.length, blocks.length);
  const noted = notes.reduce((sum, note) => sum + note.length + 1, 0);
  const isFit = ({ units, files, chars }: Taken) =>
    title.length + chars + (files < blocks.length ? leftNote.length + 1 : 0) + (units >= BEFORE_NOTES ? noted : 0) <= budget;
  let best: Taken | undefined;
  const feed = feedOf(blocks);
  for (let taken = feed.next(); taken; taken = feed.next()) {
    if (isFit(taken)) best = taken;
    // A last line may take less than the words it replaces, so a little more is looked at; how much rises with the budget.
    else if (taken.chars > budget + 4_000) break;
  }
  if (!best) return { text: shortest(title, blocks.length, budget, notes), shown: 0 };
  const { files } = best;
  const lines = [`${title}\n${feed.text(best.units)}`.slice(0, -1)];
  let length = (lines[0] ?? '').length;
  for (const note of [...(files < blocks.length ? [leftText(blocks.length - files, blocks.length)] : []), ...notes]) {
    if (length + 1 + note.length > budget) continue;
    lines.push(note);
    length += 1 + note.length;
  }
  return { text: lines.join('\n'), shown: files };
}

/** How far the lines have come in. */
interface Taken {
  readonly units: number;
  readonly files: number;
  /** Characters of all blocks. */
  readonly chars: number;
}

interface Feed {
  /** Undefined when all lines are in. */
  next(): Taken | undefined;
  /** The blocks with the first `units` lines. */
  text(units: number): string;
}

/**
 * The lines of all files in the order in which they come in: a file may have as many characters as the one before it times its place
 * divided by the next, and no file comes in before one that stands higher.
 */
function feedOf(blocks: readonly Block[]): Feed {
  const open: { readonly block: Growing; readonly weight: number; due: number }[] = [];
  const sequence: number[] = [];
  let nextBlock = 0;
  let waiting: { readonly block: Growing; readonly weight: number; due: number } | undefined;
  let firstDue = 0;
  let files = 0;
  let chars = 0;

  function advance(): void {
    while (!waiting && nextBlock < blocks.length) {
      const weight = nextBlock + 2;
      const one = blocks[nextBlock++];
      const lines = one?.lines();
      if (!one || !lines || lines.length === 0) continue;
      const block = growing(one.path, lines, Math.max(0, one.declarations - lines.length));
      firstDue = Math.max(firstDue, block.next() * weight);
      waiting = { block, weight, due: firstDue };
    }
  }

  function soonest(): number {
    let found = -1;
    for (const [i, { due }] of open.entries())
      if (due < Number.POSITIVE_INFINITY && (found < 0 || due < (open[found]?.due ?? 0))) found = i;
    return found;
  }

  return {
    next() {
      advance();
      let which = soonest();
      if (waiting && (which < 0 || waiting.due < (open[which]?.due ?? 0))) {
        which = open.push(waiting) - 1;
        waiting = undefined;
        files++;
      }
      const one = open[which];
      if (!one) return undefined;
      chars += one.block.grow();
      one.due = Math.max(one.due, one.block.next() * one.weight);
      sequence.push(which);
      return { units: sequence.length, files, chars };
    },
    text(units) {
      const counts = new Map<number, number>();
      for (const which of sequence.slice(0, units)) counts.set(which, (counts.get(which) ?? 0) + 1);
      return open.map(({ block }, i) => (counts.has(i) ? block.text(counts.get(i) ?? 0) : '')).join('');
    },
  };
}

function leftText(left: number, all: number): string {
  return `... [${left} of ${all} files left out for the budget; outline shows a file, a larger budget or focus shows more] ...`;
}

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
