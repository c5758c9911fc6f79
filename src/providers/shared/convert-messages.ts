/** Our history as the SDK's prompt: stable bytes, parts each service accepts, signatures back where they came from. */
import type { Json } from '../../types/json.js';
import type { NativeCallPart, NativeResultPart } from '../../types/message.js';
import type { ProviderRequest } from '../../types/provider.js';
import { type ImagePart, pairTurns, type SpokenPart, type WireResult, type WireTurn, withoutFunctions } from './pairing.js';
import { type DialectId, META_KEY, type Prompt, type PromptMessage, type ServiceOptions } from './sdk-types.js';
import { isRecord, parseJson, wellFormed } from './well-formed.js';

export interface PromptOptions {
  readonly dialect: DialectId;
  /** Chat only: earlier reasoning goes back as `reasoning_content`. */
  readonly sendReasoning?: boolean;
}

type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>;
type AssistantContent = AssistantMessage['content'][number];
type UserContent = Extract<PromptMessage, { role: 'user' }>['content'][number];
type ToolContent = Extract<PromptMessage, { role: 'tool' }>['content'][number];

/** Name of the field that carries argument text that was no JSON object. */
const UNPARSED = 'unparsed_arguments';
const CACHE_MARK: ServiceOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** The whole prompt of a request. Never throws, whatever the history holds. */
export function convertMessages(request: ProviderRequest, options: PromptOptions): Prompt {
  const plainIds = options.dialect === 'anthropic' || options.dialect === 'responses';
  const paired = pairTurns(request.messages, { plainIds });
  const turns = request.functions.length === 0 ? withoutFunctions(paired) : paired;
  const prompt: Prompt = turns.flatMap((turn) => messagesOf(turn, options));
  if (request.system !== '') prompt.unshift({ role: 'system', content: wellFormed(request.system) });
  return options.dialect === 'anthropic' ? withCacheMarks(prompt) : prompt;
}

function messagesOf(turn: WireTurn, options: PromptOptions): PromptMessage[] {
  if (turn.role === 'tool') return toolMessages(turn.parts, options);
  return [turn.role === 'user' ? { role: 'user', content: userContent(turn.parts) } : assistantMessage(turn, options)];
}

/** Results of chat completions are text only: what came with them follows as a message of its own. */
function toolMessages(parts: readonly WireResult[], { dialect }: PromptOptions): PromptMessage[] {
  if (dialect !== 'chat') return [{ role: 'tool', content: parts.map((part) => toolContent(part, part.files)) }];
  const files = parts.flatMap((part) =>
    part.files.flatMap((file) => [{ type: 'text', text: `[from the result of ${part.name}]` } as const, file]),
  );
  const results: PromptMessage = { role: 'tool', content: parts.map((part) => toolContent(part, [])) };
  return files.length > 0 ? [results, { role: 'user', content: userContent(files) }] : [results];
}

function assistantMessage(turn: Extract<WireTurn, { role: 'assistant' }>, options: PromptOptions): AssistantMessage {
  const content = turn.parts.flatMap((part): AssistantContent[] =>
    part.type === 'call' ? [callContent(part, options)] : assistantContent(part, options),
  );
  const silent = !content.some((part) => part.type !== 'reasoning');
  return { role: 'assistant', content: silent ? [...content, { type: 'text', text: '(no answer)' }] : content };
}

/** Services refuse empty messages and blank text blocks. */
function userContent(parts: readonly SpokenPart[]): UserContent[] {
  const content = parts.flatMap((part): UserContent[] => {
    if (part.type === 'image') return [{ type: 'file', mediaType: part.mediaType, data: part.data }];
    return part.text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(part.text) }];
  });
  return content.length > 0 ? content : [{ type: 'text', text: '(empty message)' }];
}

function assistantContent(part: SpokenPart, options: PromptOptions): AssistantContent[] {
  if (part.type === 'image') return [];
  const text = wellFormed(part.text);
  if (part.type === 'text') return text.trim() === '' ? [] : [{ type: 'text', text, ...textOptions(part.meta, options.dialect) }];
  if (options.dialect === 'chat') return options.sendReasoning && text !== '' ? [{ type: 'reasoning', text }] : [];
  // Only reasoning this very service signed can go back; other services' would be refused.
  const meta = ownMeta(part.meta, options.dialect);
  return meta && Object.keys(meta).length > 0
    ? [{ type: 'reasoning', text, providerOptions: { [META_KEY[options.dialect]]: meta } }]
    : [];
}

/** Item ids of texts are left out: without the service's own store they point to nothing. */
function textOptions(meta: Json | undefined, dialect: DialectId): { providerOptions?: ServiceOptions } {
  const own = ownMeta(meta, dialect);
  if (dialect === 'google' && own?.['thoughtSignature'])
    return { providerOptions: { google: { thoughtSignature: own['thoughtSignature'] } } };
  if (dialect === 'responses' && own?.['phase']) return { providerOptions: { openai: { phase: own['phase'] } } };
  return {};
}

function callContent(part: NativeCallPart, options: PromptOptions): AssistantContent {
  const meta = ownMeta(part.meta, options.dialect);
  // Behind a compatible address may stand a Gemini model, whose signature the SDK expects under `google`.
  const key = options.dialect === 'chat' ? 'google' : META_KEY[options.dialect];
  const call = {
    type: 'tool-call',
    toolCallId: part.id,
    toolName: part.name,
    input: callInput(part.input, options.dialect),
  } as const;
  return meta && Object.keys(meta).length > 0 ? { ...call, providerOptions: { [key]: meta } } : call;
}

/** Valid argument text goes back byte for byte where the wire carries text; else as the object it means. */
function callInput(raw: string, dialect: DialectId): unknown {
  const text = wellFormed(raw);
  const value = text.trim() === '' ? {} : parseJson(text);
  if (!isRecord(value)) return { [UNPARSED]: text };
  const asText =
    (dialect === 'chat' || dialect === 'responses') && text.trim() !== '' && !/__proto__|constructor|\\u00[567]/.test(text);
  return asText ? text : value;
}

function toolContent(part: NativeResultPart, files: readonly ImagePart[]): ToolContent {
  const value = wellFormed(part.text);
  if (files.length > 0) {
    const shown = files.map(({ mediaType, data }) =>
      mediaType.startsWith('image/')
        ? ({ type: 'image-data', data, mediaType } as const)
        : ({ type: 'file-data', data, mediaType, filename: 'document.pdf' } as const),
    );
    const output = { type: 'content', value: [{ type: 'text', text: value || '(no text)' }, ...shown] } as const;
    return { type: 'tool-result', toolCallId: part.id, toolName: part.name, output: { ...output, value: [...output.value] } };
  }
  return {
    type: 'tool-result',
    toolCallId: part.id,
    toolName: part.name,
    output: { type: part.isError ? 'error-text' : 'text', value },
  };
}

function ownMeta(meta: Json | undefined, dialect: DialectId): ServiceOptions[string] | undefined {
  const own = isRecord(meta) ? meta[META_KEY[dialect]] : undefined;
  return isRecord(own) ? (own as ServiceOptions[string]) : undefined;
}

/**
 * Three of the four marks allowed: the system prompt (tools stand before it), the end of this request, and the end of
 * the one before, so that the cache written there is found however many blocks came since.
 */
function withCacheMarks(prompt: Prompt): Prompt {
  const lastReply = prompt.map((message) => message.role).lastIndexOf('assistant');
  const marked = new Set([prompt.length - 1, lastReply - 1]);
  return prompt.map((message, index) => {
    const mark = message.role === 'system' || (message.role !== 'assistant' && marked.has(index));
    return mark ? { ...message, providerOptions: CACHE_MARK } : message;
  });
}
