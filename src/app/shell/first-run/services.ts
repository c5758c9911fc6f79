/** The model services a newcomer can choose from, by the names people know. */
import { PROVIDERS } from '../../../providers/registry.js';
import type { ProviderEntry } from '../../../providers/shared/entry.js';

const KNOWN_AS: Readonly<Record<string, string>> = {
  OPENAI: 'OpenAI',
  CLAUDEAI: 'Anthropic Claude',
  GOOGLEAI: 'Google Gemini',
  BEDROCK: 'Amazon Bedrock',
  XAI: 'xAI Grok',
  ZAI: 'Z.ai GLM',
  MINIMAX: 'MiniMax',
  MOONSHOT: 'Moonshot Kimi',
  OPENROUTER: 'OpenRouter',
  GITHUB_MODELS: 'GitHub Models',
  COPILOT: 'GitHub Copilot',
  OLLAMA: 'Ollama',
  LMSTUDIO: 'LM Studio',
  LLAMACPP: 'llama.cpp',
  VLLM: 'vLLM',
};

export const knownAs = (name: string): string => KNOWN_AS[name] ?? name;

/** Those that a pasted key is enough for. */
export const hostedServices = (): readonly ProviderEntry[] =>
  PROVIDERS.filter(
    ({ keyless, keyVariables, defaultModel }) => !keyless && keyVariables.length > 0 && defaultModel !== undefined,
  );

export const serviceNamed = (name: string): ProviderEntry | undefined => PROVIDERS.find((entry) => entry.name === name);
