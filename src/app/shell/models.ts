/** Which services and models there are to choose from, and the change from one to the other. */

import { PROVIDERS } from '../../providers/registry.js';
import { modelInfo } from '../../providers/shared/catalogue.js';
import { FAMILIES } from '../../providers/shared/catalogue-table.js';
import { firstValue, type ProviderEntry } from '../../providers/shared/entry.js';
import { findKey, hasKey } from '../../providers/shared/key.js';
import { modelsAt } from '../../providers/shared/probe.js';
import { modelsAddress } from '../../providers/shared/select.js';
import type { ModelChoice, ModelList, ModelsPort, ProviderChoice } from '../../types/command-ports.js';
import type { Text } from '../../ui/text/index.js';
import { UsageError } from '../usage-error.js';
import type { Steering } from './steering.js';

const MOST_MODELS = 200;
/** Families of the catalogue by the service that makes them. */
const MAKERS: Readonly<Record<string, RegExp>> = {
  OPENAI: /^(?:gpt-(?!oss)|o\d|codex)/,
  CLAUDEAI: /^claude-./,
  GOOGLEAI: /^gemini-./,
  XAI: /^grok/,
  ZAI: /^glm/,
  MINIMAX: /^minimax/,
  MOONSHOT: /^(?:kimi|moonshot)/,
};

export function modelsPort(steering: Steering, text: Text): ModelsPort {
  const { config } = steering;
  const known = new Map<string, readonly string[]>();
  const entryOf = (name: string) => PROVIDERS.find((entry) => entry.name === name.toUpperCase());
  return {
    get provider() {
      return steering.chosen.service;
    },
    get model() {
      return steering.chosen.model;
    },
    get effort() {
      return steering.effort;
    },
    known: (provider) => known.get(provider.toUpperCase()) ?? catalogueOf(provider.toUpperCase()),
    providers: () => PROVIDERS.map((entry) => choiceOf(entry, steering)),
    async list(provider = steering.chosen.service) {
      const name = provider.toUpperCase();
      const entry = entryOf(name);
      const found = entry ? await asked(entry, steering) : undefined;
      const ids = found ?? catalogueOf(name);
      known.set(name, ids);
      const models = ids.slice(0, MOST_MODELS).map((id): ModelChoice => {
        const { contextWindow, price } = modelInfo(name, id, config.models);
        return { id, contextWindow, ...(price ? { price } : {}) };
      });
      return { provider: name, source: found ? 'service' : 'catalogue', models } satisfies ModelList;
    },
    async use(choice) {
      try {
        const { service, model, info } = await steering.use(choice);
        const line = text.t('switch.now', { provider: service, model, window: text.number(info.contextWindow) });
        const entry = entryOf(service);
        const isSilent = entry?.keyless === true && (await asked(entry, steering)) === undefined;
        return { done: true, lines: [line, ...(isSilent ? [text.t('switch.silent', { provider: service })] : [])] };
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return { done: false, lines: [...error.lines(text), text.t('switch.stays', { provider: steering.chosen.service })] };
      }
    },
    setEffort: (effort) => steering.setEffort(effort),
  };
}

function choiceOf(entry: ProviderEntry, { config, chosen }: Steering): ProviderChoice {
  const isKeyed = hasKey(entry, { env: config.env, config }, { named: true });
  const ready = isKeyed ? 'key' : entry.keyless ? 'local' : 'none';
  const variables = [...entry.keyVariables, ...(entry.namedKeyVariables ?? [])];
  return { name: entry.name, ready, variables, isActive: entry.name === chosen.service };
}

/** What the service itself lists; undefined when it does not answer, or not in the usual form. Never throws. */
async function asked(entry: ProviderEntry, { config }: Steering): Promise<readonly string[] | undefined> {
  if (OTHER_LISTS.has(entry.name)) return undefined;
  const settings = { env: config.env, config };
  const address = firstValue(config.env, entry.urlVariables) ?? entry.defaultAddress ?? USUAL[entry.name];
  if (address === undefined) return undefined;
  const key = await findKey(entry, settings).catch(() => undefined);
  if (key === undefined && !entry.keyless) return undefined;
  const ids = await modelsAt(modelsAddress(address), key);
  return ids && ids.length > 0 ? [...ids].sort() : undefined;
}

/** Their lists have another form and another way to give the key. */
const OTHER_LISTS: ReadonlySet<string> = new Set(['CLAUDEAI', 'GOOGLEAI']);

/** Where services list their models that have no address of their own in the configuration. */
const USUAL: Readonly<Record<string, string>> = { OPENAI: 'https://api.openai.com/v1/models' };

function catalogueOf(name: string): readonly string[] {
  const maker = MAKERS[name];
  return maker ? Object.keys(FAMILIES).filter((family) => maker.test(family) && !family.endsWith('-')) : [];
}
