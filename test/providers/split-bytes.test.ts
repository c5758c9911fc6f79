/** A network may split the bytes anywhere, inside a character, an escape or an event: the reply stays the same. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderEvent } from '../../src/types/provider.js';
import { ask, type Folded, request, user } from '../helpers/wire/converse.js';
import type { Answer, WireFormat } from '../helpers/wire/script.js';
import { answerBytes } from '../helpers/wire/server.js';
import { closeServers, serve } from './setup.js';

const FORMATS: readonly WireFormat[] = ['chat', 'responses', 'anthropic', 'google'];
const ANSWER: Answer = {
  reasoning: 'é',
  signature: 'S',
  text: '日本🎉',
  calls: [{ name: 'write', id: 'call_1', input: { file: 'ü', content: '"\\\n🎈' } }],
  usage: { input: 9, output: 5 },
};
afterEach(closeServers);

/** All that counts, without ids the SDK makes up. */
const essence = (reply: Folded) => ({
  ...reply,
  events: undefined,
  parts: reply.parts.map((part) => ({ ...part, id: '' })),
  calls: reply.calls.map(({ input }) => input),
});

describe.each(FORMATS)('%s', (format) => {
  const whole = async () => essence(await ask((await serve(format, [ANSWER])).provider, request([user('x')])));

  it.each([1, 2, 3, 5, 11])('in pieces of %i bytes', async (chunkBytes) => {
    const { provider } = await serve(format, [ANSWER], { chunkBytes });
    expect(essence(await ask(provider, request([user('x')])))).toEqual(await whole());
  });

  it('in two pieces, at places all over the reply', async () => {
    const expected = await whole();
    const bytes = answerBytes(format, ANSWER);
    // Every byte of the characters that take several, and a grid over the rest.
    const places = [...bytes.keys()].filter((at) => (bytes[at] ?? 0) > 0x7f || at % 37 === 0);
    expect(places.length).toBeGreaterThan(20);
    for (const splitAt of places) {
      const { provider } = await serve(format, [ANSWER], { splitAt });
      expect(essence(await ask(provider, request([user('x')]))), `split at ${splitAt}`).toEqual(expected);
    }
    await closeServers();
  });
});

describe('event stream forms', () => {
  const body = (events: readonly string[], newline: string) => events.map((data) => `data: ${data}${newline}${newline}`).join('');
  const chunk = (delta: object, finish: string | null = null) =>
    JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] });
  const EVENTS = [chunk({ role: 'assistant', content: 'a\u2028b' }), chunk({ content: 'c' }, 'stop'), '[DONE]'];
  const headers = { 'content-type': 'text/event-stream' };

  it.each([
    ['CRLF', body(EVENTS, '\r\n')],
    ['comments and blank lines', `: keep-alive\n\n${body(EVENTS, '\n')}`],
    ['a byte order mark', `\ufeff${body(EVENTS, '\n')}`],
    ['fields of no interest', `retry: 100\nid: 7\n${body(EVENTS, '\n')}`],
    ['no blank after the colon', body(EVENTS, '\n').replaceAll('data: ', 'data:')],
  ])('%s', async (_name, text) => {
    const { provider } = await serve('chat', [{ status: 200, headers, body: text }]);
    expect(await ask(provider, request([user('x')]))).toMatchObject({ text: 'a\u2028bc', reason: 'stop' });
  });

  it('a stream that ends with the mark but without a reason is whole', async () => {
    const { provider } = await serve('chat', [{ status: 200, headers, body: body([chunk({ content: 'hi' }), '[DONE]'], '\n') }]);
    const reply: { events: readonly ProviderEvent[]; text: string; reason: string } = await ask(provider, request([user('x')]));
    expect(reply).toMatchObject({ text: 'hi', reason: 'stop' });
  });

  it('a stream that just ends is not', async () => {
    const { provider } = await serve('chat', [{ status: 200, headers, body: body([chunk({ content: 'hi' })], '\n') }]);
    expect(await ask(provider, request([user('x')]))).toMatchObject({
      reason: 'error',
      fault: { kind: 'network', retryable: true },
    });
  });
});
