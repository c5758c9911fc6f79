/** Walks through a reply once and tells its call tags from what only shows or thinks about them. */
import { FOREIGN_START, type ForeignForms, readForeignForms } from './foreign-forms.js';
import { readTag, TAG_START, type Tag } from './tags.js';
import { type Work, workFor } from './work.js';

interface Span {
  readonly start: number;
  readonly end: number;
}

type ForeignSpan = Span & { readonly forms: Exclude<ForeignForms, { kind: 'none' }> };

export interface ScannedReply {
  /** Tags that count, in order. */
  readonly tags: readonly Tag[];
  /** Reasoning, tags included. */
  readonly reasoning: readonly Span[];
  /** Closing tags that belong to no call. */
  readonly strays: readonly Span[];
  /** A block that never ends and holds a call. */
  readonly heldBy?: 'reasoning block' | 'code fence';
  /** Calls in the form of a model family, on lines of their own. */
  readonly foreign?: ForeignSpan;
}

interface Walk {
  readonly text: string;
  at: number;
  readonly tags: Tag[];
  readonly reasoning: Span[];
  readonly strays: Span[];
  heldBy?: 'reasoning block' | 'code fence';
  foreign?: ForeignSpan;
  /** Up to here no such call begins. */
  noForeign: number;
  /** The next blank line at or behind the walk, once looked for. */
  paragraphEnd: number;
  /** Ends that do not come any more. */
  readonly never: Set<string>;
  /** No whole tag begins here or later. */
  noTag: number;
  readonly work: Work;
}

const REASONING = /^<(think|thinking|reasoning|thought)\s*>/i;
const REASONING_END = /^<\/(think|thinking|reasoning|thought)\s*>/i;

/** Tags count outside fences, inline code, quoted lines, comments and reasoning. */
export function scanReply(text: string): ScannedReply {
  const walk: Walk = {
    text,
    at: 0,
    tags: [],
    reasoning: [],
    strays: [],
    noForeign: 0,
    paragraphEnd: -1,
    never: new Set(),
    noTag: text.length,
    work: workFor(text),
  };
  while (walk.at < text.length) {
    const lineStart = walk.at === 0 || text.charAt(walk.at - 1) === '\n';
    if (lineStart && (skipFence(walk) || skipQuote(walk) || takeForeign(walk))) continue;
    const char = text.charAt(walk.at);
    if (char === '`') skipCode(walk);
    else if (char === '<') takeMarkup(walk);
    else walk.at += /^[^`<\n]*\n?/.exec(text.slice(walk.at))?.[0].length || 1;
  }
  return walk;
}

/** A fence runs to its closing line, or to the end. */
function skipFence(walk: Walk): boolean {
  const open = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)\n?/.exec(walk.text.slice(walk.at));
  const mark = open?.[1];
  if (!open || !mark || (mark.startsWith('`') && open[2]?.includes('`'))) return false;
  const from = walk.at + open[0].length;
  const close = new RegExp(`^[ \\t]*${mark.charAt(0)}{${mark.length},}[ \\t]*\\r?$`, 'm').exec(walk.text.slice(from));
  if (!close && holdsTag(walk, from)) walk.heldBy = 'code fence';
  walk.at = close ? from + close.index + close[0].length : walk.text.length;
  return true;
}

/** Once such calls have begun, all that stands in them is theirs. */
function takeForeign(walk: Walk): boolean {
  const { text } = walk;
  const start = walk.at + (/^[ \t]*/.exec(text.slice(walk.at, walk.at + 200))?.[0].length ?? 0);
  if (walk.foreign || start < walk.noForeign || !FOREIGN_START.test(text.slice(start, start + 80))) return false;
  const forms = readForeignForms(text, start);
  if (forms.kind === 'none') {
    walk.noForeign = forms.end;
    return false;
  }
  walk.foreign = { forms, start, end: forms.kind === 'calls' ? forms.end : text.length };
  walk.at = walk.foreign.end;
  return true;
}

function skipQuote(walk: Walk): boolean {
  const line = /^ {0,3}>[^\n]*\n?/.exec(walk.text.slice(walk.at))?.[0];
  if (line === undefined) return false;
  walk.at += line.length;
  return true;
}

/** Inline code ends at an equal run of backticks in the same paragraph, unless a call tag begins inside it and ends behind it. */
function skipCode(walk: Walk): void {
  const { text, at } = walk;
  const run = /^`+/.exec(text.slice(at))?.[0] ?? '`';
  const from = at + run.length;
  if (walk.paragraphEnd < from) {
    const blank = /\n[ \t]*\r?\n/.exec(text.slice(from));
    walk.paragraphEnd = blank ? from + blank.index : text.length;
  }
  const inside = text.slice(from, walk.paragraphEnd);
  const close = new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`).exec(inside);
  walk.at = from;
  if (!close) return;
  const end = from + close.index;
  for (let tagAt = text.slice(from, end).search(TAG_START); tagAt >= 0; ) {
    const tag = readTag(text, from + tagAt, walk.work);
    if (tag && !tag.fault && tag.end > end) return;
    const next = text.slice(from + tagAt + 1, end).search(TAG_START);
    tagAt = next < 0 ? -1 : tagAt + 1 + next;
  }
  walk.at = end + run.length;
}

function takeMarkup(walk: Walk): void {
  const { text, at } = walk;
  const comment = text.startsWith('<!--', at) ? endBehind(walk, /-->/g, at + 4) : undefined;
  if (comment !== undefined) {
    walk.at = comment;
    return;
  }
  const head = text.slice(at, at + 40);
  if (takeReasoning(walk, head)) return;
  const stray = /^<\/(tool_call|agent_call)\s*>/i.exec(head)?.[0];
  const tag = readTag(text, at, walk.work);
  if (tag) walk.tags.push(tag);
  else if (stray !== undefined) walk.strays.push({ start: at, end: at + stray.length });
  walk.at = tag ? tag.end : at + (stray?.length ?? 1);
}

function takeReasoning(walk: Walk, head: string): boolean {
  const { text, at } = walk;
  const stray = REASONING_END.exec(head)?.[0];
  if (stray !== undefined) {
    closeStray(walk, at + stray.length);
    return true;
  }
  const open = REASONING.exec(head);
  if (!open) return false;
  const from = at + open[0].length;
  const close = endBehind(walk, new RegExp(`</${open[1]?.toLowerCase()}\\s*>`, 'gi'), from);
  if (close !== undefined) {
    walk.at = close;
    walk.reasoning.push({ start: at, end: walk.at });
    return true;
  }
  const opensLine = /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 200), at));
  if (opensLine && holdsTag(walk, from)) {
    walk.heldBy = 'reasoning block';
    walk.reasoning.push({ start: at, end: text.length });
    walk.at = text.length;
    return true;
  }
  walk.reasoning.push({ start: at, end: from });
  walk.at = from;
  return true;
}

/** Offset behind the first match at or behind `from`; one that was looked for in vain is not looked for again. */
function endBehind(walk: Walk, mark: RegExp, from: number): number | undefined {
  if (walk.never.has(mark.source)) return undefined;
  mark.lastIndex = from;
  const found = mark.exec(walk.text);
  if (found) return found.index + found[0].length;
  walk.never.add(mark.source);
  return undefined;
}

function holdsTag(walk: Walk, from: number): boolean {
  if (from >= walk.noTag) return false;
  const starts = new RegExp(TAG_START, 'gi');
  starts.lastIndex = from;
  for (let found = starts.exec(walk.text); found; found = starts.exec(walk.text)) {
    const tag = readTag(walk.text, found.index, walk.work);
    if (tag && (!tag.fault || tag.fault === 'unread')) return true;
  }
  walk.noTag = from;
  return false;
}

/** A closing tag without an opening one: the opening stood in the prompt, or the block held another block. */
function closeStray(walk: Walk, end: number): void {
  const last = walk.reasoning.at(-1);
  const nested = last !== undefined && /<(think|thinking|reasoning|thought)\s*>/i.test(walk.text.slice(last.start + 1, last.end));
  const start = last === undefined ? 0 : nested ? last.end : walk.at;
  walk.reasoning.push({ start, end });
  while ((walk.tags.at(-1)?.start ?? -1) >= start) walk.tags.pop();
  if ((walk.foreign?.start ?? -1) >= start) walk.foreign = undefined;
  walk.at = end;
}

/** The reply behind the reasoning it begins with, trimmed. */
export function afterReasoning(text: string): string {
  let rest = text.trim();
  for (;;) {
    const open = REASONING.exec(rest);
    if (!open) return rest;
    const close = new RegExp(`</${open[1]}\\s*>`, 'i').exec(rest);
    if (!close) return rest;
    rest = rest.slice(close.index + close[0].length).trim();
  }
}
