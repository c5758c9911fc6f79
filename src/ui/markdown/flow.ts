/** Wraps styled text that comes in pieces: gives lines as soon as they are full and keeps only the last one. */
import { clusters, clusterWidth } from './cells.js';
import { type Span, sameLook } from './spans.js';

/** The line that is not full yet, the space and the word behind it. Plain data; copy with `copyFlow`. */
export interface Flow {
  line: Span[];
  width: number;
  space: Span | undefined;
  word: Span[];
  wordWidth: number;
  /** A line may break behind the word as it stands. */
  loose: boolean;
}

export const newFlow = (): Flow => ({ line: [], width: 0, space: undefined, word: [], wordWidth: 0, loose: false });
export const copyFlow = (flow: Flow): Flow => ({ ...flow, line: [...flow.line], word: [...flow.word] });
export const isEmptyFlow = (flow: Flow): boolean => flow.line.length === 0 && flow.word.length === 0;

type Take = (line: Span[]) => void;

/** Adds text; `\n` breaks the line. Runs of spaces count as one. */
export function addSpan(flow: Flow, span: Span, columns: number, take: Take): void {
  for (const piece of span.text.match(/\n|[^\S\n]+|[\x21-\x7e]+|[^\s\x21-\x7e]+/g) ?? []) {
    if (piece === '\n') breakFlow(flow, columns, take);
    else if (/^\s/.test(piece)) {
      endWord(flow, columns, take);
      flow.space = { ...span, text: ' ' };
    } else if (/^[\x21-\x7e]/.test(piece)) addWord(flow, { ...span, text: piece }, piece.length, columns, take);
    else for (const cluster of clusters(piece)) addCluster(flow, { ...span, text: cluster }, columns, take);
  }
}

/** The end of a line, or of everything. An empty flow gives an empty line. */
export function breakFlow(flow: Flow, columns: number, take: Take): void {
  endWord(flow, columns, take);
  take(flow.line);
  Object.assign(flow, newFlow());
}

/** A line may break on both sides of a wide letter, which closing punctuation does not leave. */
function addCluster(flow: Flow, span: Span, columns: number, take: Take): void {
  const width = clusterWidth(span.text);
  const closing = /^[\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\u300d\u300f\u3011\uff09]/.test(span.text);
  if (closing) flow.loose = false;
  else if (width >= 2) endWord(flow, columns, take);
  addWord(flow, span, width, columns, take);
  flow.loose = width >= 2;
}

function addWord(flow: Flow, span: Span, width: number, columns: number, take: Take): void {
  if (flow.loose) endWord(flow, columns, take);
  push(flow.word, span);
  flow.wordWidth += width;
  if (flow.wordWidth > columns) splitWord(flow, columns, take);
}

function endWord(flow: Flow, columns: number, take: Take): void {
  flow.loose = false;
  if (flow.word.length === 0) return;
  const gap = flow.space && flow.line.length > 0 ? 1 : 0;
  if (flow.line.length > 0 && flow.width + gap + flow.wordWidth > columns) {
    take(flow.line);
    flow.line = [];
    flow.width = 0;
  } else if (gap === 1 && flow.space) {
    push(flow.line, flow.space);
    flow.width += 1;
  }
  for (const span of flow.word) push(flow.line, span);
  flow.width += flow.wordWidth;
  flow.space = undefined;
  flow.word = [];
  flow.wordWidth = 0;
}

/** A word longer than a line: full lines of it go out, the rest stays a word. */
function splitWord(flow: Flow, columns: number, take: Take): void {
  if (flow.line.length > 0) take(flow.line);
  flow.line = [];
  flow.width = 0;
  flow.space = undefined;
  let line: Span[] = [];
  let width = 0;
  for (const span of flow.word)
    for (const cluster of clusters(span.text)) {
      const one = clusterWidth(cluster);
      if (width + one > columns && width > 0) {
        take(line);
        line = [];
        width = 0;
      }
      push(line, { ...span, text: one > columns ? '?' : cluster });
      width += one > columns ? 1 : one;
    }
  flow.word = line;
  flow.wordWidth = width;
}

function push(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last && sameLook(last, span)) spans[spans.length - 1] = { ...last, text: last.text + span.text };
  else spans.push(span);
}

/** A whole text wrapped. */
export function flowed(spans: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [];
  const flow = newFlow();
  const take: Take = (line) => void lines.push(line);
  for (const span of spans) addSpan(flow, span, columns, take);
  breakFlow(flow, columns, take);
  return lines;
}

/** A line of code cut at the columns, its spaces kept. */
export function cutLine(spans: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [[]];
  let width = 0;
  for (const span of spans)
    for (const cluster of clusters(span.text)) {
      const one = clusterWidth(cluster);
      if (width + one > columns && width > 0) {
        lines.push([]);
        width = 0;
      }
      push(lines.at(-1) ?? [], { ...span, text: one > columns ? '?' : cluster });
      width += one > columns ? 1 : one;
    }
  return lines;
}
