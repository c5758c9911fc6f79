/** Any service that speaks OpenAI's chat completions, through the SDK's package for compatible servers. */
import type { ProviderRequest } from '../../types/provider.js';
import type { ProviderEntry } from './entry.js';
import type { SdkService } from './sdk-provider.js';
import type { SdkUsage } from './sdk-types.js';
import { alwaysStreaming } from './whole-reply.js';

export interface ChatOptions {
  readonly entry: ProviderEntry;
  /** Full address of the completions. */
  readonly url: string;
  readonly sendReasoning?: boolean;
  readonly effort?: (request: ProviderRequest) => string | undefined;
  /** The service calls the limit of the reply `max_completion_tokens`. */
  readonly completionTokens?: boolean;
}

/** The service value for `sdkProvider`. */
export function chatService(options: ChatOptions): SdkService {
  return {
    entry: options.entry,
    dialect: 'chat',
    sendReasoning: options.sendReasoning,
    url: options.url,
    replaceUrl: true,
    async model(id, { key, fetch }) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const sdk = createOpenAICompatible({
        name: 'chat',
        baseURL: 'http://replaced.invalid',
        apiKey: key,
        fetch: alwaysStreaming(fetch),
        includeUsage: true,
        supportsStructuredOutputs: true,
        convertUsage: chatUsage,
        transformRequestBody: (body) => (options.completionTokens ? withCompletionTokens(body) : body),
      });
      return sdk.chatModel(id);
    },
    options(request) {
      const effort = request.effort && options.effort?.(request);
      return { chat: { strictJsonSchema: false, ...(effort ? { reasoningEffort: effort } : {}) } };
    },
  };
}

function withCompletionTokens<T extends Record<string, unknown>>(body: T): T {
  const { max_tokens: limit, ...rest } = body;
  return (limit === undefined ? body : { ...rest, max_completion_tokens: limit }) as T;
}

/** Address of the completions from a base address, or from one that is already whole. */
export function chatUrl(value: string): string {
  if (!URL.canParse(value)) return value;
  const url = new URL(value);
  const path = url.pathname.replace(/\/+$/, '');
  if (path === '') url.pathname = '/v1/chat/completions';
  else if (!path.endsWith('/chat/completions')) url.pathname = `${path}/chat/completions`;
  return url.href;
}

type ChatUsage = { readonly [key: string]: unknown } | null | undefined;

/** Cached tokens stand in four different places, depending on the service. */
function chatUsage(usage: ChatUsage): SdkUsage {
  const prompt = detail(usage, 'prompt_tokens_details');
  const completion = detail(usage, 'completion_tokens_details');
  const cacheRead =
    number(prompt?.['cached_tokens']) ?? number(usage?.['prompt_cache_hit_tokens']) ?? number(usage?.['cached_tokens']);
  return {
    inputTokens: {
      total: number(usage?.['prompt_tokens']),
      noCache: undefined,
      cacheRead,
      cacheWrite: number(prompt?.['cache_write_tokens']),
    },
    outputTokens: {
      total: number(usage?.['completion_tokens']),
      text: undefined,
      reasoning: number(completion?.['reasoning_tokens']),
    },
  };
}

function detail(usage: ChatUsage, key: string): Record<string, unknown> | undefined {
  const value = usage?.[key];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
