/** The wire of Anthropic's messages. */
import { asList, type Codec, type ConversationTurn, pieces, rawInput, textOf, type WireEvent } from './script.js';

const REASONS = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal' } as const;

export const anthropic: Codec = {
  encode(answer, { model, id }) {
    const events: WireEvent[] = [];
    const add = (type: string, more: object = {}) => events.push({ name: type, data: JSON.stringify({ type, ...more }) });
    const counts = answer.usage ?? {};
    const cached = { cache_creation_input_tokens: counts.cacheWrite ?? 0, cache_read_input_tokens: counts.cacheRead ?? 0 };
    const input_tokens = Math.max(0, (counts.input ?? 0) - (counts.cacheRead ?? 0) - (counts.cacheWrite ?? 0));
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      usage: { input_tokens, output_tokens: 1, ...cached },
    };
    add('message_start', { message });
    add('ping');
    let index = -1;
    const block = (content_block: object, deltas: readonly object[]) => {
      index++;
      add('content_block_start', { index, content_block });
      for (const delta of deltas) add('content_block_delta', { index, delta });
      add('content_block_stop', { index });
    };
    if (answer.reasoning !== undefined) {
      const deltas: object[] = pieces(answer.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }));
      block({ type: 'thinking', thinking: '', signature: '' }, [
        ...deltas,
        { type: 'signature_delta', signature: answer.signature ?? `sig_${id}` },
      ]);
    }
    if (answer.text) {
      const deltas = pieces(answer.text).map((text) => ({ type: 'text_delta', text }));
      block({ type: 'text', text: '' }, deltas);
    }
    for (const [n, call] of (answer.calls ?? []).entries()) {
      const deltas = pieces(rawInput(call)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      block({ type: 'tool_use', id: call.id ?? `toolu_${id}_${n}`, name: call.name, input: {} }, [
        { type: 'input_json_delta', partial_json: '' },
        ...deltas,
      ]);
    }
    if (answer.finish === 'none') return events;
    const reason = answer.finish ?? (answer.calls?.length ? 'calls' : 'stop');
    add('message_delta', {
      delta: { stop_reason: REASONS[reason], stop_sequence: null },
      usage: { output_tokens: counts.output ?? 0 },
    });
    add('message_stop');
    return events;
  },
  streamError: (error) => ({ name: 'error', data: JSON.stringify({ type: 'error', error }) }),
  httpError(status, message) {
    const types: Record<number, string> = {
      400: 'invalid_request_error',
      401: 'authentication_error',
      403: 'permission_error',
      404: 'not_found_error',
      413: 'request_too_large',
      429: 'rate_limit_error',
      529: 'overloaded_error',
    };
    return { type: 'error', error: { type: types[status] ?? 'api_error', message } };
  },
  read(body) {
    const turns = asList(body['messages']).flatMap(turnsOf);
    return {
      system: textOf(body['system']),
      functions: asList(body['tools']).map((tool) => String(tool['name'])),
      turns: withNames(turns),
    };
  },
};

function turnsOf(message: Record<string, unknown>): ConversationTurn[] {
  const blocks =
    typeof message['content'] === 'string' ? [{ type: 'text', text: message['content'] }] : asList(message['content']);
  const of = (type: string) => blocks.filter((block) => block['type'] === type);
  const text = textOf(of('text'));
  if (message['role'] === 'assistant') {
    const calls = of('tool_use').map((block) => ({
      id: String(block['id']),
      name: String(block['name']),
      input: block['input'],
    }));
    const reasoning = of('thinking')
      .map((block) => String(block['thinking']))
      .join('');
    return [{ role: 'assistant', text, reasoning, calls, results: [] }];
  }
  const results = of('tool_result').map((block) => ({
    id: String(block['tool_use_id']),
    name: '',
    text: textOf(block['content']),
    isError: block['is_error'] === true,
  }));
  const turns: ConversationTurn[] = [];
  if (results.length > 0) turns.push({ role: 'tool', text: '', reasoning: '', calls: [], results });
  if (of('text').length > 0) turns.push({ role: 'user', text, reasoning: '', calls: [], results: [] });
  return turns;
}

function withNames(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const names = new Map(turns.flatMap((turn) => turn.calls).map((call) => [call.id, call.name]));
  return turns.map((turn) => ({
    ...turn,
    results: turn.results.map((result) => ({ ...result, name: names.get(result.id) ?? '' })),
  }));
}
