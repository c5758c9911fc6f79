/** The text of a model's reply -> its calls, the text for people, and what is wrong with it. Never throws, never runs anything. */
import type { JsonObject } from '../types/json.js';
import type { ErrorCode, Tool } from '../types/tool.js';
import { isObject, readArgsText } from './args-text.js';
import { CallFault } from './call-fault.js';
import { canonicalCall, type GivenArgs, refused } from './canonical.js';
import { withAgentCount } from './count-agent-calls.js';
import { findTool } from './find-tool.js';
import type { ForeignForm } from './foreign-forms.js';
import type { CallOrigin, ParsedCall } from './parsed-call.js';
import { afterReasoning, type ScannedReply, scanReply } from './scan-reply.js';
import { ARGS_ATTRIBUTE } from './tag-attributes.js';
import { attribute, type Tag } from './tags.js';
import { callOf, readWholeReply, type WholeReply } from './whole-reply.js';

export type { ParsedCall } from './parsed-call.js';

interface ParsedReply {
  /** In the order of the reply. */
  readonly calls: ParsedCall[];
  /** The reply without calls and reasoning, for people. */
  readonly visible: string;
  /** Sentences for the model about a reply that means to act but has no call. */
  readonly problems: string[];
}

interface ReplyOptions {
  readonly tools: readonly Tool[];
  readonly agent: string;
  nextId(): string;
  /** Texts of recent tool results: a tag that only repeats one of them never runs. */
  readonly forbidden?: readonly string[];
  /** The service says the reply did not end by itself: nothing that may be missing is added. */
  readonly cut?: boolean;
}

/** Tags count where they are meant; without any, the whole reply may be one call. A cut-off call is an answer, never run. */
export function parseReply(text: string, options: ReplyOptions): ParsedReply {
  // A reply that is one object is read as such first: tags inside its texts are text.
  const bare = afterReasoning(text);
  const ending = options.cut ? 'cut' : 'open';
  const first = readWholeReply(bare, options.tools, ending);
  if (first.kind === 'call' && !first.broken) return { calls: [wholeCall(bare, first, options)], visible: '', problems: [] };
  const scanned = scanReply(text);
  const calls = [...tagCalls(text, scanned.tags, options), ...foreignCalls(text, scanned, options)];
  const visible = without(text, [
    ...scanned.reasoning,
    ...scanned.tags.filter(isCall),
    ...(scanned.foreign ? [scanned.foreign] : []),
    ...(calls.length > 0 ? scanned.strays : []),
  ]);
  if (calls.length > 0) return { calls, visible, problems: [] };
  if (scanned.heldBy) return { calls, visible, problems: [heldProblem(scanned.heldBy)] };
  const rest = without(text, scanned.reasoning);
  const whole = readWholeReply(rest, options.tools, ending);
  if (whole.kind === 'problem') return { calls, visible, problems: [whole.problem] };
  return whole.kind === 'text'
    ? { calls, visible, problems: [] }
    : { calls: [wholeCall(rest, whole, options)], visible: '', problems: [] };
}

/** Calls in the form of a model family: they count when the reply ends with them. */
function foreignCalls(text: string, scanned: ScannedReply, options: ReplyOptions): ParsedCall[] {
  const { foreign } = scanned;
  if (!foreign) return [];
  const raw = text.slice(foreign.start, foreign.end);
  const { forms } = foreign;
  if (forms.kind === 'cut') return [refused(forms.name, tagFault({ fault: 'cut' }), originOf(raw, options))];
  const behind = text.slice(foreign.end).trim();
  return forms.calls.map((form) => {
    const origin = originOf(raw, options);
    if (repeats(raw, options.forbidden)) return repeatedCall(form.name, origin);
    if (behind !== '') return refused(form.name, textBehind(), origin);
    return canonicalCall(options.tools, form.name, givenOf(form), origin);
  });
}

function textBehind(): CallFault {
  return new CallFault(
    'text stands behind this call, so it is unclear where it ends and nothing was run. Send it last in the reply, or as <tool_call name="@read">{"file":"main.go"}</tool_call>',
  );
}

function givenOf(form: ForeignForm): GivenArgs {
  return form.given.kind === 'json' ? { kind: 'text', text: form.given.text, ending: 'closed' } : form.given;
}

function heldProblem(block: string): string {
  return `The ${block} is not closed and a call stands in it, so it was not run. Close the ${block}, then send the call after it.`;
}

function wholeCall(text: string, whole: Extract<WholeReply, { kind: 'call' }>, options: ReplyOptions): ParsedCall {
  const origin = originOf(text, options);
  return repeats(text, options.forbidden)
    ? repeatedCall(whole.name, origin)
    : canonicalCall(options.tools, whole.name, whole.given, origin);
}

function originOf(raw: string, options: ReplyOptions): CallOrigin {
  return { id: options.nextId(), agent: options.agent, source: 'tag', raw };
}

/** A tag without a name is prose ("use <tool_call>"), unless it was cut off, or has a body that must be meant as a call. */
function isCall(tag: Tag): boolean {
  if (nameOf(tag) !== undefined) return true;
  if (tag.fault === 'unread') return true;
  if (tag.fault) return tag.fault === 'cut' && tag.attributes.every(({ value }) => value !== '');
  return Boolean(tag.body?.trim());
}

function nameOf(tag: Tag): string | undefined {
  return tag.kind === 'agent' ? 'agent' : attribute(tag.attributes, 'name', 'tool', 'function')?.trim() || undefined;
}

function tagCalls(text: string, tags: readonly Tag[], options: ReplyOptions): ParsedCall[] {
  const counted = tags.filter(isCall);
  const calls = counted.flatMap((tag) => tagCall(text, tag, options) ?? []);
  if (!findTool(options.tools, 'agent')) return calls;
  return withAgentCount(calls, (index) => counted[index]?.kind === 'agent');
}

function tagCall(text: string, tag: Tag, options: ReplyOptions): ParsedCall | undefined {
  if (!isCall(tag)) return undefined;
  const raw = text.slice(tag.start, tag.end);
  const origin = originOf(raw, options);
  const inBody = bodyCall(tag, options);
  const name = nameOf(tag) ?? inBody?.name ?? 'tool_call';
  if (tag.fault) return refused(name, tagFault(tag), origin);
  if (endsInside(text, tag)) return refused(name, textBehind(), origin);
  if (repeats(raw, options.forbidden)) return repeatedCall(name, origin);
  if (tag.kind === 'agent') return agentCall(tag, options, origin);
  if (inBody) return canonicalCall(options.tools, inBody.name, inBody.given, origin);
  if (nameOf(tag) === undefined)
    return refused(
      name,
      new CallFault('the tag names no tool; write <tool_call name="@coder" args=\'{"cmd":"read","args":{"file":"main.go"}}\'/>'),
      origin,
    );
  return canonicalCall(options.tools, name, argsOf(tag), origin);
}

/** Parameters whose closing mark stands again behind the tag: a value held the mark, and the tag ended too early. */
function endsInside(text: string, tag: Tag): boolean {
  if (!tag.body || !/<(?:parameter|param|arg_value|invoke)\b/.test(tag.body)) return false;
  const next = /<(?:tool_call|tool)[\s>]/i.exec(text.slice(tag.end));
  const behind = next ? text.slice(tag.end, tag.end + next.index) : text.slice(tag.end);
  return /<\/(?:parameter|param|arg_value|function|invoke|tool_call|tool)\s*>/i.test(behind);
}

function argsOf(tag: Tag): GivenArgs {
  const args = tag.attributes.find(({ name }) => ARGS_ATTRIBUTE.test(name));
  if (args) return { kind: 'text', text: args.value, ending: 'closed' };
  const parameters = tag.foreign?.parameters;
  if (parameters) return { kind: 'object', object: parameters };
  if (tag.body?.trim()) return { kind: 'text', text: tag.body, ending: 'closed' };
  const fields = tag.attributes.filter(({ name }) => !['name', 'tool', 'function', 'id'].includes(name.toLowerCase()));
  return { kind: 'object', object: Object.fromEntries(fields.map(({ name, value }) => [name, value])) };
}

/** A tag without a name may carry it in a JSON body: `{"name": …, "arguments": …}`. */
function bodyCall(tag: Tag, options: ReplyOptions): { readonly name: string; readonly given: GivenArgs } | undefined {
  if (tag.kind !== 'tool' || nameOf(tag) !== undefined || !tag.body) return undefined;
  const form = tag.foreign?.form;
  if (form) return { name: form.name, given: givenOf(form) };
  try {
    const read = readArgsText(tag.body, 'closed');
    if (read.kind !== 'object') return undefined;
    const known = callOf(read.object, options.tools);
    if (known) return known;
    const { name, arguments: args } = read.object;
    return typeof name === 'string' && isObject(args) ? { name, given: { kind: 'object', object: args } } : undefined;
  } catch (error) {
    if (error instanceof CallFault) return undefined;
    throw error;
  }
}

function agentCall(tag: Tag, options: ReplyOptions, origin: CallOrigin): ParsedCall {
  const agent = attribute(tag.attributes, 'agent', 'name')?.trim().toLowerCase() ?? '';
  const said = attribute(tag.attributes, 'task')?.trim() ?? '';
  const task = [said, tag.body?.trim() ?? ''].filter(Boolean).join('\n');
  const tool = findTool(options.tools, 'agent');
  if (!tool)
    return refused(
      'agent',
      new CallFault('agents cannot be called in this run; use the tools yourself', { code: 'NotFound' }),
      origin,
    );
  const fields = agentFields(tag, agent, said);
  if (fields) {
    const object = { ...fields, ...(agent ? { agent } : {}), ...(said ? { task: said } : {}), ...furtherOf(tag) };
    return canonicalCall(options.tools, tool.name, { kind: 'object', object }, origin);
  }
  const further = furtherOf(tag);
  // A script needs no task.
  if (!agent || (!task && further['skill'] === undefined))
    return refused(
      tool.name,
      new CallFault(`${agent ? 'task' : 'agent'} is missing or empty`, { pointer: agent ? '/task' : '/agent' }),
      origin,
    );
  return canonicalCall(
    options.tools,
    tool.name,
    { kind: 'object', object: { agent, ...(task ? { task } : {}), ...further } },
    origin,
  );
}

/** A body in JSON holds the fields when the tag lacks its agent, or its task and the body names one. */
function agentFields(tag: Tag, agent: string, task: string): JsonObject | undefined {
  if (!tag.body?.trimStart().startsWith('{') || (agent && task)) return undefined;
  try {
    const read = readArgsText(tag.body, 'closed');
    if (read.kind !== 'object') return undefined;
    const { arguments: wrapped = read.object['args'], ...others } = read.object;
    const names = Object.keys(others).filter((key) => key !== 'args');
    const isWrapped = isObject(wrapped) && 'task' in wrapped && names.every((key) => key === 'name');
    if (isWrapped) return 'agent' in wrapped || agent ? wrapped : { ...wrapped, ...others };
    return !agent || typeof read.object['task'] === 'string' || typeof read.object['prompt'] === 'string'
      ? read.object
      : undefined;
  } catch (error) {
    if (error instanceof CallFault) return undefined;
    throw error;
  }
}

/** The rarer attributes of an agent call: a script of it with its fields, and isolation. */
function furtherOf(tag: Tag): JsonObject {
  const skill = attribute(tag.attributes, 'skill', 'script')?.trim();
  const args = attribute(tag.attributes, 'args')?.trim();
  const isolate = attribute(tag.attributes, 'isolate', 'isolation')?.trim().toLowerCase();
  return {
    ...(skill ? { skill } : {}),
    ...(args ? { args } : {}),
    ...(isolate === undefined ? {} : { isolate: truth(isolate) }),
  };
}

/** An attribute without a value is a yes; what is neither stays as it is and is answered as wrong. */
function truth(text: string): boolean | string {
  if (['', 'true', 'yes', 'on', '1', 'worktree', 'isolate'].includes(text)) return true;
  return ['false', 'no', 'off', '0', 'none'].includes(text) ? false : text;
}

function tagFault(tag: Pick<Tag, 'fault'>): CallFault {
  if (tag.fault === 'cut')
    return new CallFault(
      'the reply ends inside this call, so it was cut off and nothing was run. Send the whole call again, a long one in several smaller calls',
    );
  if (tag.fault === 'unread')
    return new CallFault(
      'the reply holds so many broken tags that the rest of it was not read; nothing from here on was run. Send the calls again, each in a tag of its own that is closed',
    );
  return new CallFault(
    'the tag is malformed, so nothing was run. Inside an attribute write &quot; for " and &apos; for \', or put the JSON between <tool_call name="…"> and </tool_call>',
  );
}

/** Whether a call is nothing but text of a tool result: then the words are not the model's own. */
function repeats(raw: string, forbidden: readonly string[] | undefined): boolean {
  if (!forbidden || forbidden.length === 0) return false;
  const wanted = flat(raw);
  // The longest word must stand in the text as it is: a cheap look before the long one.
  const word = raw.split(/\s+/).reduce((longest, next) => (next.length > longest.length ? next : longest), '');
  return wanted !== '' && forbidden.some((text) => text.includes(word) && flat(text).includes(wanted));
}

/** Line numbers of a listing and the way lines are broken make no difference. */
function flat(text: string): string {
  return text
    .replace(/^\s*\d+ ?\| ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function repeatedCall(name: string, origin: CallOrigin): ParsedCall {
  const code: ErrorCode = 'Blocked';
  return refused(
    name,
    new CallFault(
      'this call repeats the text of a tool result word for word, so it was not run. If you mean it yourself, send it in another form',
      { code },
    ),
    origin,
  );
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** The text without some of its parts; everything else stays as it is, but for the gaps that are left. */
function without(text: string, cuts: readonly Cut[]): string {
  const sorted = [...cuts].sort((a, b) => a.start - b.start);
  let out = '';
  let at = 0;
  for (const cut of sorted) {
    if (cut.start > at || out === '') out = joined(out, text.slice(at, Math.max(at, cut.start)));
    at = Math.max(at, cut.end);
  }
  return joined(out, text.slice(at)).trim();
}

/** Two parts with something taken out between them: a space within a line, an empty line between lines. */
function joined(left: string, right: string): string {
  const before = left.trimEnd();
  const after = right.trimStart();
  if (!before || !after) return left + right;
  const lines = /\n/.test(left.slice(before.length)) || /\n/.test(right.slice(0, right.length - after.length));
  return before + (lines ? '\n\n' : ' ') + after;
}
