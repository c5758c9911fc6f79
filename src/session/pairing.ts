/** Makes a history valid for every provider: each native call is answered exactly once, right after it was made. */
import type { Message, NativeCallPart, NativeResultPart, Part } from '../types/message.js';
import type { ToolResult } from '../types/tool.js';

/** What the log says of the calls of one assistant message, by our own call ids (`t3c1`: turn 3, first call). */
export interface CallTrace {
  readonly started: Set<string>;
  readonly ended: Map<string, { readonly tool: string; readonly result: ToolResult }>;
}

export const NOT_EXECUTED = 'not executed: the session ended before this call was run.';
export const INTERRUPTED =
  'interrupted: the session ended while this call was running. It may have done all, part or none of its work; look before you repeat it.';

/**
 * Pairs calls and results. A missing result is taken from the log of finished calls, otherwise it says that the call was
 * not executed or was interrupted. Results without a call and second results are dropped; so are messages left empty.
 * `traces` is keyed by the index of the assistant message.
 */
export function pairCalls(messages: readonly Message[], traces: ReadonlyMap<number, CallTrace>): Message[] {
  const out: Message[] = [];
  for (let at = 0; at < messages.length; ) {
    const message = messages[at] as Message;
    let end = at + 1;
    while (end < messages.length && messages[end]?.role !== 'assistant') end++;
    const followers = messages.slice(at + 1, end);
    if (message.role === 'assistant') addReply(out, message, followers, traces.get(at));
    else addOthers(out, [message, ...followers]);
    at = end;
  }
  return out;
}

function addReply(out: Message[], message: Message, followers: readonly Message[], trace: CallTrace | undefined): void {
  const seen = new Set<string>();
  const own = message.parts.filter(
    (part) => part.type !== 'result' && !(part.type === 'call' && (seen.has(part.id) || !seen.add(part.id))),
  );
  addWhole(out, message, own);
  const calls = own.filter((part): part is NativeCallPart => part.type === 'call');
  if (calls.length > 0) out.push(answers(message, calls, followers, trace));
  else if (trace && !followers.some((one) => one.role === 'user' && one.origin !== undefined && one.origin !== 'person')) {
    const lost = lostResults(message, trace);
    if (lost) out.push(lost);
  }
  addOthers(out, followers);
}

/** Messages of people and notes; results have found their place already. */
function addOthers(out: Message[], messages: readonly Message[]): void {
  for (const one of messages) {
    if (one.role !== 'tool')
      addWhole(
        out,
        one,
        one.parts.filter((part) => part.type !== 'result' && part.type !== 'call'),
      );
  }
}

/** The one message that answers all calls, in their order; images that came with results stay with them. */
function answers(
  message: Message,
  calls: readonly NativeCallPart[],
  followers: readonly Message[],
  trace: CallTrace | undefined,
): Message {
  const carriers = followers.filter((one) => one.role === 'tool');
  const found = new Map<string, NativeResultPart>();
  for (const part of followers.flatMap((one) => one.parts))
    if (part.type === 'result' && !found.has(part.id)) found.set(part.id, part);
  const images = carriers.flatMap((one) => one.parts.filter((part) => part.type === 'image'));
  const [first] = carriers;
  return {
    id: first?.id ?? `${message.id}-results`,
    role: 'tool',
    time: first?.time ?? message.time,
    ...(first?.origin ? { origin: first.origin } : {}),
    parts: [...calls.map((call, index) => found.get(call.id) ?? fromTrace(call, index, trace)), ...images],
  };
}

function fromTrace(call: NativeCallPart, index: number, trace: CallTrace | undefined): NativeResultPart {
  const base = { type: 'result', id: call.id, name: call.name } as const;
  // Our own call ids end in the call's place among the calls of its reply.
  const isIt = (id: string) => id === call.id || (/^t\d+c\d+$/.test(id) && id.endsWith(`c${index + 1}`));
  for (const [id, { result }] of trace?.ended ?? [])
    if (isIt(id)) return { ...base, text: result.output, isError: result.isError };
  const started = [...(trace?.started ?? [])].some(isIt);
  return { ...base, text: started ? INTERRUPTED : NOT_EXECUTED, isError: true };
}

/** Text mode: results that were known but never reached the model. */
function lostResults(message: Message, trace: CallTrace): Message | undefined {
  const pieces = [...trace.ended].map(([id, { tool, result }]) => `[${id}] ${tool}\n${result.output}`);
  for (const id of trace.started) if (!trace.ended.has(id)) pieces.push(`[${id}]\n${INTERRUPTED}`);
  if (pieces.length === 0) return undefined;
  const text = `The session ended before these results were delivered:\n\n${pieces.join('\n\n')}`;
  return {
    id: `${message.id}-results`,
    role: 'user',
    time: message.time,
    origin: 'tool-results',
    parts: [{ type: 'text', text }],
  };
}

function addWhole(out: Message[], message: Message, parts: readonly Part[]): void {
  const kept = parts.filter(
    (part) => !((part.type === 'text' || part.type === 'reasoning') && part.text === '' && part.meta === undefined),
  );
  if (kept.length > 0) out.push(kept.length === message.parts.length ? message : { ...message, parts: kept });
}
