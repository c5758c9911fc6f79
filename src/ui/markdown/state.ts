/** Where a Markdown stream stands, as plain data, and how lines leave it. */
import type { Theme } from '../theme/theme.js';
import { type Container, prefixOf } from './containers.js';
import { cutLine } from './flow.js';
import type { CodeState, Grammar, Highlighter } from './highlight.js';
import { copyParagraph, type Paragraph, type ParagraphRoom } from './paragraph.js';
import { paintSpans, type Span } from './spans.js';
import type { Align, Layout } from './table.js';

export interface Fence {
  readonly kind: 'fence';
  readonly letter: string;
  readonly length: number;
  readonly indent: number;
  readonly language: string;
  /** Not set until it is known whether there is a grammar. */
  grammar: Grammar | 'unknown' | undefined;
  code: CodeState | undefined;
}

export interface IndentedCode {
  readonly kind: 'indented';
  /** Empty lines that belong to it only if more follows. */
  blanks: number;
}

export interface TableLeaf {
  readonly kind: 'table';
  readonly head: readonly string[];
  readonly aligns: readonly Align[];
  rows: (readonly string[])[];
  letters: number;
  /** The empty line before it is on the screen. */
  readonly begun: boolean;
  /** Set once its head is on the screen: further rows follow at once. */
  layout: { readonly chosen: Layout } | undefined;
}

export type Leaf = { readonly kind: 'none' } | Paragraph | Fence | IndentedCode | TableLeaf;

export interface State {
  containers: Container[];
  leaf: Leaf;
  /** An empty line is due before the next block. */
  blank: boolean;
  /** Something is on the screen. */
  any: boolean;
  /** Columns of the last step; when they became fewer, what was laid out before may be too wide. */
  columns: number;
  shrunk: boolean;
}

export interface Context {
  readonly theme: Theme;
  readonly unicode: boolean;
  readonly columns: number;
  readonly highlighter: Highlighter | undefined;
  /** Only the last lines are wanted, and nothing is for good. */
  readonly preview: boolean;
  readonly out: string[];
}

export const NO_LEAF: Leaf = { kind: 'none' };
export const newState = (): State => ({ containers: [], leaf: NO_LEAF, blank: false, any: false, columns: 0, shrunk: false });

export function copyState(state: State): State {
  const { leaf } = state;
  const copy: Leaf =
    leaf.kind === 'paragraph' ? copyParagraph(leaf) : leaf.kind === 'table' ? { ...leaf, rows: [...leaf.rows] } : { ...leaf };
  return { ...state, containers: [...state.containers], leaf: copy };
}

/** Notes the columns of this step. */
export function noteColumns(state: State, { columns }: Context): void {
  if (columns < state.columns) state.shrunk = true;
  state.columns = columns;
}

/** One line below whatever stands around it. */
export function put(state: State, spans: readonly Span[], context: Context): void {
  const { containers } = state;
  const prefix = prefixOf(containers, context.columns, context.unicode).spans;
  const line = trimmed([...prefix, ...spans]);
  if (state.shrunk) for (const part of cutLine(line, context.columns)) context.out.push(paintSpans(trimmed(part), context.theme));
  else context.out.push(paintSpans(line, context.theme));
  if (containers.some(({ shown }) => !shown)) state.containers = containers.map((one) => ({ ...one, shown: true }));
}

/** Without the spaces at its end. */
function trimmed(spans: Span[]): Span[] {
  for (let last = spans.at(-1); last; last = spans.at(-1)) {
    const text = last.text.trimEnd();
    if (text === last.text) break;
    spans.pop();
    if (text !== '') spans.push({ ...last, text });
  }
  return spans;
}

/** The empty line that sets a block apart; `apart`: it wants one although the text has none. */
export function beforeBlock(state: State, context: Context, apart = false): void {
  if (state.any && (state.blank || (apart && state.containers.length === 0))) {
    const around = state.containers.filter(({ shown }) => shown);
    put({ ...state, containers: around }, [], context);
  }
  state.blank = false;
  state.any = true;
}

/** Columns that are left inside the containers. */
export function roomOf(state: State, context: Context): number {
  return Math.max(2, context.columns - prefixOf(state.containers, context.columns, context.unicode).width);
}

/** What a paragraph needs to know of its place. */
export function paragraphRoom(state: State, context: Context): ParagraphRoom {
  const quoted = state.containers.some(({ kind }) => kind === 'quote');
  return {
    columns: roomOf(state, context),
    base: quoted ? 'quote' : undefined,
    ticks: context.theme.depth === 0,
    take: (line) => put(state, line, context),
  };
}
