/** What of our environment child processes must not see: the keys that pay for models. */

/** Names that hold credentials of the providers we speak to, whoever set them. */
const PROVIDER_SECRETS = new Set([
  'OPENAI_API_KEY',
  'OPENAI_ADMIN_KEY',
  'OPENAI_OAUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_OAUTH_TOKEN',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDEAI_API_KEY',
  'CLAUDE_API_KEY',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'GOOGLEAI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
  'XAI_API_KEY',
  'ZAI_API_KEY',
  'MINIMAX_API_KEY',
  'MOONSHOT_API_KEY',
  'KIMI_API_KEY',
  'OPENROUTER_API_KEY',
  'GITHUB_MODELS_TOKEN',
  'GITHUB_MODELS_API_KEY',
  'GITHUB_COPILOT_TOKEN',
  'COPILOT_TOKEN',
  'COPILOT_API_KEY',
  'OLLAMA_API_KEY',
  'LMSTUDIO_API_KEY',
  'LLAMACPP_API_KEY',
  'VLLM_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'BEDROCK_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'DEEPSEEK_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'STACKSPOT_CLIENT_KEY',
  'CLIENT_KEY',
]);

/** Our own secrets, and any provider variable that reads like a credential. */
const SECRET_SHAPES: readonly RegExp[] = [
  /^CHATCLI_.*(KEY|TOKEN|SECRET|PASSWORD)$/,
  /^(OPENAI|ANTHROPIC|CLAUDE|CLAUDEAI|CLAUDE_CODE|GOOGLEAI|GEMINI|XAI|ZAI|MINIMAX|MOONSHOT|KIMI|OPENROUTER|GITHUB_MODELS|COPILOT|GITHUB_COPILOT|OLLAMA|LMSTUDIO|LLAMACPP|VLLM|COMPATIBLE|BEDROCK|STACKSPOT)_(.*_)?(KEYS?|TOKENS?|SECRETS?|PASSWORD|CUSTOM_HEADERS)$/,
];

/** True for a variable whose value pays for or unlocks a model provider. */
export function isProviderSecret(name: string): boolean {
  const upper = name.toUpperCase();
  return PROVIDER_SECRETS.has(upper) || SECRET_SHAPES.some((shape) => shape.test(upper));
}

/** The user's own tools sign in with these, also where one of them is a provider's key as well. */
const FOR_TOOLS = /^(?:GH_|GITHUB_TOKEN$|AWS_)/i;
/** Shorter values may stand in a variable by chance. */
const SHORTEST_VALUE = 16;

/**
 * A copy without provider keys, whatever variable repeats one of `keys`. What the user's own tools need (`AWS_*`,
 * `NODE_OPTIONS`, `npm_config_*`, `GH_TOKEN`) stays.
 */
export function scrubEnv(
  env: Readonly<Record<string, string | undefined>>,
  keys: readonly string[] = [],
): Record<string, string> {
  const long = keys.filter((key) => key.length >= SHORTEST_VALUE);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isProviderSecret(name)) continue;
    if (FOR_TOOLS.test(name) || !long.some((key) => value.includes(key))) kept[name] = value;
  }
  return kept;
}
