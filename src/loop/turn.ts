/** One provider call: a stream of events becomes one assistant message and the calls in it. */
import { callFromNative } from '../protocol/native.js';
import { type ParsedCall, parseReply } from '../protocol/parse-reply.js';
import type { Json } from '../types/json.js';
import type { Message, NativeCallPart, Part } from '../types/message.js';
import type { EndReason, ProviderFault, ProviderRequest, Usage } from '../types/provider.js';
import type { Emit } from './emit.js';
import { addUsage, type LoopPorts, NO_USAGE } from './ports.js';

export interface TurnReply {
  readonly message: Message;
  /** How the calls came, and so how they are answered. */
  readonly form: 'native' | 'text';
  readonly calls: readonly ParsedCall[];
  /** The text for people: no call tags, no reasoning. */
  readonly visible: string;
  readonly problems: readonly string[];
  readonly reason: EndReason;
  readonly fault?: ProviderFault;
  readonly usage: Usage;
}

interface TurnOptions {
  readonly agentId: string;
  readonly turn: number;
  readonly signal: AbortSignal;
  /** Output of recent tool calls: a tag that only repeats it never runs. */
  readonly toolTexts: readonly string[];
}

/** Asks the provider once. Nothing runs here; the stream is always read to its end. */
export async function takeTurn(request: ProviderRequest, options: TurnOptions, ports: LoopPorts, emit: Emit): Promise<TurnReply> {
  let parts: Part[] = [];
  let usage = NO_USAGE;
  let reason: EndReason = 'other';
  let fault: ProviderFault | undefined;
  for await (const event of ports.provider.stream(request, { signal: options.signal })) {
    emit({ type: 'provider-event', turn: options.turn, event });
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      addDelta(parts, event.type === 'text-delta' ? 'text' : 'reasoning', event.text, event.meta);
      if (event.text) emit({ type: event.type, text: event.text });
    } else if (event.type === 'call') {
      parts.push({
        type: 'call',
        id: event.id,
        name: event.name,
        input: event.input,
        ...(event.meta === undefined ? {} : { meta: event.meta }),
      });
    } else if (event.type === 'usage') {
      usage = addUsage(usage, event.usage);
    } else if (event.type === 'restart') {
      parts = [];
      emit({
        type: 'turn-restart',
        reason: event.fault.message,
        ...(event.fault.why && { why: event.fault.why }),
        waitMs: event.waitMs,
        attempt: event.attempt,
      });
    } else {
      reason = event.reason;
      fault = event.fault;
    }
  }
  const message: Message = { id: ports.ids.next('m'), role: 'assistant', parts, time: ports.clock.now() };
  return { message, reason, fault, usage, ...callsOf(parts, reason, options, ports) };
}

/** Deltas of one kind join; one that carries meta closes its part, since the meta belongs to the text before it. */
function addDelta(parts: Part[], type: 'text' | 'reasoning', text: string, meta: Json | undefined): void {
  const last = parts.at(-1);
  if (last && last.type === type && last.meta === undefined) {
    parts[parts.length - 1] = { ...last, text: last.text + text, ...(meta === undefined ? {} : { meta }) };
  } else if (text || meta !== undefined) {
    parts.push({ type, text, ...(meta === undefined ? {} : { meta }) });
  }
}

function callsOf(
  parts: readonly Part[],
  reason: EndReason,
  options: TurnOptions,
  ports: LoopPorts,
): Pick<TurnReply, 'form' | 'calls' | 'visible' | 'problems'> {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const native = parts.filter((part): part is NativeCallPart => part.type === 'call');
  let n = 0;
  const nextId = () => `t${options.turn}c${++n}`;
  // A reply that did not end by itself may lack its rest: only what is whole as it stands is run.
  const cut = reason !== 'stop' && reason !== 'calls';
  const parsed = parseReply(text, { tools: ports.tools, agent: options.agentId, nextId, forbidden: options.toolTexts, cut });
  if (native.length === 0) return { form: 'text', calls: parsed.calls, visible: parsed.visible, problems: parsed.problems };
  n = 0;
  const calls = native.map((part, index) => {
    const isLast = index === native.length - 1;
    return withId(callFromNative(part, { tools: ports.tools, agent: options.agentId, cut: cut && isLast }), nextId());
  });
  return { form: 'native', calls, visible: parsed.visible, problems: [] };
}

/** Providers may reuse ids from turn to turn; ours are unique in a run and equal in every replay. */
function withId(parsed: ParsedCall, id: string): ParsedCall {
  return parsed.ok ? { ...parsed, call: { ...parsed.call, id } } : { ...parsed, id };
}
