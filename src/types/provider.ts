/** The port to a model service: one function from a request to a stream of events. */
import type { Json, ObjectSchema } from './json.js';
import type { Message } from './message.js';
import type { Reason } from './reason.js';

/** A function offered to the model. */
export interface NativeFunction {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
}

export type Effort = 'low' | 'medium' | 'high' | 'max';

export interface ProviderRequest {
  readonly model: string;
  /** Stable from turn to turn, byte for byte. */
  readonly system: string;
  readonly messages: readonly Message[];
  /** Empty in text mode. Stable from turn to turn. */
  readonly functions: readonly NativeFunction[];
  readonly maxOutputTokens?: number;
  readonly effort?: Effort;
  /** JSON Schema the final answer must fit, where the service supports it. */
  readonly responseSchema?: Json;
}

/** Token counts of one provider call, as the service reported them. `input` includes cached tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export type FaultKind =
  | 'rate-limit'
  | 'server'
  | 'network'
  | 'idle'
  | 'auth'
  | 'bad-request'
  | 'overflow'
  | 'tools-unsupported'
  | 'protocol'
  | 'replay';

/** Why a provider call failed. `message` is safe to show: it holds no key. */
export interface ProviderFault {
  readonly kind: FaultKind;
  readonly message: string;
  /** The same for people. */
  readonly why?: Reason;
  readonly status?: number;
  readonly retryable: boolean;
  /** From `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number;
}

export type EndReason = 'stop' | 'calls' | 'length' | 'filter' | 'other' | 'error' | 'aborted';

export type ProviderEvent =
  | { readonly type: 'text-delta'; readonly text: string; readonly meta?: Json }
  | { readonly type: 'reasoning-delta'; readonly text: string; readonly meta?: Json }
  /** One whole call; `input` is raw text, perhaps not valid JSON. Nothing runs before `end`. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: string; readonly meta?: Json }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The attempt failed and is made again: everything since the last `restart` (or the start) is void. */
  | { readonly type: 'restart'; readonly fault: ProviderFault; readonly waitMs: number; readonly attempt: number }
  /** Always the last event, exactly once. */
  | { readonly type: 'end'; readonly reason: EndReason; readonly fault?: ProviderFault };

/**
 * A model service. `stream` never throws once called: a failure is an `end` with reason `error`,
 * an abort an `end` with reason `aborted`.
 */
export interface Provider {
  readonly name: string;
  stream(request: ProviderRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ProviderEvent>;
  /** Can this model be shown an image or document of this type? Absent: no. */
  sees?(model: string, mediaType: string): boolean;
}

/** What is known about a model. Prices are US dollars per million tokens. */
export interface ModelInfo {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput?: number;
  /** False: the model only gets text tags. */
  readonly tools: boolean;
  readonly images?: boolean;
  /** OPENAI only: use the responses API. */
  readonly responses?: boolean;
  readonly price?: { readonly input: number; readonly output: number; readonly cacheRead?: number; readonly cacheWrite?: number };
}
