/** The list of providers, and how one is chosen and put together. The SDKs load with the first request, only the chosen one. */
import type { Provider } from '../types/provider.js';
import { claudeai } from './claudeai.js';
import { compatibleServices } from './compatible.js';
import { type FallbackLink, fallbackProvider } from './fallback.js';
import { googleai } from './googleai.js';
import { ollama } from './ollama.js';
import { openai } from './openai.js';
import { type RetryOptions, retryingProvider } from './retry.js';
import type { Environment, ProviderConfig, ProviderEntry } from './shared/entry.js';
import { named, type Selected, type Selection, select } from './shared/select.js';

/** All providers, in the order in which a key selects one. */
export const PROVIDERS: readonly ProviderEntry[] = [
  openai,
  claudeai,
  googleai,
  ...compatibleServices.filter((entry) => !entry.keyless),
  ollama,
  ...compatibleServices.filter((entry) => entry.keyless),
];

/** Which provider and model to use, as configured. Asks local servers (loopback, 300 ms) only when nothing is configured. */
export function selectProvider(env: Environment, config: ProviderConfig = {}): Promise<Selection> {
  return select(PROVIDERS, env, config);
}

export interface OpenOptions extends Pick<RetryOptions, 'sleep' | 'random'> {
  readonly now?: () => number;
}

/** The chosen provider with retries, and behind it the configured fallback chain. Links that cannot be used are returned in `skipped`. */
export async function openProvider(
  chosen: Selected,
  options: OpenOptions = {},
): Promise<{ provider: Provider; skipped: readonly Selection[] }> {
  const { env, config } = chosen.settings;
  const links: FallbackLink[] = [{ provider: withRetries(chosen, options), model: undefined }];
  const skipped: Selection[] = [];
  for (const spec of config.fallback ?? []) {
    const [name = '', ...model] = spec.split(':');
    const link = await named(PROVIDERS, name, { env, config }, model.join(':') || undefined);
    if (link.kind === 'selected') links.push({ provider: withRetries(link, options), model: link.model });
    else skipped.push(link);
  }
  const [only] = links;
  return { provider: links.length === 1 && only ? only.provider : fallbackProvider(links, options), skipped };
}

function withRetries({ entry, settings }: Selected, options: OpenOptions): Provider {
  const maxRetries = settings.config.maxRetries ?? 5;
  const initialBackoffMs = backoffMs(settings.env['INITIAL_BACKOFF']);
  return retryingProvider(entry.create(settings), { maxRetries, initialBackoffMs, sleep: options.sleep, random: options.random });
}

/** `3` and `3s` are seconds, `300ms` milliseconds; anything else counts as not given. */
function backoffMs(value: string | undefined): number | undefined {
  const match = /^\s*(\d{1,6}(?:\.\d{1,3})?)(ms|s)?\s*$/.exec(value ?? '');
  const amount = Number(match?.[1]);
  return match && amount > 0 ? amount * (match[2] === 'ms' ? 1 : 1000) : undefined;
}
