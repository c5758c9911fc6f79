/** Blocks and calls as the SDK tells them become parts whose signatures cover exactly their own text. */
import { describe, expect, it } from 'vitest';
import { endReason, StreamConverter, usageOf } from '../../../src/providers/shared/convert-stream.js';
import type { StreamPart } from '../../../src/providers/shared/sdk-types.js';
import { fold } from '../../helpers/wire/converse.js';

const sig = (signature: string) => ({ anthropic: { signature } });
const reasoning = (id: string, delta: string, providerMetadata?: ReturnType<typeof sig>): StreamPart[] => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, delta },
  { type: 'reasoning-end', id, providerMetadata },
];
const text = (id: string, delta: string): StreamPart[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish = (unified: 'stop' | 'length' | 'tool-calls'): StreamPart => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: unified },
});

function convert(parts: readonly StreamPart[]) {
  const converter = new StreamConverter();
  const events = parts.flatMap((part) => converter.accept(part));
  return fold([...events, ...converter.end().events]);
}

describe('blocks', () => {
  it('each signature stays with its own text', () => {
    const { parts } = convert([...reasoning('0', 'one', sig('A')), ...reasoning('1', 'two', sig('B')), ...text('2', 'said')]);
    expect(parts).toEqual([
      { type: 'reasoning', text: 'one', meta: sig('A') },
      { type: 'reasoning', text: 'two', meta: sig('B') },
      { type: 'text', text: 'said' },
    ]);
  });

  it('an unsigned block does not run into a signed one', () => {
    const { parts } = convert([...reasoning('0', 'one'), ...reasoning('1', 'two', sig('B'))]);
    expect(parts).toMatchObject([{ text: 'one' }, { text: 'two', meta: sig('B') }]);
  });

  it('a block without text keeps what it carries', () => {
    const sealed: StreamPart[] = [
      { type: 'reasoning-start', id: 'r', providerMetadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: null } } },
      { type: 'reasoning-end', id: 'r', providerMetadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'E' } } },
    ];
    expect(convert(sealed).parts).toEqual([
      { type: 'reasoning', text: '', meta: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'E' } } },
    ]);
  });

  it('what a start told is not lost to an end that tells less', () => {
    const parts: StreamPart[] = [
      { type: 'reasoning-start', id: 'r', providerMetadata: { openai: { reasoningEncryptedContent: 'E' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'x', providerMetadata: { openai: { itemId: 'rs_1' } } },
      { type: 'reasoning-end', id: 'r', providerMetadata: { openai: { reasoningEncryptedContent: null } } },
    ];
    expect(convert(parts).parts).toEqual([
      { type: 'reasoning', text: 'x', meta: { openai: { reasoningEncryptedContent: 'E', itemId: 'rs_1' } } },
    ]);
  });

  it('thinking between calls keeps its place', () => {
    const call = (id: string): StreamPart[] => [
      { type: 'tool-input-start', id, toolName: 'read' },
      { type: 'tool-call', toolCallId: id, toolName: 'read', input: '{"file":"a"}' },
    ];
    const { parts } = convert([
      ...reasoning('0', 'one', sig('A')),
      ...call('c1'),
      ...reasoning('1', 'two', sig('B')),
      ...call('c2'),
    ]);
    expect(parts.map((part) => part.type)).toEqual(['reasoning', 'call', 'reasoning', 'call']);
  });
});

describe('calls', () => {
  const blank: StreamPart[] = [
    { type: 'tool-input-start', id: 'c', toolName: 'read' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}' },
  ];

  it('without an argument byte: none, unless the output limit struck', () => {
    expect(convert([...blank, finish('tool-calls')]).calls.map(({ input }) => input)).toEqual(['{}']);
    expect(convert([...blank, finish('length')]).calls.map(({ input }) => input)).toEqual(['']);
    expect(convert([...blank, ...text('t', 'more'), finish('length')]).calls.map(({ input }) => input)).toEqual(['{}']);
  });

  it('one the service never finished is handed on as far as it came', () => {
    const open: StreamPart[] = [
      { type: 'tool-input-start', id: 'c', toolName: 'write' },
      { type: 'tool-input-delta', id: 'c', delta: '{"file":"a","con' },
    ];
    expect(convert([...open, finish('length')]).calls).toMatchObject([{ id: 'c', name: 'write', input: '{"file":"a","con' }]);
  });

  it('what the service ran itself is none of ours', () => {
    expect(
      convert([{ type: 'tool-call', toolCallId: 'x', toolName: 'web_search', input: '{}', providerExecuted: true }]).calls,
    ).toEqual([]);
  });
});

describe('ends and counts', () => {
  it.each([
    ['stop', 'stop'],
    ['tool-calls', 'calls'],
    ['length', 'length'],
    ['content-filter', 'filter'],
    ['other', 'other'],
  ] as const)('%s is %s', (unified, expected) => {
    expect(endReason({ unified, raw: 'x' })).toBe(expected);
  });

  it('counts that are none are zero, and no counts are none', () => {
    const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
    expect(
      usageOf({ inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } }),
    ).toBeUndefined();
    expect(
      usageOf({
        inputTokens: { ...none, total: Number.NaN, cacheRead: -5 },
        outputTokens: { total: 3.4, text: 1, reasoning: undefined },
      }),
    ).toEqual({
      input: 0,
      output: 3,
      cacheRead: 0,
      cacheWrite: 0,
      reasoning: 0,
    });
  });
});
