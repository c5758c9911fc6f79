/** GOOGLEAI: the Gemini API, or whatever speaks it at `GOOGLEAI_BASE_URL`. */
import type { Effort, Provider, ProviderRequest } from '../types/provider.js';
import { firstValue, type ProviderEntry, type ProviderSettings } from './shared/entry.js';
import { sdkProvider } from './shared/sdk-provider.js';
import type { ServiceOptions } from './shared/sdk-types.js';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

export const googleai: ProviderEntry = {
  name: 'GOOGLEAI',
  keyVariables: ['GOOGLEAI_API_KEY'],
  // Google's own tools read this name, but others than we may have set it.
  namedKeyVariables: ['GEMINI_API_KEY'],
  urlVariables: ['GOOGLEAI_BASE_URL'],
  modelVariable: 'GOOGLEAI_MODEL',
  defaultModel: 'gemini-2.5-flash',
  create: createGoogle,
};

function createGoogle(settings: ProviderSettings): Provider {
  const url = baseUrl(firstValue(settings.env, googleai.urlVariables) ?? BASE_URL);
  return sdkProvider(
    {
      entry: googleai,
      dialect: 'google',
      url,
      async model(id, { key, fetch }) {
        const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
        return createGoogleGenerativeAI({ apiKey: key ?? '', baseURL: url, fetch }).languageModel(id.replace(/^models\//, ''));
      },
      options: (request) => ({ google: thinking(request) }),
    },
    settings,
  );
}

function baseUrl(value: string): string {
  const trimmed = value.replace(/\/+$/, '');
  return /\/v\d+(?:alpha|beta)?\d*$/.test(trimmed) ? trimmed : `${trimmed}/v1beta`;
}

const BUDGETS: Readonly<Record<Effort, number>> = { low: 1_024, medium: 8_192, high: 24_576, max: 24_576 };

/** Thoughts are shown where the model has them; Gemini 2.5 takes a budget, later ones a level. */
function thinking({ model, effort }: ProviderRequest): ServiceOptions[string] {
  const version = Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0);
  if (version < 2.5 || /image|tts|lite/.test(model)) return {};
  if (!effort) return { thinkingConfig: { includeThoughts: true } };
  if (version < 3) return { thinkingConfig: { includeThoughts: true, thinkingBudget: BUDGETS[effort] } };
  return { thinkingConfig: { includeThoughts: true, thinkingLevel: effort === 'low' ? 'low' : 'high' } };
}
