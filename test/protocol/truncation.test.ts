/** A sample of test/long/truncation.test.ts: what was cut off is never run. */
import { describe, expect, it } from 'vitest';
import { callFromNative } from '../../src/protocol/native.js';
import { parseReply } from '../../src/protocol/parse-reply.js';
import { callFromUser } from '../../src/protocol/user-call.js';
import { FAKES } from './fake-tools.js';
import { ALL_TOOLS, callsToCut, editsToCut, faultsOf } from './whole-calls.js';

describe('a prefix fails or is the whole call', () => {
  for (const call of [...callsToCut(), ...editsToCut()])
    it(`${call.cmd} ${JSON.stringify(call.args).slice(0, 80)}`, () => expect(faultsOf(call, ALL_TOOLS, 37).faults).toEqual([]));
});

describe('when the service says that the reply was cut', () => {
  const options = { tools: FAKES, agent: 'main', nextId: () => 'c' };
  const native = (name: string, input: string) => {
    const call = callFromNative({ id: 'n', name, input }, { tools: FAKES, agent: 'main', cut: true });
    return call.ok ? `${call.call.tool} ${JSON.stringify(call.call.args)}` : call.code;
  };
  it('only arguments that are whole as they stand are run', () => {
    expect(native('read', '{"file":"a"}')).toBe('@read {"file":"a"}');
    expect(native('read', '"{\\"file\\":\\"a\\"}"')).toBe('@read {"file":"a"}');
    for (const input of [
      '',
      'null',
      'src/ap',
      'write --file a --content hel',
      '"a b" --sta',
      '12',
      '{"file":"a"',
      '{"file":"a","x":{}',
    ])
      expect(native('read', input), input).toBe('InvalidArgs');
    expect(native('coder', 'write --file a --content hello wor')).toBe('InvalidArgs');
    expect(native('coder', '{"cmd":"write","args":{"file":"a","content":"x"}')).toBe('InvalidArgs');
    expect(native('coder', '{"cmd":"write","args":{"file":"a" "content":1}}')).toBe('InvalidArgs');
  });
  it('tags that closed count, a last bracket is not added', () => {
    const codes = (text: string) => parseReply(text, { ...options, cut: true }).calls.map((call) => call.ok);
    expect(codes('<tool_call name="@read" args="a"/> and then')).toEqual([true]);
    expect(codes('<tool_call name="@read" args="a"/>\n<tool_call name="@read" args="b')).toEqual([true, false]);
    expect(codes('{"cmd":"write","args":{"file":"a","content":"x"}')).toEqual([false]);
    expect(codes('[tool: @coder {"cmd":"write","args":{"file":"a","content":"x"}')).toEqual([false]);
    expect(codes('{"cmd":"write","args":{"file":"a","content":"x"}}')).toEqual([true]);
  });
});

it('base64 that ends where a group of four ends is cut all the same', () => {
  const whole = '{"cmd":"write","args":{"file":"a","content":"QUJDREVGR0hJSktM","encoding":"base64"}}';
  for (let end = whole.indexOf('QUJD'); end < whole.length - 1; end += 4) {
    const text = whole.slice(0, end);
    expect(callFromUser('@coder', [text], { tools: FAKES, agent: 'main', nextId: () => 'c' }).ok, text).toBe(false);
  }
});

it('a call typed without its last brackets is run when it only reads', () => {
  const run = (text: string) => callFromUser('@coder', [text], { tools: ALL_TOOLS, agent: 'main', nextId: () => 'c' });
  expect(run('{"cmd":"git-diff","args":{"file":"a"')).toMatchObject({ ok: true, call: { args: { file: 'a' } } });
  const write = run('{"cmd":"write","args":{"file":"a","content":"x"');
  expect(write.ok ? '' : write.message).toContain('may have been cut off; nothing was run');
  expect(run('{"cmd":"write","args":{"file":"a","content":"x"}')).toMatchObject({ ok: true });
});
