/** Guards for the provider's stream in a recording: known kinds, known fields, nothing else. */
import type { Json } from '../types/json.js';
import type { EndReason, FaultKind, ProviderEvent, ProviderFault, Usage } from '../types/provider.js';
import { isCount, isObject, isText, type Loose, oneOf } from './guards.js';

const REASONS = ['stop', 'calls', 'length', 'filter', 'other', 'error', 'aborted'] as const satisfies readonly EndReason[];
const KINDS = [
  'rate-limit',
  'server',
  'network',
  'idle',
  'auth',
  'bad-request',
  'overflow',
  'tools-unsupported',
  'protocol',
  'replay',
] as const satisfies readonly FaultKind[];

const GUARDS: { readonly [type in ProviderEvent['type']]: (value: Loose) => ProviderEvent | undefined } = {
  'text-delta': ({ text, meta }) => (isText(text) ? { type: 'text-delta', text, ...metaOf(meta) } : undefined),
  'reasoning-delta': ({ text, meta }) => (isText(text) ? { type: 'reasoning-delta', text, ...metaOf(meta) } : undefined),
  call: ({ id, name, input, meta }) =>
    isText(id) && isText(name) && isText(input) ? { type: 'call', id, name, input, ...metaOf(meta) } : undefined,
  usage: (value) => {
    const usage = asUsage(value.usage);
    return usage && { type: 'usage', usage };
  },
  restart: ({ fault, waitMs, attempt }) => {
    const clean = asFault(fault);
    return clean && typeof waitMs === 'number' && isCount(attempt)
      ? { type: 'restart', fault: clean, waitMs, attempt }
      : undefined;
  },
  end: ({ reason, fault }) => {
    if (!oneOf(reason, REASONS)) return undefined;
    if (fault === undefined) return { type: 'end', reason };
    const clean = asFault(fault);
    return clean && { type: 'end', reason, fault: clean };
  },
};

/** One event of a provider's stream, or undefined. */
export function asProviderEvent(value: unknown): ProviderEvent | undefined {
  if (!isObject(value) || !isText(value.type) || !Object.hasOwn(GUARDS, value.type)) return undefined;
  return GUARDS[value.type as ProviderEvent['type']](value);
}

const metaOf = (meta: unknown): { meta?: Json } => (meta === undefined ? {} : { meta: meta as Json });

function asUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const { input, output, cacheRead, cacheWrite, reasoning } = value;
  if (!isCount(input) || !isCount(output) || !isCount(cacheRead) || !isCount(cacheWrite) || !isCount(reasoning)) return undefined;
  return { input, output, cacheRead, cacheWrite, reasoning };
}

function asFault(value: unknown): ProviderFault | undefined {
  if (!isObject(value)) return undefined;
  const { kind, message, status, retryable, retryAfterMs } = value;
  if (!oneOf(kind, KINDS) || !isText(message) || typeof retryable !== 'boolean') return undefined;
  if ((status !== undefined && !isCount(status)) || (retryAfterMs !== undefined && typeof retryAfterMs !== 'number'))
    return undefined;
  return {
    kind,
    message,
    retryable,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
