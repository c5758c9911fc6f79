/** Histories as they really are (broken calls, other services' signatures, holes) become prompts no service refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertMessages } from '../../../src/providers/shared/convert-messages.js';
import type { DialectId } from '../../../src/providers/shared/sdk-types.js';
import type { Message, Part } from '../../../src/types/message.js';
import { assistant, request, results, user } from '../../helpers/wire/converse.js';

const DIALECTS: readonly DialectId[] = ['chat', 'responses', 'anthropic', 'google'];
const call = (id: string, input = '{}', name = 'read'): Part => ({ type: 'call', id, name, input });
const convert = (messages: readonly Message[], dialect: DialectId = 'anthropic', more = {}) =>
  convertMessages(request(messages, { system: '', ...more }), { dialect });
// biome-ignore lint/suspicious/noExplicitAny: the prompt is looked at from outside, whatever its type
const flat = (prompt: readonly any[]) =>
  prompt.flatMap((message) =>
    Array.isArray(message.content) ? message.content.map((part: object) => ({ role: message.role, ...part })) : [message],
  );

describe('pairing', () => {
  it('answers dangling calls and keeps the order of the calls', () => {
    const prompt = convert([user('a'), assistant(call('1'), call('2')), results({ id: '2', name: 'read', text: 'two' })]);
    expect(flat(prompt).slice(3)).toMatchObject([
      { role: 'tool', toolCallId: '1', output: { type: 'error-text', value: expect.stringContaining('not executed') } },
      { role: 'tool', toolCallId: '2', output: { type: 'text', value: 'two' } },
    ]);
  });

  it('puts results before what the user said meanwhile', () => {
    const prompt = convert([user('a'), assistant(call('1')), user('also this'), results({ id: '1', name: 'read', text: 'one' })]);
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('makes text of a result that answers nothing', () => {
    const prompt = convert([user('a'), results({ id: 'ghost', name: 'read', text: 'boo' })]);
    expect(flat(prompt)[1]).toMatchObject({ role: 'user', type: 'text', text: '[result of read]\nboo' });
  });

  it('gives equal ids of different turns different names, in call and result', () => {
    const turn = (text: string) => [assistant(call('call_0')), results({ id: 'call_0', name: 'read', text })];
    const parts = flat(convert([user('a'), ...turn('first'), ...turn('second')]));
    const ids = parts.filter((part) => part.type === 'tool-call').map((part) => part.toolCallId);
    expect(new Set(ids).size).toBe(2);
    expect(parts.filter((part) => part.type === 'tool-result').map((part) => [part.toolCallId, part.output.value])).toEqual([
      [ids[0], 'first'],
      [ids[1], 'second'],
    ]);
  });

  it('cleans ids and names of other services only where they are refused', () => {
    const history = [
      user('a'),
      assistant(call('functions.read:0', '{}', 'co der.read')),
      results({ id: 'functions.read:0', name: 'x', text: 't' }),
    ];
    expect(flat(convert(history, 'anthropic'))[1]).toMatchObject({ toolCallId: 'functions_read_0', toolName: 'co_der_read' });
    expect(flat(convert(history, 'chat'))[1]).toMatchObject({ toolCallId: 'functions.read:0', toolName: 'co_der_read' });
    expect(flat(convert([user('a'), assistant(call('x'.repeat(90)))], 'chat'))[1].toolCallId.length).toBeLessThanOrEqual(40);
    expect(flat(convert([user('a'), assistant(call('1', '{}', ''))]))[1].toolName).toMatch(/^[A-Za-z_]/);
  });
});

describe('parts', () => {
  it('argument text that is no object still shows the model what it wrote', () => {
    for (const dialect of DIALECTS) {
      for (const raw of ['{"a": ', '[1]', '"x"', 'null', '3'])
        expect(flat(convert([user('a'), assistant(call('1', raw))], dialect))[1].input).toEqual({ unparsed_arguments: raw });
      expect(flat(convert([user('a'), assistant(call('1', ' '))], dialect))[1].input).toEqual({});
    }
  });

  it('valid argument text keeps its bytes where the wire carries text', () => {
    const raw = '{ "n": 12345678901234567890, "b":1,"b":2 }';
    expect(flat(convert([user('a'), assistant(call('1', raw))], 'chat'))[1].input).toBe(raw);
    expect(flat(convert([user('a'), assistant(call('1', raw))], 'google'))[1].input).toMatchObject({ b: 2 });
  });

  it('signatures go back only to the service that made them', () => {
    const parts: Part[] = [
      { type: 'reasoning', text: 'claude', meta: { anthropic: { signature: 'S' } } },
      { type: 'reasoning', text: '', meta: { anthropic: { redactedData: 'R' } } },
      { type: 'reasoning', text: 'gpt', meta: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'E' } } },
      { type: 'reasoning', text: 'gemini', meta: { google: { thoughtSignature: 'G' } } },
      { type: 'reasoning', text: 'nobody' },
      { type: 'text', text: 'answer' },
    ];
    const reasoning = (dialect: DialectId, sendReasoning = false) =>
      flat(convertMessages(request([user('a'), assistant(...parts)], { system: '' }), { dialect, sendReasoning })).filter(
        (part) => part.type === 'reasoning',
      );
    expect(reasoning('anthropic').map((part) => [part.text, part.providerOptions])).toEqual([
      ['claude', { anthropic: { signature: 'S' } }],
      ['', { anthropic: { redactedData: 'R' } }],
    ]);
    expect(reasoning('responses').map((part) => part.text)).toEqual(['gpt']);
    expect(reasoning('google').map((part) => part.text)).toEqual(['gemini']);
    expect(reasoning('chat')).toEqual([]);
    expect(reasoning('chat', true).map((part) => part.text)).toEqual(['claude', 'gpt', 'gemini', 'nobody']);
  });

  it('leaves no empty message and no blank block', () => {
    const prompt = convert([user(''), assistant({ type: 'text', text: ' \n' }), user('\t'), assistant()]);
    for (const part of flat(prompt)) expect(part.text.trim()).not.toBe('');
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('half a surrogate pair is replaced, everywhere', () => {
    const history = [
      user('a\ud83c'),
      assistant({ type: 'text', text: '\udf89b' }, call('1', '{"x":"\ud83c"}')),
      results({ id: '1', name: 'read', text: '\ud83c' }),
    ];
    for (const dialect of DIALECTS) {
      const text = JSON.stringify(convertMessages(request(history, { system: 's\ud83c' }), { dialect }));
      expect(text).not.toMatch(/\\ud[89a-f]/i);
      expect(text.match(/\ufffd/g)?.length).toBe(5);
    }
  });

  it('images go to the model as files', () => {
    const message: Message = {
      id: 'u',
      role: 'user',
      time: 0,
      parts: [
        { type: 'text', text: 'see' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    };
    expect(flat(convert([message]))).toMatchObject([{ type: 'text' }, { type: 'file', mediaType: 'image/png', data: 'AAAA' }]);
  });

  it('without functions, earlier calls are text', () => {
    const history = [
      user('a'),
      assistant({ type: 'text', text: 'reading' }, call('1', `{"file":"it's <a>"}`)),
      results({ id: '1', name: 'read', text: 'one' }),
    ];
    const parts = flat(convert(history, 'anthropic', { functions: [] }));
    expect(parts.every((part) => part.type === 'text')).toBe(true);
    expect(parts[2].text).toBe(`<tool_call name="read" args='{"file":"it&apos;s &lt;a>"}'/>`);
    expect(parts[3]).toMatchObject({ role: 'user', text: '[result of read]\none' });
  });
});

describe('cache marks of anthropic', () => {
  it('stand on the system prompt, the end, and the end of the request before', () => {
    const history: Message[] = [user('1')];
    for (let turn = 0; turn < 5; turn++) {
      const prompt = convertMessages(request(history), { dialect: 'anthropic' });
      const marked = prompt.flatMap((message, index) => (message.providerOptions ? [index] : []));
      expect(marked).toEqual([...new Set([0, ...(turn > 0 ? [prompt.length - 3] : []), prompt.length - 1])]);
      expect(marked.length).toBeLessThanOrEqual(4);
      history.push(assistant(call(`c${turn}`)), results({ id: `c${turn}`, name: 'read', text: 'x' }));
    }
  });
});

describe('any history', () => {
  const part: fc.Arbitrary<Part> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary', maxLength: 8 }) }),
    fc.record({
      type: fc.constant('reasoning' as const),
      text: fc.string({ maxLength: 4 }),
      meta: fc.constant({ anthropic: { signature: 's' } }),
    }),
    fc.record({
      type: fc.constant('call' as const),
      id: fc.constantFrom('a', 'b', '', 'ü.1'),
      name: fc.constantFrom('read', '9 !'),
      input: fc.constantFrom('{}', '{', ''),
    }),
    fc.record({
      type: fc.constant('result' as const),
      id: fc.constantFrom('a', 'b', '', 'ü.1'),
      name: fc.constant('read'),
      text: fc.string({ maxLength: 4 }),
      isError: fc.boolean(),
    }),
  );
  const message: fc.Arbitrary<Message> = fc.record({
    id: fc.constant('m'),
    role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
    parts: fc.array(part, { maxLength: 4 }),
    time: fc.constant(0),
  });

  it('has each call answered once right after it, ids unique, and a stable prefix', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.constantFrom(...DIALECTS), (history, dialect) => {
        const prompt = convert(history, dialect);
        const ids = flat(prompt)
          .filter((one) => one.type === 'tool-call')
          .map((one) => one.toolCallId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const [index, one] of prompt.entries()) {
          if (one.role === 'system') continue;
          expect(one.content.length).toBeGreaterThan(0);
          const made =
            one.role === 'assistant'
              ? flat([one])
                  .filter((p) => p.type === 'tool-call')
                  .map((p) => p.toolCallId)
              : [];
          const next = prompt[index + 1];
          const answered = next?.role === 'tool' ? flat([next]).map((p) => p.toolCallId) : [];
          if (one.role === 'assistant') expect(answered).toEqual(made);
          if (one.role === 'tool') expect(prompt[index - 1]?.role).toBe('assistant');
        }
        // What was said up to a finished turn is written the same way however the talk goes on.
        const longer = convert([...history, assistant({ type: 'text', text: 'more' })], dialect);
        const plain = (list: typeof prompt) => JSON.stringify(list.map(({ role, content }) => ({ role, content })));
        expect(plain(longer).startsWith(plain(prompt).slice(0, -1))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
