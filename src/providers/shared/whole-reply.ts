/** Servers that ignore the wish for a stream: their whole answer becomes a stream of one event. */
import { isRecord, parseJson } from './well-formed.js';
import type { Fetch } from './wire.js';

/** A fetch for chat completions whose good answers are always event streams. Other answers pass unchanged. */
export function alwaysStreaming(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || !/^application\/json/i.test(response.headers.get('content-type') ?? '')) return response;
    const text = await response.text();
    const event = eventOf(parseJson(text));
    const headers = { 'content-type': 'text/event-stream' };
    return event
      ? new Response(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`, { status: 200, headers })
      : new Response(text, response);
  };
}

function eventOf(value: unknown): object | undefined {
  if (!isRecord(value)) return undefined;
  if (value['error']) return value;
  const choice: unknown = Array.isArray(value['choices']) ? value['choices'][0] : undefined;
  if (!isRecord(choice) || !isRecord(choice['message'])) return undefined;
  const calls = choice['message']['tool_calls'];
  const tool_calls = Array.isArray(calls) ? calls.map(indexed) : undefined;
  const delta = { ...choice['message'], role: 'assistant', tool_calls };
  return {
    ...value,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: choice['finish_reason'] ?? 'stop' }],
  };
}

/** Some servers also send the arguments as an object. */
function indexed(call: unknown, index: number): unknown {
  if (!isRecord(call) || !isRecord(call['function'])) return call;
  const { arguments: args } = call['function'];
  return {
    ...call,
    index,
    function: { ...call['function'], arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  };
}
