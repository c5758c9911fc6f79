/** Calls as models and servers really send them: broken, cut, doubled, without ids. None is dropped, none throws. */
import { afterEach, describe, expect, it } from 'vitest';
import { ask, request, user } from '../helpers/wire/converse.js';
import type { WireFormat } from '../helpers/wire/script.js';
import { closeServers, serve } from './setup.js';

const STREAMED: readonly WireFormat[] = ['chat', 'responses', 'anthropic'];
afterEach(closeServers);

describe.each(STREAMED)('%s', (format) => {
  it.each([
    '{"file": "a", "content": "unterminated',
    '{"file": "a",}',
    "{'file': 'a'}",
    '{"file": "a"}{"file": "b"}',
    '["a"]',
    '"a"',
    'not json at all',
    '{"file": "C:\\temp"}',
    '{"__proto__": {"x": 1}, "file": "a"}',
    '{"file":"\u0000\ud83c"}',
  ])('argument text %j arrives as it is', async (input) => {
    const { provider } = await serve(format, [
      {
        calls: [
          { name: 'write', input },
          { name: 'read', input: { file: 'b' } },
        ],
      },
    ]);
    const reply = await ask(provider, request([user('x')]));
    expect(reply.reason).toBe('calls');
    expect(reply.calls.map((call) => call.input)).toEqual([input, '{"file":"b"}']);
  });

  it('a call cut off before its first argument byte is no call without arguments', async () => {
    const { provider } = await serve(format, [{ calls: [{ name: 'write', input: '' }], finish: 'length' }]);
    const reply = await ask(provider, request([user('x')]));
    expect(reply).toMatchObject({ reason: 'length' });
    expect(reply.calls.map((call) => call.input)).toEqual(['']);
  });

  it('a call cut off inside its arguments comes through with the reason', async () => {
    const { provider } = await serve(format, [
      { calls: [{ name: 'write', input: '{"file":"a","content":"half' }], finish: 'length' },
    ]);
    const reply = await ask(provider, request([user('x')]));
    expect(reply).toMatchObject({ reason: 'length', fault: undefined });
    expect(reply.calls.map((call) => call.input)).toEqual(['{"file":"a","content":"half']);
  });

  it('two calls with one id get two ids', async () => {
    const calls = [
      { name: 'read', id: 'same', input: { file: 'a' } },
      { name: 'read', id: 'same', input: { file: 'b' } },
    ];
    const { provider } = await serve(format, [{ calls }]);
    const reply = await ask(provider, request([user('x')]));
    expect(reply.calls.map((call) => JSON.parse(call.input).file)).toEqual(['a', 'b']);
    expect(new Set(reply.calls.map((call) => call.id)).size).toBe(2);
  });

  it('a function that was never offered comes through by its name', async () => {
    const { provider } = await serve(format, [{ calls: [{ name: 'delete_everything', input: {} }] }]);
    expect((await ask(provider, request([user('x')]))).calls[0]?.name).toBe('delete_everything');
  });

  it('a large argument arrives whole', async () => {
    const content = 'line with "quotes" and \\ and ünïcödé\n'.repeat(400);
    const { provider } = await serve(format, [{ calls: [{ name: 'write', input: { file: 'a', content } }] }], {
      chunkBytes: 20_000,
    });
    const reply = await ask(provider, request([user('x')]));
    expect(JSON.parse(reply.calls[0]?.input ?? '').content).toBe(content);
  });
});

describe('chat servers that take liberties', () => {
  const sse = (...deltas: object[]) => {
    const events = deltas.map((delta, n) =>
      JSON.stringify({ choices: [{ index: 0, delta, finish_reason: n === deltas.length - 1 ? 'tool_calls' : null }] }),
    );
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join(''),
    };
  };
  const callsOf = async (reply: ReturnType<typeof sse> | { status: number; body: Record<string, unknown> }) => {
    const { provider } = await serve('chat', [reply]);
    const { calls, fault } = await ask(provider, request([user('x')]));
    expect(fault).toBeUndefined();
    return calls.map((call) => [call.name, call.input]);
  };
  const fn = (name: string, args: string) => ({ function: { name, arguments: args } });

  it('all calls in one chunk, all with index 0', async () => {
    const reply = sse({
      tool_calls: [
        { index: 0, id: 'a', ...fn('read', '{"file":"a"}') },
        { index: 0, id: 'b', ...fn('read', '{"file":"b"}') },
      ],
    });
    expect(await callsOf(reply)).toEqual([
      ['read', '{"file":"a"}'],
      ['read', '{"file":"b"}'],
    ]);
  });

  it('no index and no id', async () => {
    const reply = sse({ tool_calls: [fn('read', '{"file":"a"}')] }, { tool_calls: [fn('write', '{"file":"b"}')] });
    expect(await callsOf(reply)).toEqual([
      ['read', '{"file":"a"}'],
      ['write', '{"file":"b"}'],
    ]);
  });

  it('arguments of two calls in turns', async () => {
    const start = {
      tool_calls: [
        { index: 0, id: 'a', ...fn('read', '') },
        { index: 1, id: 'b', ...fn('read', '') },
      ],
    };
    const part = (index: number, text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] });
    const reply = sse(start, part(0, '{"fi'), part(1, '{"file"'), part(0, 'le":"a"}'), part(1, ':"b"}'));
    expect(await callsOf(reply)).toEqual([
      ['read', '{"file":"a"}'],
      ['read', '{"file":"b"}'],
    ]);
  });

  it('arguments that are whole JSON early and go on', async () => {
    const reply = sse(
      { tool_calls: [{ index: 0, id: 'a', ...fn('read', '1') }] },
      { tool_calls: [{ index: 0, function: { arguments: '2' } }] },
    );
    expect(await callsOf(reply)).toEqual([['read', '12']]);
  });

  it('null where others say nothing', async () => {
    const reply = sse(
      { role: 'assistant', content: null, reasoning_content: null, tool_calls: null },
      { content: null, tool_calls: [{ index: 0, id: 'a', type: 'function', ...fn('read', '{}') }] },
    );
    expect(await callsOf(reply)).toEqual([['read', '{}']]);
  });

  it('the whole answer as one JSON object instead of a stream', async () => {
    const message = {
      role: 'assistant',
      content: 'ok',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: { file: 'a' } } }],
    };
    expect(
      await callsOf({ status: 200, body: { id: 'x', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] } }),
    ).toEqual([['read', '{"file":"a"}']]);
  });

  it('events of another kind between the chunks', async () => {
    const reply = sse({ tool_calls: [{ index: 0, id: 'a', ...fn('read', '{}') }] }, {});
    reply.body = `data: {"object":"queue.position","position":3}\n\n${reply.body}`;
    expect(await callsOf(reply)).toEqual([['read', '{}']]);
  });

  it('an error as a bare string is the words of the service', async () => {
    const body = 'data: {"error":"model is overloaded"}\n\n';
    const { provider } = await serve('chat', [{ status: 200, headers: { 'content-type': 'text/event-stream' }, body }]);
    const { fault } = await ask(provider, request([user('x')]));
    expect(fault).toMatchObject({ kind: 'server', retryable: true });
    expect(fault?.message).toContain('model is overloaded');
  });

  it('a call that never gets a name is a broken answer, asked for again', async () => {
    const { provider } = await serve('chat', [sse({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] })]);
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'protocol', retryable: true });
  });
});

describe('anthropic events we do not know', () => {
  it('are passed over', async () => {
    const events = [
      { type: 'message_start', message: { id: 'm', model: 'x', usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'weather_report', mood: 'sunny' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'glitter_delta', glitter: 1 } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ];
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const { provider } = await serve('anthropic', [{ status: 200, headers: { 'content-type': 'text/event-stream' }, body }]);
    expect(await ask(provider, request([user('x')]))).toMatchObject({ text: 'hi', reason: 'stop', fault: undefined });
  });
});
