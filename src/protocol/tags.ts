/** One call tag of a reply: `<tool_call …/>`, with a body, or `<agent_call …/>`. */
import { parseStrict } from '../base/json-strict.js';
import { readInside } from '../base/json-tolerant.js';
import { type ForeignBody, readForeignBody } from './foreign-forms.js';
import { ARGS_ATTRIBUTE, type Attribute, readOpenTag } from './tag-attributes.js';
import { isSpent, spend, type Work, workFor } from './work.js';

export interface Tag {
  readonly kind: 'tool' | 'agent';
  readonly start: number;
  readonly end: number;
  readonly attributes: readonly Attribute[];
  /** Text between opening and closing tag; undefined without one. */
  readonly body?: string;
  /** A body that is no JSON, as some models are trained to write it. */
  readonly foreign?: ForeignBody;
  /** Why it cannot be run. `cut`: the reply ends inside it. `unread`: so much of the reply is broken that the rest was not read. */
  readonly fault?: 'cut' | 'malformed' | 'unread';
}

const OPENING = /^<(tool_call|tool|agent_call)(?=[\s/>]|$)/i;
/** Finds candidates; `readTag` decides. */
export const TAG_START = /<(?:tool_call|tool|agent_call)(?=[\s/>]|$)/i;

/** The call tag that begins at `at`; undefined when what stands there is not one. */
export function readTag(text: string, at: number, work: Work = workFor(text)): Tag | undefined {
  const opening = OPENING.exec(text.slice(at, at + 20));
  const name = opening?.[1]?.toLowerCase();
  if (!opening || !name) return undefined;
  const kind = name === 'agent_call' ? 'agent' : 'tool';
  if (isSpent(work)) return { kind, start: at, end: text.length, attributes: [], fault: 'unread' };
  const open = readOpenTag(text, at + opening[0].length, work);
  const base = { kind, start: at, attributes: open.attributes } as const;
  if (!open.ok) {
    if (name === 'tool' && !attribute(open.attributes, 'name')) return undefined;
    return open.cut
      ? { ...base, end: text.length, fault: 'cut' }
      : { ...base, end: malformedEnd(text, open.at), fault: 'malformed' };
  }
  if (open.selfClosed) return { ...base, end: open.end };
  const closing = new RegExp(`^\\s*</${name}\\s*>`, 'i');
  if (kind === 'tool' && open.attributes.some(({ name: key }) => ARGS_ATTRIBUTE.test(key))) {
    return { ...base, end: open.end + (closing.exec(text.slice(open.end, open.end + 200))?.[0].length ?? 0) };
  }
  return withBody(text, name, open.end, base, work);
}

/** Value of an attribute, whatever the case of its name. */
export function attribute(attributes: readonly Attribute[], ...names: readonly string[]): string | undefined {
  return names
    .map((name) => attributes.find((item) => item.name.toLowerCase() === name)?.value)
    .find((value) => value !== undefined);
}

function withBody(text: string, name: string, from: number, base: Omit<Tag, 'end'>, work: Work): Tag | undefined {
  const isTask = name === 'agent_call' && attribute(base.attributes, 'agent', 'name') !== undefined;
  const json = isTask ? undefined : jsonBody(text, name, from, work);
  if (json) return { ...base, ...json };
  const foreign = name === 'agent_call' ? undefined : readForeignBody(text, from);
  if (foreign !== undefined) spend(work, (foreign === 'cut' ? text.length : foreign.end) - from);
  if (foreign === 'cut') return { ...base, end: text.length, fault: 'cut' };
  if (foreign) {
    const end = new RegExp(`^\\s*</${name}\\s*>`, 'i').exec(text.slice(foreign.end, foreign.end + 1000));
    if (end) return { ...base, foreign, body: text.slice(from, foreign.end), end: foreign.end + end[0].length };
    if (text.slice(foreign.end).trim() === '') return { ...base, end: text.length, fault: 'cut' };
  }
  const closing = new RegExp(`</${name}\\s*>`, 'i').exec(text.slice(from));
  const named = attribute(base.attributes, 'name', 'tool', 'function', 'agent') !== undefined;
  if (!closing) {
    spend(work, text.length - from);
    // A tag in a sentence ("use <tool_call>") is no call; one with a name whose end never comes was cut off.
    const rest = text.slice(from).trim();
    return named || rest === '' || /^[{[<]/.test(rest) ? { ...base, end: text.length, fault: 'cut' } : undefined;
  }
  const body = text.slice(from, from + closing.index);
  if (!named && name === 'tool') return undefined;
  return { ...base, body: unwrap(body), end: from + closing.index + closing[0].length };
}

/** A body that is JSON ends where the JSON ends, whatever stands in its texts. */
function jsonBody(
  text: string,
  name: string,
  from: number,
  work: Work,
): { readonly body: string; readonly end: number } | undefined {
  const wrapper = /^\s*<(args|arguments|parameters|input)>/i.exec(text.slice(from, from + 200));
  const inner = from + (wrapper?.[0].length ?? 0);
  const tail = `${wrapper ? `\\s*</${wrapper[1]}\\s*>` : ''}\\s*</${name}\\s*>`;
  const cdata = /^\s*<!\[CDATA\[/.exec(text.slice(inner, inner + 200));
  if (cdata) {
    const joined = cdataSections(text, inner, new RegExp(`^${tail}`, 'i'));
    if (joined && parseStrict(joined.body).ok) return joined;
  }
  const start = inner + (cdata?.[0].length ?? 0);
  const first = /^\s*(?=[{[])/.exec(text.slice(start, start + 1000));
  if (!first) return undefined;
  const read = readInside(text, start + first[0].length);
  // What is not whole may have been looked through to the end.
  spend(work, (read.ok ? read.end : read.kind === 'cut' ? text.length : read.offset) - start);
  if (!read.ok) return undefined;
  const closing = new RegExp(`^${cdata ? '\\s*\\]\\]>' : ''}${tail}`, 'i').exec(text.slice(read.end, read.end + 1000));
  return closing ? { body: text.slice(start, read.end), end: read.end + closing[0].length } : undefined;
}

/** The joined text of CDATA sections that follow one another, when the closing tag follows them. */
function cdataSections(text: string, from: number, tail: RegExp): { readonly body: string; readonly end: number } | undefined {
  let body = '';
  let at = from;
  for (;;) {
    const open = /^\s*<!\[CDATA\[/.exec(text.slice(at, at + 1000));
    if (!open) break;
    const start = at + open[0].length;
    const close = text.indexOf(']]>', start);
    if (close < 0) return undefined;
    body += text.slice(start, close);
    at = close + 3;
  }
  const closing = tail.exec(text.slice(at, at + 1000));
  return closing ? { body, end: at + closing[0].length } : undefined;
}

/** A body without the element or the CDATA mark around it. */
function unwrap(body: string): string {
  const element = /^\s*<(args|arguments|parameters|input)>([\s\S]*)<\/\1\s*>\s*$/i.exec(body);
  const inner = element?.[2] ?? body;
  const cdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(inner);
  return (cdata?.[1] ?? inner).trim();
}

/** A tag that went wrong is passed over up to its end, as far as that can be told. */
function malformedEnd(text: string, at: number): number {
  const end = text.slice(at).search(/\/?>|\n/);
  if (end < 0) return text.length;
  return text.startsWith('/>', at + end) ? at + end + 2 : at + end + 1;
}
