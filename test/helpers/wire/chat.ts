/** The wire of OpenAI chat completions. */
import {
  type Answer,
  asList,
  asObject,
  type Codec,
  type ConversationTurn,
  parsedInput,
  pieces,
  rawInput,
  textOf,
  type WireEvent,
} from './script.js';

const REASONS = { stop: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter', none: null } as const;

export const chat: Codec = {
  encode(answer, { model, id }) {
    const base = { id, object: 'chat.completion.chunk', created: 1_700_000_000, model };
    const chunk = (delta: object, finish: string | null = null): WireEvent => ({
      data: JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] }),
    });
    const events = [chunk({ role: 'assistant', content: '' })];
    for (const part of pieces(answer.reasoning ?? '')) events.push(chunk({ reasoning_content: part }));
    for (const part of pieces(answer.text ?? '')) events.push(chunk({ content: part }));
    for (const [index, call] of (answer.calls ?? []).entries()) {
      const start = {
        index,
        id: call.id ?? `call_${id}_${index}`,
        type: 'function',
        function: { name: call.name, arguments: '' },
      };
      events.push(chunk({ tool_calls: [start] }));
      for (const part of pieces(rawInput(call))) events.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }));
    }
    const reason = answer.finish ?? (answer.calls?.length ? 'calls' : 'stop');
    if (reason !== 'none') events.push(chunk({}, REASONS[reason]));
    if (answer.usage) events.push({ data: JSON.stringify({ ...base, choices: [], usage: usage(answer.usage) }) });
    events.push({ data: '[DONE]' });
    return events;
  },
  streamError: (error) => ({ data: JSON.stringify({ error: { ...error, code: error.type } }) }),
  httpError: (status, message) => ({
    error: { message, type: status === 401 ? 'invalid_request_error' : 'api_error', param: null, code: null },
  }),
  read(body) {
    const turns: ConversationTurn[] = [];
    let system = '';
    for (const message of asList(body['messages'])) {
      const role = String(message['role']);
      if (role === 'system' || role === 'developer') system += textOf(message['content']);
      else if (role === 'tool') {
        const id = String(message['tool_call_id']);
        const name = turns.flatMap((turn) => turn.calls).find((call) => call.id === id)?.name ?? '';
        turns.push({
          role: 'tool',
          text: '',
          reasoning: '',
          calls: [],
          results: [{ id, name, text: textOf(message['content']) }],
        });
      } else turns.push(spoken(role === 'assistant' ? 'assistant' : 'user', message));
    }
    return { system, functions: asList(body['tools']).map((tool) => String(asObject(tool['function'])['name'])), turns };
  },
};

function spoken(role: 'user' | 'assistant', message: Record<string, unknown>): ConversationTurn {
  const calls = asList(message['tool_calls']).map((call) => {
    const target = asObject(call['function']);
    return { id: String(call['id']), name: String(target['name']), input: parsedInput(target['arguments']) };
  });
  return { role, text: textOf(message['content']), reasoning: String(message['reasoning_content'] ?? ''), calls, results: [] };
}

function usage(counts: NonNullable<Answer['usage']>): object {
  return {
    prompt_tokens: counts.input ?? 0,
    completion_tokens: counts.output ?? 0,
    total_tokens: (counts.input ?? 0) + (counts.output ?? 0),
    prompt_tokens_details: { cached_tokens: counts.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: counts.reasoning ?? 0 },
  };
}
