/** What fills the model's window, by kind, estimated from the request that would be sent next. */
import type { WindowPart, WindowView } from '../../types/command-ports.js';
import type { Message, Part } from '../../types/message.js';
import type { ChosenModel } from '../chosen-model.js';
import type { ConversationWindow } from '../conversation.js';

/** Services count about this for a picture of usual size. */
const IMAGE_TOKENS = 1_200;

/** About four characters of Latin text make a token, and about one of the scripts written without blanks. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (const letter of text) if ((letter.codePointAt(0) ?? 0) > 0x2e7f) wide++;
  return Math.ceil((text.length - wide) / 4) + wide;
}

export function windowView(
  { system, functions, messages }: ConversationWindow,
  { model, service, info }: ChosenModel,
  measured: number | undefined,
): WindowView {
  const sums = new Map<WindowPart['kind'], { tokens: number; count: number }>();
  const add = (kind: WindowPart['kind'], tokens: number): void => {
    const sum = sums.get(kind) ?? { tokens: 0, count: 0 };
    sums.set(kind, { tokens: sum.tokens + tokens, count: sum.count + 1 });
  };
  add('system', estimateTokens(system));
  for (const one of functions) add('tools', estimateTokens(JSON.stringify(one)));
  for (const message of messages) for (const part of message.parts) add(kindOf(part, message), tokensOf(part));
  const kinds = ['system', 'tools', 'person', 'answers', 'reasoning', 'calls', 'results', 'notes', 'images'] as const;
  const parts = kinds.flatMap((kind) => {
    const sum = sums.get(kind);
    return sum ? [{ kind, ...sum }] : [];
  });
  return { model: `${service}/${model}`, size: info.contextWindow, parts, measured };
}

function kindOf(part: Part, { role, origin }: Message): WindowPart['kind'] {
  if (part.type === 'image') return 'images';
  if (part.type === 'reasoning') return 'reasoning';
  if (part.type === 'call') return 'calls';
  if (part.type === 'result' || role === 'tool' || origin === 'tool-results') return 'results';
  if (role === 'assistant') return 'answers';
  return origin === 'correction' || origin === 'note' ? 'notes' : 'person';
}

function tokensOf(part: Part): number {
  if (part.type === 'image') return IMAGE_TOKENS;
  if (part.type === 'call') return estimateTokens(part.name) + estimateTokens(part.input);
  return estimateTokens(part.text);
}
