/** Provider keys stay with us; what the user's own tools need goes on. */
import { expect, it } from 'vitest';
import { scrubEnv } from '../../src/process/scrub-env.js';

it('removes provider credentials and our own secrets', () => {
  const secrets = [
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_OAUTH_TOKEN',
    'ANTHROPIC_AUTH_TOKEN',
    'GOOGLEAI_API_KEY',
    'GEMINI_API_KEY',
    'XAI_API_KEY',
    'ZAI_API_KEY',
    'MINIMAX_API_KEY',
    'MOONSHOT_API_KEY',
    'OPENROUTER_API_KEY',
    'GITHUB_COPILOT_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'VLLM_API_KEY',
    'COMPATIBLE_API_KEY',
    'openai_api_key',
    'OPENAI_TEAM_API_KEY',
    'CHATCLI_ENCRYPTION_KEY',
    'CHATCLI_SOMETHING_TOKEN',
  ];
  expect(scrubEnv(Object.fromEntries(secrets.map((name) => [name, 'secret'])))).toEqual({});
});

it('keeps everything else', () => {
  const kept = {
    PATH: '/bin',
    HOME: '/h',
    NODE_OPTIONS: '--x',
    npm_config_registry: 'u',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    GH_TOKEN: 'c',
    CHATCLI_LANG: 'en',
    OPENAI_MODEL: 'm',
    OPENAI_API_URL: 'u',
    MY_API_KEY: 'mine',
    KEYBOARD: 'us',
    EMPTY: '',
  };
  expect(scrubEnv({ ...kept, GONE: undefined })).toEqual(kept);
});
