/** Every other service that speaks chat completions: one line of data each. */
import type { ProviderRequest } from '../types/provider.js';
import { chatService, chatUrl } from './shared/chat-service.js';
import { firstValue, type ProviderEntry } from './shared/entry.js';
import { sdkProvider } from './shared/sdk-provider.js';

interface CompatibleService {
  readonly name: string;
  /** Absent: there is no address until a variable gives one. */
  readonly url?: string;
  readonly urlVariables: readonly string[];
  readonly keyVariables: readonly string[];
  readonly namedKeyVariables?: readonly string[];
  readonly defaultModel?: string;
  readonly keyless?: boolean;
  readonly localProbe?: string;
  /** Earlier reasoning goes back with the history: these models think on from it between calls. */
  readonly sendReasoning?: boolean;
  /** The service knows the field `reasoning_effort`. */
  readonly takesEffort?: boolean;
}

const local = (name: string, url: string | undefined): CompatibleService => ({
  name,
  url,
  urlVariables: [`${name}_BASE_URL`],
  keyVariables: [],
  namedKeyVariables: [`${name}_API_KEY`],
  keyless: true,
  sendReasoning: true,
  ...(url ? { localProbe: `${url}/models` } : {}),
});

const hosted = (name: string, url: string, defaultModel: string, more: Partial<CompatibleService> = {}): CompatibleService => ({
  name,
  url,
  urlVariables: [`${name}_API_URL`, `${name}_BASE_URL`],
  keyVariables: [`${name}_API_KEY`],
  defaultModel,
  ...more,
});

const SERVICES: readonly CompatibleService[] = [
  hosted('XAI', 'https://api.x.ai/v1', 'grok-4-1', { takesEffort: true }),
  hosted('ZAI', 'https://api.z.ai/api/paas/v4', 'glm-5', { sendReasoning: true }),
  hosted('MINIMAX', 'https://api.minimax.io/v1', 'MiniMax-M2.7', { sendReasoning: true }),
  hosted('MOONSHOT', 'https://api.moonshot.ai/v1', 'kimi-k2.6', { sendReasoning: true }),
  hosted('OPENROUTER', 'https://openrouter.ai/api/v1', 'openai/gpt-5.2', { sendReasoning: true, takesEffort: true }),
  hosted('GITHUB_MODELS', 'https://models.github.ai/inference', 'openai/gpt-4o', {
    keyVariables: ['GITHUB_MODELS_API_KEY', 'GITHUB_MODELS_TOKEN'],
    // Set on every build machine for other purposes: never a reason to send code somewhere.
    namedKeyVariables: ['GITHUB_TOKEN'],
  }),
  local('LMSTUDIO', 'http://127.0.0.1:1234/v1'),
  local('LLAMACPP', 'http://127.0.0.1:8080/v1'),
  // Too common a port to ask uninvited.
  { ...local('VLLM', 'http://127.0.0.1:8000/v1'), localProbe: undefined },
  { ...local('COMPATIBLE', undefined), takesEffort: true },
];

/** The services as entries, in the order in which a key selects them. */
export const compatibleServices: readonly ProviderEntry[] = SERVICES.map(entryFor);

function entryFor(service: CompatibleService): ProviderEntry {
  const entry: ProviderEntry = {
    name: service.name,
    keyVariables: service.keyVariables,
    namedKeyVariables: service.namedKeyVariables,
    urlVariables: service.urlVariables,
    modelVariable: `${service.name}_MODEL`,
    defaultModel: service.defaultModel,
    keyless: service.keyless,
    defaultAddress: service.url,
    localProbe: service.localProbe,
    create(settings) {
      const url = chatUrl(firstValue(settings.env, service.urlVariables) ?? service.url ?? '');
      const effort = service.takesEffort ? effortOf : undefined;
      return sdkProvider(chatService({ entry, url, effort, sendReasoning: service.sendReasoning }), settings);
    },
  };
  return entry;
}

function effortOf({ effort }: ProviderRequest): string | undefined {
  return effort === 'max' ? 'high' : effort;
}
