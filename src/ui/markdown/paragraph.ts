/** A paragraph that streams: what is certain goes to the lines at once, what more text could still change is kept. */
import type { Role } from '../theme/theme.js';
import { addSpan, breakFlow, copyFlow, type Flow, newFlow } from './flow.js';
import { parseInline } from './inline.js';
import type { Span } from './spans.js';

export interface Paragraph {
  readonly kind: 'paragraph';
  /** Set for headings, which end with their line. */
  readonly role: Role | undefined;
  /** Text not parsed for good. */
  text: string;
  flow: Flow;
  /** A whole line that may turn out to be the head of a table or an underlined heading. */
  held: string | undefined;
  /** Nothing but `held` so far. */
  first: boolean;
  /** Length of the text at which it is looked at again, inside a line and at the end of one. */
  next: number;
  nextLine: number;
}

export interface ParagraphRoom {
  readonly columns: number;
  /** Role of text that has none of its own. */
  readonly base: Role | undefined;
  readonly ticks: boolean;
  take(line: Span[]): void;
}

const STEP = 160;
/** What is open this long is taken as it stands. */
const MOST = 1600;
const LONGEST_WORD = 2400;

export const newParagraph = (role?: Role): Paragraph => ({
  kind: 'paragraph',
  role,
  text: '',
  flow: newFlow(),
  held: undefined,
  first: true,
  next: STEP,
  nextLine: 0,
});

export const copyParagraph = (paragraph: Paragraph): Paragraph => ({ ...paragraph, flow: copyFlow(paragraph.flow) });

/** More text; a line end before it is part of it. */
export function addText(paragraph: Paragraph, text: string, room: ParagraphRoom): void {
  paragraph.first = false;
  paragraph.text += text;
  for (let cut = cutOf(paragraph); cut > 0; cut = cutOf(paragraph)) settle(paragraph, cut, room);
}

/** The line is whole: unless something is open, its text is certain. */
export function endLine(paragraph: Paragraph, room: ParagraphRoom): void {
  const { text } = paragraph;
  if (text === '' || text.length < paragraph.nextLine) return;
  if (parseInline(text).open) paragraph.nextLine = text.length + (text.length >> 2) + 1;
  else settle(paragraph, text.length, room);
}

/** The held line turns out to be text. */
export function releaseHeld(paragraph: Paragraph, room: ParagraphRoom): void {
  const { held, first } = paragraph;
  if (held === undefined) return;
  paragraph.held = undefined;
  addText(paragraph, first ? held : `\n${held}`, room);
  endLine(paragraph, room);
}

/** All that is left, and the last line. */
export function closeParagraph(paragraph: Paragraph, room: ParagraphRoom): void {
  releaseHeld(paragraph, room);
  if (paragraph.first) return;
  settle(paragraph, paragraph.text.length, room);
  breakFlow(paragraph.flow, room.columns, room.take);
}

/** Where the text can be cut for good; 0: nowhere yet. Depends on the text alone, not on how it came. */
function cutOf(paragraph: Paragraph): number {
  const { text } = paragraph;
  while (text.length > paragraph.next) {
    const space = text.slice(paragraph.next).search(/\s/);
    const at = paragraph.next + space;
    if (space < 0) return text.length < LONGEST_WORD ? 0 : boundary(text, LONGEST_WORD);
    if (at >= MOST || !parseInline(text.slice(0, at)).open) return at;
    paragraph.next = at + Math.max(STEP, at >> 2);
  }
  return 0;
}

/** The last place up to `at` that does not part letters that belong together. */
export function boundary(text: string, at: number): number {
  for (let end = at; end > at - 64 && end > 0; end--)
    if (/[\x20-\x7e]/.test(text[end] ?? ' ') && /[\x20-\x7e]/.test(text[end - 1] ?? ' ')) return end;
  // Among other letters only halves of one are kept together, and marks with their letter.
  for (let end = at; end > at - 64 && end > 0; end--)
    if (!/^(?:[\udc00-\udfff]|\u200d|\ufe0f|\p{M})/u.test(text.slice(end, end + 1))) return end;
  return at;
}

function settle(paragraph: Paragraph, to: number, room: ParagraphRoom): void {
  const { spans } = parseInline(paragraph.text.slice(0, to), room.ticks);
  for (const span of spans) addSpan(paragraph.flow, look(span, paragraph.role, room.base), room.columns, room.take);
  paragraph.text = paragraph.text.slice(to);
  paragraph.next = STEP;
  paragraph.nextLine = 0;
}

function look(span: Span, heading: Role | undefined, base: Role | undefined): Span {
  const role = span.role ?? heading ?? base;
  return role === undefined ? span : { ...span, role };
}
