/** Takes Markdown line by line: which block a line belongs to, and what of it can be shown for good. */
import { indentOf, matchContainers, openContainer } from './containers.js';
import { harmlessLine, withoutTabs } from './harmless.js';
import { closeLeaf, codeLine, isDeepest, leaveContainers, openFence, putCode, tableRow } from './leaves.js';
import { addText, endLine, newParagraph, type Paragraph, releaseHeld } from './paragraph.js';
import { beforeBlock, type Context, type Fence, NO_LEAF, paragraphRoom, put, roomOf, type State } from './state.js';
import { alignsOf, cellsOf } from './table.js';

/** A piece of the text: a whole line, or a part of one too long to wait for its end. */
export interface LinePiece {
  readonly text: string;
  /** It goes on with the line of the piece before. */
  readonly continues: boolean;
  /** Its line ends here. */
  readonly ends: boolean;
}

const LONGEST_TITLE = 120;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?: +|$)/;

export function feedLine(state: State, piece: LinePiece, context: Context): void {
  const text = harmlessLine(piece.text);
  if (piece.continues) continueLine(state, text, context);
  else startLine(state, text.includes('\t') ? withoutTabs(text) : text, piece.ends, context);
  const { leaf } = state;
  if (!piece.ends || leaf.kind !== 'paragraph') return;
  if (leaf.role) closeLeaf(state, context);
  else if (leaf.held === undefined) endLine(leaf, paragraphRoom(state, context));
}

/** The end of the text, whatever is open. */
export function endText(state: State, context: Context): void {
  closeLeaf(state, context);
  leaveContainers(state, 0, context);
}

/** More of a line that was too long. */
function continueLine(state: State, text: string, context: Context): void {
  const { leaf } = state;
  if (leaf.kind === 'fence' || leaf.kind === 'indented') {
    putCode(state, [{ text: withoutTabs(text) }], context);
    return;
  }
  if (leaf.kind !== 'paragraph') {
    closeLeaf(state, context);
    openParagraph(state, newParagraph(), context);
  }
  if (state.leaf.kind === 'paragraph') addText(state.leaf, text, paragraphRoom(state, context));
}

function startLine(state: State, line: string, ends: boolean, context: Context): void {
  if (state.leaf.kind === 'fence' && inFence(state, state.leaf, line, context)) return;
  const { rest, matched } = matchContainers(state.containers, line);
  if (rest.trim() === '' && ends) blankLine(state, matched, context);
  else startBlock(state, rest, matched, ends, context);
}

/** True: the line was code, or the end of it. */
function inFence(state: State, leaf: Fence, line: string, context: Context): boolean {
  const quoted = state.containers.some(({ kind }) => kind === 'quote');
  const match = matchContainers(state.containers, line);
  if (quoted && match.matched < state.containers.length) {
    closeLeaf(state, context);
    return false;
  }
  // Inside lists models indent code as they like: as much of the indent is taken as there is.
  const wanted = state.containers.reduce((sum, one) => sum + (one.kind === 'item' ? one.content : 0), 0);
  const rest = quoted ? match.rest : line.slice(Math.min(indentOf(line), wanted));
  const close = /^ {0,3}(`{3,}|~{3,}) *$/.exec(rest)?.[1] ?? '';
  if (close.startsWith(leaf.letter) && close.length >= leaf.length) closeLeaf(state, context);
  else codeLine(state, leaf, rest.slice(Math.min(indentOf(rest), leaf.indent)), context);
  return true;
}

function blankLine(state: State, matched: number, context: Context): void {
  const { leaf, containers } = state;
  if (leaf.kind === 'indented') {
    leaf.blanks += 1;
    return;
  }
  closeLeaf(state, context);
  // A quote ends with its bars; an item goes on.
  const quote = containers.findIndex((one, index) => index >= matched && one.kind === 'quote');
  if (quote >= 0) leaveContainers(state, quote, context);
  state.blank = true;
}

function startBlock(state: State, rest: string, matched: number, ends: boolean, context: Context): void {
  const { leaf } = state;
  const inside = matched === state.containers.length;
  if (inside && ends && leaf.kind === 'paragraph' && turnsHeld(state, leaf, rest, context)) return;
  if (inside && leaf.kind === 'indented' && indentOf(rest) >= 4) {
    for (; leaf.blanks > 0; leaf.blanks--) putCode(state, [], context);
    putCode(state, [{ text: rest.slice(4) }], context);
    return;
  }
  let line = rest;
  let opened = false;
  const goesOn = (): boolean => !opened && state.leaf.kind === 'paragraph';
  for (;;) {
    const interrupts = goesOn() && inside;
    const found =
      isDeepest(state) || RULE.test(line) || (indentOf(line) >= 4 && !goesOn())
        ? undefined
        : openContainer(line, interrupts, context.unicode, itemsIn(state, opened ? undefined : matched));
    if (!found) break;
    if (!opened) leave(state, matched, context);
    opened = true;
    state.containers = [...state.containers, found.container];
    line = found.rest;
  }
  if (opened && line.trim() === '' && ends) return;
  openLeaf(state, line, { matched: opened ? state.containers.length : matched, goesOn: goesOn(), ends }, context);
}

/** Items among the containers that the next one would stand in. */
const itemsIn = ({ containers }: State, matched = containers.length): number =>
  containers.slice(0, matched).filter(({ kind }) => kind === 'item').length;

function leave(state: State, matched: number, context: Context): void {
  closeLeaf(state, context);
  leaveContainers(state, matched, context);
}

interface Place {
  readonly matched: number;
  /** A paragraph is open that the line belongs to unless it begins something else. */
  readonly goesOn: boolean;
  readonly ends: boolean;
}

function openLeaf(state: State, line: string, { matched, goesOn, ends }: Place, context: Context): void {
  const fence = ends ? FENCE.exec(line) : null;
  const heading = HEADING.exec(line);
  if (fence && !(fence[2]?.startsWith('`') && fence[3]?.includes('`'))) {
    const [, indent = '', run = '', info = ''] = fence;
    leave(state, matched, context);
    openFence(state, { letter: run[0] ?? '`', length: run.length, indent: indent.length }, info.trim(), context);
  } else if (heading) {
    leave(state, matched, context);
    openHeading(state, line.slice(heading[0].length), heading[1]?.length ?? 1, ends, context);
  } else if (ends && RULE.test(line)) {
    leave(state, matched, context);
    beforeBlock(state, context);
    put(state, [{ text: (context.unicode ? '─' : '-').repeat(Math.min(40, roomOf(state, context))), role: 'border' }], context);
  } else if (state.leaf.kind === 'table' && matched === state.containers.length && line.includes('|') && ends) {
    tableRow(state, state.leaf, cellsOf(line), context);
  } else if (!goesOn && indentOf(line) >= 4) {
    leave(state, matched, context);
    beforeBlock(state, context, true);
    state.leaf = { kind: 'indented', blanks: 0 };
    putCode(state, [{ text: line.slice(4) }], context);
  } else text(state, line.trimStart(), { matched, goesOn, ends }, context);
}

function openHeading(state: State, words: string, level: number, ends: boolean, context: Context): void {
  beforeBlock(state, context, true);
  const bare = ends ? words.replace(/(?:^| +)#+ *$/, '') : words;
  const paragraph = newParagraph(level === 1 ? 'title' : 'heading');
  state.leaf = paragraph;
  addText(paragraph, context.theme.depth === 0 ? `${'#'.repeat(level)} ${bare}` : bare, paragraphRoom(state, context));
}

function openParagraph(state: State, paragraph: Paragraph, context: Context): void {
  beforeBlock(state, context);
  state.leaf = paragraph;
}

function text(state: State, line: string, { matched, goesOn, ends }: Place, context: Context): void {
  if (!goesOn) {
    leave(state, matched, context);
    openParagraph(state, newParagraph(), context);
  }
  const { leaf } = state;
  if (leaf.kind !== 'paragraph') return;
  const room = paragraphRoom(state, context);
  releaseHeld(leaf, room);
  if (ends && (line.includes('|') || (leaf.first && line.length <= LONGEST_TITLE))) leaf.held = line;
  else addText(leaf, leaf.first ? line : `\n${line}`, room);
}

/** The line below a held one can make it a heading, or the head of a table. */
function turnsHeld(state: State, leaf: Paragraph, line: string, context: Context): boolean {
  const { held } = leaf;
  if (held === undefined) return false;
  if (leaf.first && /^ {0,3}(?:=+|-+) *$/.test(line)) {
    state.leaf = NO_LEAF;
    // The empty line before it was shown when the paragraph began.
    const paragraph = newParagraph(line.includes('=') ? 'title' : 'heading');
    state.leaf = paragraph;
    addText(
      paragraph,
      context.theme.depth === 0 ? `${line.includes('=') ? '#' : '##'} ${held}` : held,
      paragraphRoom(state, context),
    );
    return true;
  }
  const aligns = held.includes('|') && line.includes('-') ? alignsOf(line) : undefined;
  const head = aligns ? cellsOf(held) : [];
  if (!aligns || head.length !== aligns.length || (head.length < 2 && !held.trim().startsWith('|'))) return false;
  leaf.held = undefined;
  // The empty line before a paragraph of which nothing was shown is now the table's.
  const begun = leaf.first;
  closeLeaf(state, context);
  state.leaf = { kind: 'table', head, aligns, rows: [], letters: 0, begun, layout: undefined };
  return true;
}
