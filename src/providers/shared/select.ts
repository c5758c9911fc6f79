/** Decides which provider and model a run uses, and says what was looked for when there is none. */
import { chatUrl } from './chat-service.js';
import { type Environment, firstValue, type ProviderConfig, type ProviderEntry, type ProviderSettings } from './entry.js';
import { findKey, hasKey } from './key.js';
import { modelsAt } from './probe.js';
import { isLoopback } from './proxy.js';

/** Names of the original that no longer exist. */
const RETIRED: readonly string[] = ['STACKSPOT', 'DEVIN', 'OPENAI_ASSISTANT'];

export interface Selected {
  readonly kind: 'selected';
  readonly entry: ProviderEntry;
  readonly settings: ProviderSettings;
  readonly model: string;
  /** What decided: its name, a key, a configured address, a local server that answered. */
  readonly reason: 'named' | 'key' | 'address' | 'local';
}

/** The outcome of the choice. All but `selected` are configuration faults, with the data for a message. */
export type Selection =
  | Selected
  | { readonly kind: 'none'; readonly variables: readonly string[]; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown'; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: 'retired'; readonly name: string }
  | { readonly kind: 'no-key'; readonly name: string; readonly variables: readonly string[] }
  | { readonly kind: 'no-address'; readonly name: string; readonly variables: readonly string[] }
  | { readonly kind: 'no-model'; readonly name: string; readonly variable: string; readonly address: string };

/** The named provider; else the first with a key; else one whose address is configured; else a local server that answers. */
export async function select(entries: readonly ProviderEntry[], env: Environment, config: ProviderConfig): Promise<Selection> {
  const settings = { env, config };
  const name = (config.provider ?? env['LLM_PROVIDER'])?.trim();
  if (name) return named(entries, name, settings, config.model);
  const keyed = entries.find((entry) => hasKey(entry, settings, { named: false }));
  if (keyed) return withModel(keyed, settings, 'key', config.model);
  const addressed = entries.find((entry) => entry.keyless && (firstValue(env, entry.urlVariables) || isSwitchedOn(env, entry)));
  if (addressed) return withModel(addressed, settings, 'address', config.model);
  return localServer(entries, settings);
}

/** A provider by name, `model` instead of the configured one. Also used for the links of a fallback chain. */
export async function named(
  entries: readonly ProviderEntry[],
  name: string,
  settings: ProviderSettings,
  model: string | undefined,
): Promise<Selection> {
  const upper = name.toUpperCase();
  if (RETIRED.includes(upper)) return { kind: 'retired', name: upper };
  const entry = entries.find((known) => known.name === upper);
  if (!entry) return { kind: 'unknown', name, known: entries.map((known) => known.name) };
  const variables = [...entry.keyVariables, ...(entry.namedKeyVariables ?? [])];
  if (!entry.keyless && !hasKey(entry, settings, { named: true })) return { kind: 'no-key', name: upper, variables };
  return withModel(entry, settings, 'named', model);
}

async function withModel(
  entry: ProviderEntry,
  settings: ProviderSettings,
  reason: Selected['reason'],
  wanted: string | undefined,
): Promise<Selection> {
  const address = addressOf(entry, settings.env);
  if (entry.keyless && !address) return { kind: 'no-address', name: entry.name, variables: entry.urlVariables };
  const model = wanted ?? firstValue(settings.env, [entry.modelVariable]) ?? entry.defaultModel;
  if (model) return { kind: 'selected', entry, settings, model, reason };
  const list = modelsAddress(address);
  const first = (await modelsAt(list, await findKey(entry, settings).catch(() => undefined)))?.[0];
  return first
    ? { kind: 'selected', entry, settings, model: first, reason }
    : { kind: 'no-model', name: entry.name, variable: entry.modelVariable, address: list };
}

async function localServer(entries: readonly ProviderEntry[], settings: ProviderSettings): Promise<Selection> {
  const candidates = entries.filter((entry) => entry.localProbe !== undefined && isLoopback(entry.localProbe));
  const answers = await Promise.all(candidates.map((entry) => modelsAt(entry.localProbe ?? '')));
  for (const [index, entry] of candidates.entries()) {
    const models = answers[index];
    const wanted = settings.config.model ?? firstValue(settings.env, [entry.modelVariable]);
    const model = wanted ?? preferred(models, entry.defaultModel);
    if (models && model) return { kind: 'selected', entry, settings, model, reason: 'local' };
  }
  const variables = entries.flatMap((entry) => entry.keyVariables);
  return { kind: 'none', variables, addresses: candidates.map((entry) => entry.localProbe ?? '') };
}

function preferred(models: readonly string[] | undefined, usual: string | undefined): string | undefined {
  return usual !== undefined && models?.includes(usual) ? usual : models?.[0];
}

/** `OLLAMA_ENABLED=true` of the original. */
function isSwitchedOn(env: Environment, entry: ProviderEntry): boolean {
  return /^(?:true|1|yes)$/i.test(env[`${entry.name}_ENABLED`]?.trim() ?? '');
}

function addressOf(entry: ProviderEntry, env: Environment): string | undefined {
  return firstValue(env, entry.urlVariables) ?? entry.defaultAddress;
}

/** Where a service that is called at `address` lists its models. */
export function modelsAddress(address: string | undefined): string {
  if (!address) return '';
  return address.endsWith('/models') ? address : chatUrl(address).replace(/\/chat\/completions$/, '/models');
}
