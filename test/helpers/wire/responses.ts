/** The wire of OpenAI's responses API. */
import {
  type Answer,
  asList,
  type Codec,
  type ConversationTurn,
  parsedInput,
  pieces,
  rawInput,
  textOf,
  type WireEvent,
} from './script.js';

export const responses: Codec = {
  encode(answer, { model, id }) {
    const events: WireEvent[] = [];
    let sequence = 0;
    const add = (type: string, more: object) =>
      events.push({ name: type, data: JSON.stringify({ type, sequence_number: sequence++, ...more }) });
    let output_index = -1;
    const response = { id: `resp_${id}`, created_at: 1_700_000_000, model };
    add('response.created', { response });
    if (answer.reasoning !== undefined || answer.signature !== undefined) {
      output_index++;
      const item = { type: 'reasoning', id: `rs_${id}`, summary: [] };
      const place = { item_id: item.id, output_index, summary_index: 0 };
      add('response.output_item.added', { output_index, item });
      if (answer.reasoning) {
        add('response.reasoning_summary_part.added', place);
        for (const delta of pieces(answer.reasoning)) add('response.reasoning_summary_text.delta', { ...place, delta });
        add('response.reasoning_summary_part.done', place);
      }
      const summary = answer.reasoning ? [{ type: 'summary_text', text: answer.reasoning }] : [];
      add('response.output_item.done', { output_index, item: { ...item, summary, encrypted_content: answer.signature ?? null } });
    }
    if (answer.text) {
      output_index++;
      const item = { type: 'message', id: `msg_${id}`, role: 'assistant', content: [] };
      add('response.output_item.added', { output_index, item });
      for (const delta of pieces(answer.text))
        add('response.output_text.delta', { item_id: item.id, output_index, content_index: 0, delta });
      add('response.output_item.done', { output_index, item });
    }
    for (const [index, call] of (answer.calls ?? []).entries()) {
      output_index++;
      const item = {
        type: 'function_call',
        id: `fc_${id}_${index}`,
        call_id: call.id ?? `call_${id}_${index}`,
        name: call.name,
        arguments: '',
      };
      add('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } });
      for (const delta of pieces(rawInput(call)))
        add('response.function_call_arguments.delta', { item_id: item.id, output_index, delta });
      add('response.output_item.done', { output_index, item: { ...item, arguments: rawInput(call), status: 'completed' } });
    }
    if (answer.finish === 'none') return events;
    const reason = answer.finish === 'length' ? 'max_output_tokens' : answer.finish === 'filter' ? 'content_filter' : undefined;
    const end = {
      ...response,
      usage: answer.usage ? usage(answer.usage) : undefined,
      incomplete_details: reason ? { reason } : null,
    };
    add(reason ? 'response.incomplete' : 'response.completed', { response: end });
    return events;
  },
  streamError(error) {
    const response = { id: 'resp_failed', error: { code: error.type, message: error.message } };
    return { name: 'response.failed', data: JSON.stringify({ type: 'response.failed', sequence_number: 99, response }) };
  },
  httpError: (_status, message) => ({ error: { message, type: 'api_error', param: null, code: null } }),
  read(body) {
    const turns: ConversationTurn[] = [];
    let system = String(body['instructions'] ?? '');
    for (const item of asList(body['input'])) {
      const role = String(item['role'] ?? '');
      if (role === 'system' || role === 'developer') system += textOf(item['content']);
      else if (item['type'] === 'function_call_output') turns.push(resultTurn(item, turns));
      else turns.push(turnOf(item));
    }
    return { system, functions: asList(body['tools']).map((tool) => String(tool['name'])), turns: mergeSpeech(turns) };
  },
};

const empty = { text: '', reasoning: '', calls: [], results: [] };

function turnOf(item: Record<string, unknown>): ConversationTurn {
  if (item['type'] === 'function_call') {
    const call = { id: String(item['call_id']), name: String(item['name']), input: parsedInput(item['arguments']) };
    return { ...empty, role: 'assistant', calls: [call] };
  }
  if (item['type'] === 'reasoning') return { ...empty, role: 'assistant', reasoning: textOf(item['summary']) };
  return { ...empty, role: item['role'] === 'assistant' ? 'assistant' : 'user', text: textOf(item['content']) };
}

function resultTurn(item: Record<string, unknown>, before: readonly ConversationTurn[]): ConversationTurn {
  const id = String(item['call_id']);
  const name = before.flatMap((turn) => turn.calls).find((call) => call.id === id)?.name ?? '';
  return { ...empty, role: 'tool', results: [{ id, name, text: textOf(item['output']) }] };
}

/** The items of one reply stand apart on this wire. */
function mergeSpeech(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const merged: ConversationTurn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (turn.role !== 'assistant' || last?.role !== 'assistant') merged.push(turn);
    else
      merged[merged.length - 1] = {
        ...last,
        text: last.text + turn.text,
        reasoning: last.reasoning + turn.reasoning,
        calls: [...last.calls, ...turn.calls],
      };
  }
  return merged;
}

function usage(counts: NonNullable<Answer['usage']>): object {
  return {
    input_tokens: counts.input ?? 0,
    input_tokens_details: { cached_tokens: counts.cacheRead ?? 0 },
    output_tokens: counts.output ?? 0,
    output_tokens_details: { reasoning_tokens: counts.reasoning ?? 0 },
    total_tokens: (counts.input ?? 0) + (counts.output ?? 0),
  };
}
