/** The types of the model SDK's provider level, taken from a package we depend on; nothing is loaded here. */
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';

/** A model of the SDK: one `doStream` call is one request. */
export type SdkModel = ReturnType<OpenAICompatibleProvider['chatModel']>;
export type CallOptions = Parameters<SdkModel['doStream']>[0];
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type ServiceOptions = NonNullable<CallOptions['providerOptions']>;
type SdkStream = Awaited<ReturnType<SdkModel['doStream']>>['stream'];
export type StreamPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
export type SdkUsage = Extract<StreamPart, { type: 'finish' }>['usage'];
export type SdkFinish = Extract<StreamPart, { type: 'finish' }>['finishReason'];

/** How a service writes messages, reasoning and calls on the wire. */
export type DialectId = 'chat' | 'responses' | 'anthropic' | 'google';

/** The key under which each dialect keeps what it must get back (signatures, item ids). */
export const META_KEY: Readonly<Record<DialectId, string>> = {
  chat: 'chat',
  responses: 'openai',
  anthropic: 'anthropic',
  google: 'google',
};
