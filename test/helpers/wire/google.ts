/** The wire of the Gemini API. */
import {
  type Answer,
  asList,
  asObject,
  type Codec,
  type ConversationTurn,
  parsedInput,
  pieces,
  type ScriptedCall,
  type WireEvent,
} from './script.js';

const REASONS = { stop: 'STOP', calls: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' } as const;

export const google: Codec = {
  encode(answer, { id }) {
    const chunk = (parts: readonly object[], more: object = {}): WireEvent => ({
      data: JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], responseId: id }),
    });
    const events: WireEvent[] = [];
    const signed = answer.signature && !answer.calls?.length ? { thoughtSignature: answer.signature } : {};
    for (const text of pieces(answer.reasoning ?? '')) events.push(chunk([{ text, thought: true }]));
    for (const text of pieces(answer.text ?? '')) events.push(chunk([{ text, ...signed }]));
    for (const [index, call] of (answer.calls ?? []).entries())
      events.push(chunk([callPart(call, index === 0 ? answer.signature : undefined)]));
    const usageMetadata = answer.usage ? usage(answer.usage) : undefined;
    const finish = answer.finish ?? 'stop';
    if (finish !== 'none') {
      const candidates = [{ content: { role: 'model', parts: [{ text: '' }] }, index: 0, finishReason: REASONS[finish] }];
      events.push({ data: JSON.stringify({ candidates, usageMetadata, responseId: id }) });
    }
    return events;
  },
  streamError: (error) => ({
    data: JSON.stringify({
      error: { code: error.type === 'rate_limit_error' ? 429 : 503, message: error.message, status: 'UNAVAILABLE' },
    }),
  }),
  httpError: (code, message) => ({ error: { code, message, status: code === 400 ? 'INVALID_ARGUMENT' : 'UNKNOWN' } }),
  read(body) {
    const system = partsText(asObject(body['systemInstruction'])['parts']);
    const declarations = asList(body['tools']).flatMap((tool) => asList(tool['functionDeclarations']));
    return { system, functions: declarations.map((one) => String(one['name'])), turns: asList(body['contents']).map(turnOf) };
  },
};

function callPart(call: ScriptedCall, signature: string | undefined): object {
  const args = typeof call.input === 'string' ? parsedInput(call.input) : call.input;
  const mark = call.signature ?? signature;
  return {
    functionCall: { ...(call.id ? { id: call.id } : {}), name: call.name, args },
    ...(mark ? { thoughtSignature: mark } : {}),
  };
}

function turnOf(content: Record<string, unknown>): ConversationTurn {
  const parts = asList(content['parts']);
  const results = parts.flatMap((part) => {
    const answer = asObject(part['functionResponse']);
    return 'name' in answer
      ? [
          {
            id: String(answer['id'] ?? ''),
            name: String(answer['name']),
            text: String(asObject(answer['response'])['content'] ?? ''),
          },
        ]
      : [];
  });
  const calls = parts.flatMap((part) => {
    const call = asObject(part['functionCall']);
    return 'name' in call ? [{ id: String(call['id'] ?? ''), name: String(call['name']), input: call['args'] }] : [];
  });
  const role = content['role'] === 'model' ? 'assistant' : results.length > 0 ? 'tool' : 'user';
  const reasoning = partsText(parts.filter((part) => part['thought'] === true));
  return { role, text: partsText(parts.filter((part) => part['thought'] !== true)), reasoning, calls, results };
}

function partsText(parts: unknown): string {
  return asList(parts)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function usage(counts: NonNullable<Answer['usage']>): object {
  const reasoning = counts.reasoning ?? 0;
  return {
    promptTokenCount: counts.input ?? 0,
    candidatesTokenCount: (counts.output ?? 0) - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: counts.cacheRead ?? 0,
    totalTokenCount: (counts.input ?? 0) + (counts.output ?? 0),
  };
}
