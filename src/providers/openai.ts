/** OPENAI: chat completions, or the responses API where configured or needed. */
import type { Effort, Provider, ProviderEvent, ProviderRequest } from '../types/provider.js';
import { modelInfo } from './shared/catalogue.js';
import { chatService, chatUrl } from './shared/chat-service.js';
import { firstValue, type ProviderEntry, type ProviderSettings } from './shared/entry.js';
import { type SdkService, sdkProvider } from './shared/sdk-provider.js';

const CHAT_URL = 'https://api.openai.com/v1/chat/completions';
const RESPONSES_URL = 'https://api.openai.com/v1/responses';

/** OpenAI itself, or whatever answers at `OPENAI_API_URL` (a full path). */
export const openai: ProviderEntry = {
  name: 'OPENAI',
  keyVariables: ['OPENAI_API_KEY'],
  urlVariables: ['OPENAI_API_URL', 'OPENAI_RESPONSES_API_URL'],
  modelVariable: 'OPENAI_MODEL',
  defaultModel: 'gpt-5.4',
  create: createOpenAI,
};

interface Addresses {
  readonly chat: string;
  /** Undefined: only a chat server of one's own is known. */
  readonly responses?: string;
}

function createOpenAI(settings: ProviderSettings): Provider {
  const urls = addresses(settings);
  const chat = sdkProvider(chatService({ entry: openai, url: urls.chat, effort, completionTokens: true }), settings);
  const responses = urls.responses === undefined ? undefined : sdkProvider(responsesService(urls.responses), settings);
  const always = /^(?:true|1|yes)$/i.test(settings.env['OPENAI_USE_RESPONSES']?.trim() ?? '');
  /** Models the chat address sent away to the other API. */
  const moved = new Set<string>();
  return {
    name: openai.name,
    sees: chat.sees,
    async *stream(request, options) {
      const { model } = request;
      const direct = always || moved.has(model) || modelInfo(openai.name, model, settings.config.models).responses === true;
      if (!responses || !direct) {
        let sentAway = false;
        for await (const event of chat.stream(request, options)) {
          sentAway = responses !== undefined && isSentAway(event);
          if (!sentAway) yield event;
        }
        if (!sentAway) return;
        moved.add(model);
      }
      if (responses) yield* responses.stream(request, options);
    },
  };
}

/** "This model is only supported in v1/responses": the service itself names the other API. */
function isSentAway(event: ProviderEvent): boolean {
  const fault = event.type === 'end' ? event.fault : undefined;
  return fault !== undefined && (fault.status === 400 || fault.status === 404) && /v1\/responses/.test(fault.message);
}

/** A server of one's own that was only named for chat never makes us talk to OpenAI behind its back. */
function addresses({ env }: ProviderSettings): Addresses {
  const chat = firstValue(env, ['OPENAI_API_URL']);
  const responses = firstValue(env, ['OPENAI_RESPONSES_API_URL']);
  if (!chat) return { chat: CHAT_URL, responses: responses ?? RESPONSES_URL };
  const whole = /\/v\d+\/?$|^[a-z]+:\/\/[^/]+\/?$/i.test(chat) ? chatUrl(chat) : chat;
  const sibling =
    env['OPENAI_USE_RESPONSES'] && whole.includes('/chat/completions')
      ? whole.replace('/chat/completions', '/responses')
      : undefined;
  return { chat: whole, responses: responses ?? sibling };
}

function responsesService(url: string): SdkService {
  return {
    entry: openai,
    dialect: 'responses',
    url,
    replaceUrl: true,
    async model(id, { key, fetch }) {
      const sdk = await import('@ai-sdk/openai');
      return sdk.createOpenAI({ apiKey: key ?? '', baseURL: 'http://replaced.invalid', fetch }).responses(id);
    },
    options(request) {
      const reasoningEffort = effort(request);
      return { openai: { store: false, strictJsonSchema: false, ...(reasoningEffort ? { reasoningEffort } : {}) } };
    },
  };
}

/** Only models that think take an effort; the highest step has a different name from family to family. */
function effort(request: ProviderRequest): string | undefined {
  const version = /^(?:gpt-(\d+)(?:\.(\d+))?|o\d)/.exec(request.model);
  if (!version || !request.effort || Number(version[1] ?? 5) < 5) return undefined;
  return request.effort === 'max' ? highest(Number(version[1] ?? 0), Number(version[2] ?? 0)) : request.effort;
}

function highest(major: number, minor: number): Effort | 'xhigh' {
  if (major >= 6) return 'max';
  return major === 5 && minor >= 2 ? 'xhigh' : 'high';
}
