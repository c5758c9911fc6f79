/** Asks a service one short question, to see whether it takes a key. */
import type { ProviderEntry } from '../../../providers/shared/entry.js';
import type { ProviderFault } from '../../../types/provider.js';
import type { Config } from '../../config.js';

const PATIENCE_MS = 30_000;

/** `refused`: the service does not take it; `unknown`: it could not be asked. */
export type KeyCheck =
  | { readonly kind: 'good' }
  | { readonly kind: 'refused' | 'unknown'; readonly fault: ProviderFault | undefined };

/** One request of a few tokens, no retries. Never throws. */
export async function checkKey(entry: ProviderEntry, key: string, config: Config, signal: AbortSignal): Promise<KeyCheck> {
  const [variable = entry.name] = [...entry.keyVariables, ...(entry.namedKeyVariables ?? [])];
  const only = { provider: entry.name, keys: { [variable]: key }, maxRetries: 0, models: config.models };
  const model = config.model ?? (config.env[entry.modelVariable] || entry.defaultModel) ?? '';
  const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Say ok.' }], time: 0, origin: 'person' } as const;
  const request = { model, system: 'Answer with one word.', messages: [message], functions: [], maxOutputTokens: 16 };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    let fault: ProviderFault | undefined;
    const provider = entry.create({ env: config.env, config: only });
    for await (const event of provider.stream(request, { signal: limit })) if (event.type === 'end') fault = event.fault;
    if (fault?.kind === 'auth') return { kind: 'refused', fault };
    // Who is told to come later, or to ask otherwise, was let in.
    if (fault === undefined && limit.aborted) return { kind: 'unknown', fault };
    return fault === undefined || fault.kind === 'rate-limit' ? { kind: 'good' } : { kind: 'unknown', fault };
  } catch (error) {
    return {
      kind: 'unknown',
      fault: { kind: 'network', retryable: false, message: error instanceof Error ? error.message : String(error) },
    };
  }
}
