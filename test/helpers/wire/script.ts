/** The words of a scripted model, independent of any wire format. */
import type { IncomingHttpHeaders } from 'node:http';

export type WireFormat = 'chat' | 'responses' | 'anthropic' | 'google';

export interface ScriptedCall {
  readonly name: string;
  /** A string goes out as the raw argument text, valid or not. */
  readonly input: string | Record<string, unknown>;
  readonly id?: string;
  /** Signature of the call (google). */
  readonly signature?: string;
}

export interface ScriptedUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/** A whole answer of the model. */
export interface Answer {
  readonly text?: string;
  readonly reasoning?: string;
  /** Signature of the reasoning (anthropic, google) or its encrypted form (responses). */
  readonly signature?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Told instead of the right reason. `none`: the stream ends properly but tells no reason. */
  readonly finish?: 'stop' | 'calls' | 'length' | 'filter' | 'none';
  readonly usage?: ScriptedUsage;
}

/** How an answer goes wrong on the way, or how slowly it comes. */
export interface Trouble {
  /** The connection stays open and silent. With `afterBytes`: after that much of the answer. */
  readonly hang?: boolean;
  /** The answer ends (properly, as HTTP) after so many bytes. */
  readonly cutAfterBytes?: number;
  /** The connection is torn down, at once or after `afterBytes`. */
  readonly reset?: boolean;
  readonly afterBytes?: number;
  /** An event that is no JSON stands at the beginning. */
  readonly malformed?: boolean;
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** An error event inside the stream, in the format's own form. */
  readonly streamError?: { readonly type: string; readonly message: string };
}

/** A plain HTTP answer instead of a stream. */
export interface HttpFault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. Absent: an error in the format's own form. */
  readonly body?: string | Record<string, unknown>;
  readonly message?: string;
}

export type Reply = (Answer & Trouble) | HttpFault;

/** What the model is told, read back from any format. */
export interface Conversation {
  readonly system: string;
  readonly functions: readonly string[];
  readonly turns: readonly ConversationTurn[];
}

export interface ConversationTurn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly results: readonly { readonly id: string; readonly name: string; readonly text: string; readonly isError?: boolean }[];
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as parsed JSON; an empty object when there was none. */
  readonly body: Record<string, unknown>;
  /** The body as it came. */
  readonly raw: Buffer;
  readonly conversation: Conversation;
  /** Settles when the connection is gone; true if that was before our answer ended. */
  readonly gone: Promise<boolean>;
}

/** A model as a list of replies, or as a function of the request and its number from 0. */
export type Script = readonly Reply[] | ((request: WireRequest, index: number) => Reply | Promise<Reply>);

/** What one wire format must be able to do. */
export interface Codec {
  /** The events of an answer, each the data of one server-sent event. `name` is the event's own name. */
  encode(answer: Answer, context: { readonly model: string; readonly id: string }): WireEvent[];
  streamError(error: { readonly type: string; readonly message: string }): WireEvent;
  httpError(status: number, message: string): Record<string, unknown>;
  read(body: Record<string, unknown>): Conversation;
}

export interface WireEvent {
  readonly name?: string;
  readonly data: string;
}

/** The last thing a person (or, in text mode, the program) said. */
export function lastUserText(request: WireRequest): string {
  return request.conversation.turns.filter((turn) => turn.role === 'user' && turn.text !== '').at(-1)?.text ?? '';
}

/** Names of the functions offered, in order. */
export function offeredFunctions(request: WireRequest): readonly string[] {
  return request.conversation.functions;
}

/** Results that came since the model last spoke. */
export function toolResults(request: WireRequest): ConversationTurn['results'] {
  const { turns } = request.conversation;
  const spoke = turns.map((turn) => turn.role).lastIndexOf('assistant');
  return turns.slice(spoke + 1).flatMap((turn) => turn.results);
}

/** Splits a text into pieces of about `size` characters, whole code points. */
export function pieces(text: string, size = 7): string[] {
  const points = [...text];
  const parts: string[] = [];
  for (let at = 0; at < points.length; at += size) parts.push(points.slice(at, at + size).join(''));
  return parts;
}

export const rawInput = (call: ScriptedCall): string =>
  typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
export const asList = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Text of a content that is a string or a list of text blocks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
    .join('');
}

export function parsedInput(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}
