/** OLLAMA: models on one's own machine, through Ollama's OpenAI-compatible interface. */
import { chatService, chatUrl } from './shared/chat-service.js';
import { firstValue, type ProviderEntry } from './shared/entry.js';
import { sdkProvider } from './shared/sdk-provider.js';

const BASE_URL = 'http://localhost:11434';

export const ollama: ProviderEntry = {
  name: 'OLLAMA',
  keyVariables: [],
  namedKeyVariables: ['OLLAMA_API_KEY'],
  urlVariables: ['OLLAMA_BASE_URL'],
  modelVariable: 'OLLAMA_MODEL',
  defaultModel: 'gpt-oss:20b',
  keyless: true,
  defaultAddress: BASE_URL,
  localProbe: 'http://127.0.0.1:11434/v1/models',
  create(settings) {
    const url = chatUrl(firstValue(settings.env, ollama.urlVariables) ?? BASE_URL);
    return sdkProvider(
      chatService({ entry: ollama, url, effort: ({ effort }) => (effort === 'max' ? 'high' : effort) }),
      settings,
    );
  },
};
