/** Asks a provider and folds its events, as the loop does. */
import type { Message, Part } from '../../../src/types/message.js';
import type { Provider, ProviderEvent, ProviderFault, ProviderRequest, Usage } from '../../../src/types/provider.js';

export interface Folded {
  readonly events: readonly ProviderEvent[];
  readonly parts: readonly Part[];
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Extract<ProviderEvent, { type: 'call' }>[];
  readonly usage?: Usage;
  readonly reason: string;
  readonly fault?: ProviderFault;
  readonly restarts: number;
}

export function request(messages: readonly Message[], more: Partial<ProviderRequest> = {}): ProviderRequest {
  return { model: 'test-model', system: 'You are a test.', messages, functions: [READ, WRITE], ...more };
}

export const READ: ProviderRequest['functions'][number] = {
  name: 'read',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
};
export const WRITE: ProviderRequest['functions'][number] = {
  name: 'write',
  description: 'Writes a file.',
  schema: {
    type: 'object',
    properties: { file: { type: 'string' }, content: { type: 'string' } },
    required: ['file', 'content'],
  },
};

let count = 0;
export const user = (text: string): Message => ({ id: `u${++count}`, role: 'user', parts: [{ type: 'text', text }], time: 0 });
export const assistant = (...parts: Part[]): Message => ({ id: `a${++count}`, role: 'assistant', parts, time: 0 });
export const results = (...answers: { id: string; name: string; text: string; isError?: boolean }[]): Message => ({
  id: `t${++count}`,
  role: 'tool',
  parts: answers.map((answer) => ({ type: 'result', isError: false, ...answer })),
  time: 0,
});

/** Reads the whole stream. Fails when it does not end with exactly one `end`. */
export async function ask(
  provider: Provider,
  asked: ProviderRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<Folded> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.stream(asked, { signal })) events.push(event);
  const ends = events.filter((event) => event.type === 'end');
  if (ends.length !== 1 || events.at(-1)?.type !== 'end')
    throw new Error(`expected one end, last: ${JSON.stringify(events.slice(-3))}`);
  return fold(events);
}

/** What stands after the last restart, as message parts. */
export function fold(events: readonly ProviderEvent[]): Folded {
  const since = events.map((event) => event.type).lastIndexOf('restart') + 1;
  const parts: Part[] = [];
  for (const event of events.slice(since)) addPart(parts, event);
  const end = events.find((event) => event.type === 'end');
  const join = (type: 'text' | 'reasoning') => parts.map((part) => (part.type === type ? part.text : '')).join('');
  return {
    events,
    parts,
    text: join('text'),
    reasoning: join('reasoning'),
    calls: events.slice(since).filter((event) => event.type === 'call'),
    usage: events.slice(since).find((event) => event.type === 'usage')?.usage,
    reason: end?.reason ?? '',
    fault: end?.fault,
    restarts: events.filter((event) => event.type === 'restart').length,
  };
}

/** A delta that carries meta closes its part. */
function addPart(parts: Part[], event: ProviderEvent): void {
  if (event.type === 'call') {
    const { type, id, name, input, meta } = event;
    parts.push({ type, id, name, input, ...(meta === undefined ? {} : { meta }) });
    return;
  }
  if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return;
  const type = event.type === 'text-delta' ? 'text' : 'reasoning';
  const last = parts.at(-1);
  const meta = event.meta === undefined ? {} : { meta: event.meta };
  if (last?.type === type && last.meta === undefined)
    parts[parts.length - 1] = { ...last, text: last.text + event.text, ...meta };
  else if (event.text !== '' || event.meta !== undefined) parts.push({ type, text: event.text, ...meta });
}
