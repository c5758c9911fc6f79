/** The blocks that hold text: how each begins, takes a line, and ends. */
import { DEEPEST } from './containers.js';
import { cutLine } from './flow.js';
import { withoutTabs } from './harmless.js';
import { closeParagraph } from './paragraph.js';
import type { Span } from './spans.js';
import {
  beforeBlock,
  type Context,
  type Fence,
  NO_LEAF,
  paragraphRoom,
  put,
  roomOf,
  type State,
  type TableLeaf,
} from './state.js';
import { bodyLines, headLines, layoutOf } from './table.js';

const CODE_INDENT = '  ';
/** A table of more is laid out by the rows so far, and goes on row by row. */
const MOST_ROWS = 200;
const MOST_LETTERS = 32_000;
/** Rows that are enough for what is still open. */
const PREVIEW_ROWS = 12;

/** Ends the block that is open, if any. */
export function closeLeaf(state: State, context: Context): void {
  const { leaf } = state;
  if (leaf.kind === 'paragraph') closeParagraph(leaf, paragraphRoom(state, context));
  else if (leaf.kind === 'table') closeTable(state, leaf, context);
  state.leaf = NO_LEAF;
  // Code and tables stand free; elsewhere the distance is as it was written.
  const free = leaf.kind === 'fence' || leaf.kind === 'table' || leaf.kind === 'indented';
  if (free && (state.containers.length === 0 || (leaf.kind === 'indented' && leaf.blanks > 0))) state.blank = true;
}

/** Leaves containers until so many are left; an item of which nothing was shown shows its mark. */
export function leaveContainers(state: State, count: number, context: Context): void {
  if (state.containers.length <= count) return;
  if (state.containers.some(({ shown }) => !shown)) {
    beforeBlock(state, context);
    put(state, [], context);
  }
  state.containers = state.containers.slice(0, count);
}

export const isDeepest = (state: State): boolean => state.containers.length >= DEEPEST;

/** `info`: what stands behind the fence. */
export function openFence(
  state: State,
  fence: Omit<Fence, 'kind' | 'grammar' | 'code' | 'language'>,
  info: string,
  context: Context,
): void {
  beforeBlock(state, context, true);
  const language = /^\{?\.?([\w+#.-]{1,40})/.exec(info)?.[1] ?? '';
  const label = language === '' ? '' : info.slice(language.length).trim();
  state.leaf = { kind: 'fence', ...fence, language, grammar: undefined, code: undefined };
  if (label !== '') putCode(state, [{ text: `${language} ${label}`, role: 'dim' }], context);
}

/** One line of code, highlighted where its language is known. */
export function codeLine(state: State, leaf: Fence, text: string, context: Context): void {
  const line = withoutTabs(text);
  if (leaf.grammar === undefined) decideGrammar(leaf, context);
  if (leaf.grammar === undefined || leaf.grammar === 'unknown') {
    putCode(state, [{ text: line }], context);
    return;
  }
  const { spans, state: code } = leaf.grammar.line(leaf.code, line);
  leaf.code = code;
  putCode(state, spans, context);
}

/** What is still loading is taken for unknown: whoever can wait does so before. */
function decideGrammar(leaf: Fence, { highlighter, preview, theme }: Context): void {
  const found = leaf.language === '' || theme.depth === 0 ? undefined : highlighter?.grammar(leaf.language);
  if (found === 'loading' && preview) return;
  leaf.grammar = found === undefined || found === 'loading' ? 'unknown' : found;
}

/** Code is only indented, so that it can be copied from the screen. */
export function putCode(state: State, spans: readonly Span[], context: Context): void {
  const indent = state.containers.length === 0 ? CODE_INDENT : '';
  const columns = Math.max(2, roomOf(state, context) - indent.length);
  for (const line of cutLine(spans, columns)) put(state, line.length === 0 ? [] : [{ text: indent }, ...line], context);
}

/** A row; a table grown too long to wait for shows what it has. */
export function tableRow(state: State, leaf: TableLeaf, cells: readonly string[], context: Context): void {
  if (leaf.layout) {
    for (const line of bodyLines(leaf, [cells], leaf.layout.chosen, lookOf(state, context), false)) put(state, line, context);
    return;
  }
  leaf.rows.push(cells);
  leaf.letters += cells.reduce((sum, cell) => sum + cell.length, 0);
  if (leaf.rows.length >= MOST_ROWS || leaf.letters >= MOST_LETTERS) showTable(state, leaf, context);
}

function closeTable(state: State, leaf: TableLeaf, context: Context): void {
  if (!leaf.layout) showTable(state, leaf, context);
}

function showTable(state: State, leaf: TableLeaf, context: Context): void {
  const look = lookOf(state, context);
  const shown = context.preview ? { ...leaf, rows: leaf.rows.slice(-PREVIEW_ROWS) } : leaf;
  const layout = layoutOf(shown, look);
  if (!leaf.begun) beforeBlock(state, context, true);
  for (const line of headLines(shown, layout, look)) put(state, line, context);
  for (const line of bodyLines(shown, shown.rows, layout, look, true)) put(state, line, context);
  leaf.rows = [];
  leaf.layout = { chosen: layout };
}

const lookOf = (state: State, context: Context) => ({
  columns: roomOf(state, context),
  unicode: context.unicode,
  ticks: context.theme.depth === 0,
});
