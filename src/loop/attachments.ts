/** Images and documents on their way from a result to the model: shown where it can see them, otherwise said honestly. */
import type { Message, Part } from '../types/message.js';
import type { Provider } from '../types/provider.js';
import type { ToolResult } from '../types/tool.js';

type ImagePart = Extract<Part, { type: 'image' }>;

/** Characters of base64 in one conversation: every request carries all of them. */
const MOST_SHOWN = 20 * 1024 * 1024;

/** What a result adds to its message: a sentence, and the image when it is shown. */
export interface Shown {
  readonly note: string;
  readonly parts: readonly ImagePart[];
}

export type Sight = (result: ToolResult | undefined) => Shown;

const NOTHING: Shown = { note: '', parts: [] };

/** For one message of results; counts what the conversation shows already. */
export function sightOf(provider: Pick<Provider, 'sees'>, model: string, history: readonly Message[]): Sight {
  let left = MOST_SHOWN - history.flatMap(imagesOf).reduce((sum, part) => sum + part.data.length, 0);
  return (result) => {
    const attachment = result?.attachment;
    if (!attachment) return NOTHING;
    const { mediaType, data } = attachment;
    const what = mediaType.startsWith('image/') ? 'image' : 'document';
    if (!provider.sees?.(model, mediaType))
      return { note: `[the ${what} is not shown: the model in use cannot see ${what}s]`, parts: [] };
    if (data.length > left)
      return { note: `[the ${what} is not shown: this conversation holds too many of them already]`, parts: [] };
    left -= data.length;
    return { note: `[the ${what} is attached]`, parts: [{ type: 'image', mediaType, data }] };
  };
}

/** The same history without what tools attached, when the service refuses it; undefined when there is nothing to leave out. */
export function withoutAttachments(history: readonly Message[]): Message[] | undefined {
  const refused = (message: Message) => message.origin === 'tool-results' && imagesOf(message).length > 0;
  if (!history.some(refused)) return undefined;
  return history.map((message) => (refused(message) ? { ...message, parts: message.parts.flatMap(withoutImage) } : message));
}

function withoutImage(part: Part): Part[] {
  if (part.type === 'image') return [];
  if (part.type !== 'result' && part.type !== 'text') return [part];
  const text = part.text.replaceAll(/\[the (image|document) is attached\]/g, '[the $1 is not shown: the service refused it]');
  return [{ ...part, text }];
}

function imagesOf(message: Message): ImagePart[] {
  return message.parts.filter((part): part is ImagePart => part.type === 'image');
}
