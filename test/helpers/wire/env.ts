/** The environment that points our program at a wire server. */
import type { WireFormat } from './script.js';
import type { WireServer } from './server.js';

export const TEST_KEY = 'sk-test-0123456789abcdef';
export const TEST_MODEL = 'test-model';

/** Name, key, address and model variables for the server's format. */
export function envFor(server: Pick<WireServer, 'format' | 'url'>, model: string = TEST_MODEL): Record<string, string> {
  const makers: Record<WireFormat, () => Record<string, string>> = {
    chat: () => ({
      LLM_PROVIDER: 'OPENAI',
      OPENAI_API_KEY: TEST_KEY,
      OPENAI_API_URL: `${server.url}/v1/chat/completions`,
      OPENAI_MODEL: model,
    }),
    responses: () => ({
      LLM_PROVIDER: 'OPENAI',
      OPENAI_API_KEY: TEST_KEY,
      OPENAI_USE_RESPONSES: 'true',
      OPENAI_RESPONSES_API_URL: `${server.url}/v1/responses`,
      OPENAI_MODEL: model,
    }),
    anthropic: () => ({
      LLM_PROVIDER: 'CLAUDEAI',
      ANTHROPIC_API_KEY: TEST_KEY,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_MODEL: model,
    }),
    google: () => ({
      LLM_PROVIDER: 'GOOGLEAI',
      GOOGLEAI_API_KEY: TEST_KEY,
      GOOGLEAI_BASE_URL: `${server.url}/v1beta`,
      GOOGLEAI_MODEL: model,
    }),
  };
  return makers[server.format]();
}
