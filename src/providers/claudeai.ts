/** CLAUDEAI: Anthropic's messages API, or whatever speaks it at `ANTHROPIC_BASE_URL`. */
import type { Effort, Provider, ProviderRequest } from '../types/provider.js';
import { modelInfo } from './shared/catalogue.js';
import { firstValue, type ProviderEntry, type ProviderSettings } from './shared/entry.js';
import { sdkProvider } from './shared/sdk-provider.js';
import type { ServiceOptions } from './shared/sdk-types.js';

const BASE_URL = 'https://api.anthropic.com';
/** Reserved for the reply when the caller names no limit: the input may fill the rest of the window. */
const REPLY_TOKENS = 32_000;

export const claudeai: ProviderEntry = {
  name: 'CLAUDEAI',
  keyVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_OAUTH_TOKEN'],
  urlVariables: ['ANTHROPIC_BASE_URL'],
  modelVariable: 'ANTHROPIC_MODEL',
  defaultModel: 'claude-sonnet-4-6',
  create: createClaude,
};

function createClaude(settings: ProviderSettings): Provider {
  const url = baseUrl(firstValue(settings.env, claudeai.urlVariables) ?? BASE_URL);
  // A token of a subscription is sent another way than a key.
  const asToken = !settings.env['ANTHROPIC_API_KEY']?.trim() && Boolean(settings.env['ANTHROPIC_OAUTH_TOKEN']?.trim());
  return sdkProvider(
    {
      entry: claudeai,
      dialect: 'anthropic',
      url,
      async model(id, { key, fetch }) {
        const { createAnthropic } = await import('@ai-sdk/anthropic');
        const access = asToken ? { authToken: key, headers: { 'anthropic-beta': 'oauth-2025-04-20' } } : { apiKey: key ?? '' };
        return createAnthropic({ ...access, baseURL: url, fetch }).languageModel(id);
      },
      options: (request) => ({ anthropic: claudeOptions(request) }),
      maxOutputTokens: ({ model }) =>
        Math.min(REPLY_TOKENS, modelInfo(claudeai.name, model, settings.config.models).maxOutput ?? REPLY_TOKENS),
    },
    settings,
  );
}

/** The SDK wants the version in the path; users give the address with it, without it, or whole. */
function baseUrl(value: string): string {
  const trimmed = value.replace(/\/+$/, '').replace(/\/messages$/, '');
  return /\/v\d+$/.test(trimmed) ? trimmed : `${trimmed}/v1`;
}

const BUDGETS: Readonly<Record<Effort, number>> = { low: 4_000, medium: 10_000, high: 20_000, max: 31_000 };

/** Newer models decide how long to think and take an effort; older ones take a budget of tokens. */
function claudeOptions({ model, effort, responseSchema }: ProviderRequest): ServiceOptions[string] {
  const common = {
    toolStreaming: false,
    ...(responseSchema === undefined ? {} : { structuredOutputMode: 'outputFormat' as const }),
  };
  if (!effort || !/claude-/.test(model)) return common;
  if (/claude-3-7|claude-(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{6,})?$/.test(model))
    return { ...common, thinking: { type: 'enabled', budgetTokens: BUDGETS[effort] } };
  return /claude-3/.test(model) ? common : { ...common, thinking: { type: 'adaptive' }, effort };
}
