import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldSession } from '../../src/session/fold.js';
import { INTERRUPTED, NOT_EXECUTED } from '../../src/session/pairing.js';
import type { AgentEvent } from '../../src/types/event.js';
import type { Message } from '../../src/types/message.js';
import { answer, call, ended, event, runStart, said, say, started, text } from './temp.js';

const header = JSON.stringify({ type: 'session', version: 1, id: 's', workspace: '/w', created: 5, app: 'x' });
const fold = (...events: (AgentEvent | string)[]) =>
  foldSession([header, ...events.map((e) => (typeof e === 'string' ? e : JSON.stringify(e)))]);
const shape = (messages: readonly Message[]) =>
  messages.map(
    (m) => `${m.role}:${m.parts.map((p) => (p.type === 'call' || p.type === 'result' ? `${p.type} ${p.id}` : p.type)).join(',')}`,
  );

/** What every provider demands: calls answered once, at once, in order; no stray results; nothing empty. */
function faultsOf(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  for (const [index, message] of messages.entries()) {
    const calls = message.parts.filter((p) => p.type === 'call').map((p) => p.id);
    const results = message.parts.filter((p) => p.type === 'result').map((p) => p.id);
    const before = messages[index - 1]?.parts.filter((p) => p.type === 'call').map((p) => p.id) ?? [];
    if (message.parts.length === 0) faults.push(`${index} is empty`);
    if (calls.length > 0 && message.role !== 'assistant') faults.push(`${index}: a call that no model made`);
    if (new Set(calls).size !== calls.length) faults.push(`${index}: one id twice`);
    if (results.length > 0 || before.length > 0) {
      if (message.role !== 'tool' || results.join() !== before.join()) faults.push(`${index}: ${before} answered by ${results}`);
    } else if (message.role === 'tool') faults.push(`${index}: a tool message that answers nothing`);
  }
  if (messages.at(-1)?.parts.some((p) => p.type === 'call')) faults.push('the last calls have no answer');
  return faults;
}

describe('foldSession', () => {
  it('gives messages, plan, mode, model, title and time', () => {
    const plan = [{ id: 1, description: 'a', status: 'pending' as const, attempts: 0 }];
    const state = fold(
      runStart('/w', '\n  Fix the parser \nplease'),
      said(say('user', [text('<environment/>'), text('Fix the parser')])),
      said(say('assistant', [call('a')])),
      said(say('tool', [answer('a')])),
      event({ type: 'plan', tasks: plan }),
      said(say('assistant', [text('done')])),
    );
    expect(shape(state.messages)).toEqual(['user:text,text', 'assistant:call a', 'tool:result a', 'assistant:text']);
    expect(state).toMatchObject({ plan, mode: 'coder', model: 'm-1', toolMode: 'native', title: 'Fix the parser', damaged: 0 });
    expect(state.header.id).toBe('s');
    expect(state.updated).toBeGreaterThan(1_700_000_000_000);
  });

  it('keeps workers apart from the main conversation', () => {
    const state = fold(
      said(say('user', [text('hi')])),
      said(say('assistant', [call('w')]), 'coder-1'),
      said(say('user', [text('inner')]), 'coder-1'),
    );
    expect(shape(state.messages)).toEqual(['user:text']);
  });

  it('skips and counts damaged lines, and does not count blank ones or event types it does not know', () => {
    const state = fold(
      '{"type":"message-e',
      '',
      '\0\0\0\0',
      '[]',
      'null',
      JSON.stringify({ type: 'something-new', agent: 'main', time: 5, x: 1 }),
      JSON.stringify({ type: 'message-end', agent: 'main', time: 5, message: { id: 'm', role: 'system', parts: [], time: 1 } }),
      JSON.stringify({
        type: 'message-end',
        agent: 'main',
        time: 5,
        message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 7 }], time: 1 },
      }),
      JSON.stringify({ type: 'run-start' }),
      said(say('user', [text('good')])),
    );
    expect(shape(state.messages)).toEqual(['user:text']);
    expect(state.damaged).toBe(7);
  });

  it('survives depth, prototype keys and a missing header', () => {
    const deep = `{"type":"plan","agent":"main","time":1,"tasks":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const state = foldSession([deep, '{"__proto__":{"type":"session"},"constructor":1}', JSON.stringify(runStart('/there'))]);
    expect(state.damaged).toBe(2);
    expect(state.header).toMatchObject({ id: 's', workspace: '/there' });
    expect(foldSession([]).messages).toEqual([]);
  });

  it('takes the result of a finished call from the log, so that it is not run twice', () => {
    const state = fold(
      said(say('assistant', [call('x1'), call('x2'), call('x3')])),
      started('t4c1'),
      ended('t4c1', 'the bytes'),
      started('t4c2'),
    );
    expect(state.messages.at(-1)?.parts).toEqual([
      { type: 'result', id: 'x1', name: 'read', text: 'the bytes', isError: false },
      { type: 'result', id: 'x2', name: 'read', text: INTERRUPTED, isError: true },
      { type: 'result', id: 'x3', name: 'read', text: NOT_EXECUTED, isError: true },
    ]);
    expect(faultsOf(state.messages)).toEqual([]);
  });

  it('does not take call 11 for call 1', () => {
    const calls = Array.from({ length: 11 }, (_, i) => call(`x${i + 1}`));
    const state = fold(said(say('assistant', calls)), ended('t1c11', 'eleventh'));
    const texts = state.messages.at(-1)?.parts.map((p) => (p.type === 'result' ? p.text : '')) ?? [];
    expect(texts[10]).toBe('eleventh');
    expect(new Set(texts.slice(0, 10))).toEqual(new Set([NOT_EXECUTED]));
  });

  it('pairs within one reply when a provider uses the same ids in every turn', () => {
    const state = fold(
      said(say('assistant', [call('call_0')])),
      said(say('tool', [answer('call_0', 'first')])),
      said(say('assistant', [call('call_0')])),
      said(say('user', [text('go on')])),
    );
    expect(shape(state.messages)).toEqual([
      'assistant:call call_0',
      'tool:result call_0',
      'assistant:call call_0',
      'tool:result call_0',
      'user:text',
    ]);
    expect(state.messages[1]?.parts[0]).toMatchObject({ text: 'first' });
    expect(state.messages[3]?.parts[0]).toMatchObject({ text: NOT_EXECUTED });
  });

  it('drops results without a call, second results, doubled ids and empty messages', () => {
    const state = fold(
      said(say('tool', [answer('lost')])),
      said(say('assistant', [call('a'), call('a')])),
      said(say('tool', [answer('b'), answer('a', 'yes'), answer('a', 'again')])),
      said(say('assistant', [text('')])),
      said(say('assistant', [])),
      said(say('user', [call('forged')])),
      said(say('user', [text('hello')])),
    );
    expect(shape(state.messages)).toEqual(['assistant:call a', 'tool:result a', 'user:text']);
    expect(state.messages[1]?.parts[0]).toMatchObject({ text: 'yes' });
  });

  it('moves late and scattered results to their call and keeps images with them', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AA' } as const;
    const state = fold(
      said(say('assistant', [call('a'), call('b')])),
      said(say('user', [text('typed meanwhile')])),
      said(say('tool', [answer('b'), image])),
      said(say('tool', [answer('a')])),
    );
    expect(shape(state.messages)).toEqual(['assistant:call a,call b', 'tool:result a,result b,image', 'user:text']);
  });

  it('delivers text-mode results that never reached the model, wherever the session was cut', () => {
    const cut = [said(say('assistant', [text('<tool_call …/>')])), started('t1c1'), ended('t1c1', 'found it')];
    const state = fold(...cut, said(say('user', [text('go on')])));
    expect(shape(state.messages)).toEqual(['assistant:text', 'user:text', 'user:text']);
    expect(state.messages[1]).toMatchObject({ origin: 'tool-results' });
    expect(JSON.stringify(state.messages[1])).toContain('found it');
    const delivered = fold(...cut, said(say('user', [text('results')], 'tool-results')), said(say('user', [text('go on')])));
    expect(shape(delivered.messages)).toEqual(['assistant:text', 'user:text', 'user:text']);
    expect(JSON.stringify(delivered.messages)).not.toContain('found it');
  });

  it('gives a valid history whatever lines are lost', () => {
    const lines = [
      runStart(),
      said(say('user', [text('task')])),
      said(say('assistant', [text('I look'), call('1'), call('2')])),
      started('t1c1'),
      started('t1c2'),
      ended('t1c2', 'two'),
      ended('t1c1', 'one'),
      said(say('tool', [answer('1'), answer('2')])),
      said(say('assistant', [call('1')])),
      started('t2c1'),
      ended('t2c1', 'three'),
      said(say('tool', [answer('1')])),
      said(say('assistant', [text('done')])),
      said(say('user', [text('more')])),
      said(say('assistant', [call('9')])),
    ].map((e) => JSON.stringify(e));
    fc.assert(
      fc.property(fc.subarray(lines), fc.nat(200), (kept, cut) => {
        const torn = kept.length > 0 ? [...kept.slice(0, -1), (kept.at(-1) ?? '').slice(0, cut)] : kept;
        for (const version of [kept, torn]) expect(faultsOf(foldSession([header, ...version]).messages)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('cuts long titles by whole characters and falls back to the task', () => {
    expect(fold(said(say('user', [text('🙂'.repeat(200))]))).title).toBe(`${'🙂'.repeat(79)}…`);
    expect(fold(runStart('/w', 'the task')).title).toBe('the task');
    expect(
      fold(said(say('user', [text('a correction')], 'correction')), said(say('user', [text('<environment/>'), text('mine')])))
        .title,
    ).toBe('mine');
  });
});
