/** What is said between user, model and tools: plain data that can be stored as JSON. */
import type { Json } from './json.js';

export type Role = 'user' | 'assistant' | 'tool';

/** A native function call as the model sent it. `input` is the raw argument text, byte for byte. */
export interface NativeCallPart {
  readonly type: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: string;
  /** What a provider must get back with this call (a thought signature, an item id). */
  readonly meta?: Json;
}

/** The answer to a native function call. Every call part is answered by exactly one. */
export interface NativeResultPart {
  readonly type: 'result';
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export type Part =
  | { readonly type: 'text'; readonly text: string; readonly meta?: Json }
  | { readonly type: 'reasoning'; readonly text: string; readonly meta?: Json }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | NativeCallPart
  | NativeResultPart;

/** One entry of a history. `time` is in milliseconds since 1970. */
export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly time: number;
  /** Why a user message exists when no person wrote it. Such messages never count as the user's own words. */
  readonly origin?: 'person' | 'tool-results' | 'correction' | 'note';
}
