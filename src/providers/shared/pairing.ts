/** Puts a history in the order every service accepts: each call answered once, right after the message that made it. */
import { createHash } from 'node:crypto';
import type { Message, NativeCallPart, NativeResultPart, Part } from '../../types/message.js';

export type SpokenPart = Exclude<Part, NativeCallPart | NativeResultPart>;
export type ImagePart = Extract<Part, { type: 'image' }>;

/** A result with the images and documents that came with it. */
export interface WireResult extends NativeResultPart {
  readonly files: readonly ImagePart[];
}

/** One entry as services see it: results stand alone, apart from what the user says. */
export type WireTurn =
  | { readonly role: 'user'; readonly parts: readonly SpokenPart[] }
  | { readonly role: 'assistant'; readonly parts: readonly Exclude<Part, NativeResultPart>[] }
  | { readonly role: 'tool'; readonly parts: readonly WireResult[] };

const NOT_EXECUTED = 'not executed: the run ended before this call was made';

/** Strict services allow 40 characters; longer ids are replaced by a short one that stays the same. */
const MAX_ID = 40;

/**
 * Dangling calls get a "not executed" result, results without a call become text, ids are unique over the
 * whole history. The same history always gives the same turns, and a longer one only adds at the end.
 */
export function pairTurns(messages: readonly Message[], options: { readonly plainIds: boolean }): WireTurn[] {
  const turns: WireTurn[] = [];
  const used = new Set<string>();
  let open: OpenCall[] = [];
  let answered: (WireResult & { files: ImagePart[] })[] = [];
  let said: WireTurn[] = [];
  const close = () => {
    const missing = open.filter((call) => !call.answered);
    const results = [...answered, ...missing.map((call) => resultFor(call, NOT_EXECUTED, true))];
    if (results.length > 0) turns.push({ role: 'tool', parts: inCallOrder(results, open) });
    turns.push(...said);
    [open, answered, said] = [[], [], []];
  };
  for (const message of messages) {
    if (message.role === 'assistant') {
      close();
      const opened = openCalls(message.parts, used, options.plainIds);
      open = opened.calls;
      turns.push({ role: 'assistant', parts: opened.parts });
      continue;
    }
    const spoken: SpokenPart[] = [];
    let last: ImagePart[] | undefined;
    for (const part of message.parts) {
      const call = part.type === 'result' ? open.find((known) => known.given === part.id && !known.answered) : undefined;
      if (part.type === 'result' && call) {
        call.answered = true;
        last = [];
        answered.push({ ...part, id: call.id, name: call.name, files: last });
      } else if (part.type === 'result') {
        last = undefined;
        spoken.push(asText(part));
      } else if (part.type === 'image' && last) last.push(part);
      else if (part.type !== 'call') spoken.push(part);
    }
    if (spoken.length > 0) said.push({ role: 'user', parts: spoken });
  }
  close();
  return turns;
}

interface OpenCall {
  readonly given: string;
  readonly id: string;
  readonly name: string;
  answered: boolean;
}

function openCalls(
  parts: readonly Part[],
  used: Set<string>,
  plain: boolean,
): { calls: OpenCall[]; parts: Exclude<Part, NativeResultPart>[] } {
  const calls: OpenCall[] = [];
  const kept: Exclude<Part, NativeResultPart>[] = [];
  for (const part of parts) {
    if (part.type === 'result') continue;
    if (part.type !== 'call') {
      kept.push(part);
      continue;
    }
    const call = { given: part.id, id: uniqueId(part.id, used, plain), name: wireName(part.name), answered: false };
    calls.push(call);
    kept.push({ ...part, id: call.id, name: call.name });
  }
  return { calls, parts: kept };
}

function uniqueId(given: string, used: Set<string>, plain: boolean): string {
  const clean = plain ? given.replace(/[^A-Za-z0-9_-]/g, '_') : given;
  const base =
    clean === '' || clean.length > MAX_ID ? `call_${createHash('sha256').update(given).digest('hex').slice(0, 24)}` : clean;
  let id = base;
  for (let n = 2; used.has(id); n++) id = `${base.slice(0, MAX_ID - 6)}_${n}`;
  used.add(id);
  return id;
}

/** A function name every service accepts, also for one the model made up. */
function wireName(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`.slice(0, 64);
}

function resultFor(call: OpenCall, text: string, isError: boolean): WireResult {
  return { type: 'result', id: call.id, name: call.name, text, isError, files: [] };
}

function inCallOrder(results: readonly WireResult[], calls: readonly OpenCall[]): WireResult[] {
  const place = (part: WireResult) => calls.findIndex((call) => call.id === part.id);
  return [...results].sort((a, b) => place(a) - place(b));
}

function asText(part: NativeResultPart): SpokenPart {
  return { type: 'text', text: `[result of ${part.name}]\n${part.text}` };
}

/** For requests that offer no functions: calls and results of earlier turns as text, since services refuse them otherwise. */
export function withoutFunctions(turns: readonly WireTurn[]): WireTurn[] {
  return turns.map((turn): WireTurn => {
    if (turn.role === 'tool') return { role: 'user', parts: turn.parts.flatMap((part) => [asText(part), ...part.files]) };
    if (turn.role === 'user') return turn;
    return {
      role: 'assistant',
      parts: turn.parts.map((part) => (part.type === 'call' ? { type: 'text', text: asTag(part) } : part)),
    };
  });
}

function asTag(part: NativeCallPart): string {
  const args = part.input.replaceAll('&', '&amp;').replaceAll("'", '&apos;').replaceAll('<', '&lt;');
  return `<tool_call name="${part.name}" args='${args}'/>`;
}
