/** What each wire format must carry, over real HTTP: the same scripted model, four services. */
import { afterEach, describe, expect, it } from 'vitest';
import { ask, assistant, request, results, user } from '../helpers/wire/converse.js';
import { toolResults, type WireFormat } from '../helpers/wire/script.js';
import { closeServers, serve } from './setup.js';

const FORMATS: readonly WireFormat[] = ['chat', 'responses', 'anthropic', 'google'];
afterEach(closeServers);

describe.each(FORMATS)('%s', (format) => {
  it('streams text and ends with the reason', async () => {
    const { provider, server } = await serve(format, [
      { text: 'Olá, wörld 🎉 — done.', usage: { input: 100, output: 12, cacheRead: 40 } },
    ]);
    const reply = await ask(provider, request([user('hi')]));
    expect(reply).toMatchObject({ text: 'Olá, wörld 🎉 — done.', reasoning: '', reason: 'stop', restarts: 0 });
    expect(reply.events.filter((event) => event.type === 'text-delta').length).toBeGreaterThan(2);
    expect(reply.usage).toMatchObject({ input: 100, output: 12, cacheRead: 40 });
    const [sent] = server.requests;
    expect(sent?.conversation).toMatchObject({
      system: 'You are a test.',
      functions: ['read', 'write'],
      turns: [{ role: 'user', text: 'hi' }],
    });
  });

  it('keeps reasoning apart from text', async () => {
    const { provider } = await serve(format, [{ reasoning: 'Let me think…', signature: 'SIG', text: 'Yes.' }]);
    expect(await ask(provider, request([user('hi')]))).toMatchObject({
      text: 'Yes.',
      reasoning: 'Let me think…',
      reason: 'stop',
    });
  });

  it('delivers one call with its arguments', async () => {
    const { provider } = await serve(format, [{ text: 'Reading.', calls: [{ name: 'read', input: { file: 'src/日本.ts' } }] }]);
    const reply = await ask(provider, request([user('go')]));
    expect(reply).toMatchObject({ text: 'Reading.', reason: 'calls' });
    expect(reply.calls.map((call) => [call.name, JSON.parse(call.input)])).toEqual([['read', { file: 'src/日本.ts' }]]);
  });

  it('delivers parallel calls in order with ids of their own', async () => {
    const calls = [1, 2, 3, 4].map((n) => ({ name: n % 2 ? 'read' : 'write', input: { file: `f${n}`, content: '}"\\\n' } }));
    const { provider } = await serve(format, [{ calls }]);
    const reply = await ask(provider, request([user('go')]));
    expect(reply.calls.map((call) => ({ name: call.name, input: JSON.parse(call.input) }))).toEqual(calls);
    expect(new Set(reply.calls.map((call) => call.id)).size).toBe(4);
  });

  it('delivers calls whatever the finish reason', async () => {
    const { provider } = await serve(format, [{ calls: [{ name: 'read', input: { file: 'a' } }], finish: 'stop' }]);
    const reply = await ask(provider, request([user('go')]));
    expect(reply.calls).toHaveLength(1);
    expect(['stop', 'calls']).toContain(reply.reason);
    expect(reply.fault).toBeUndefined();
  });

  it('tells a reply cut by the output limit from a finished one', async () => {
    const { provider } = await serve(format, [{ text: 'half a', finish: 'length' }]);
    expect(await ask(provider, request([user('go')]))).toMatchObject({ text: 'half a', reason: 'length' });
  });

  it('tells a filtered reply', async () => {
    const { provider } = await serve(format, [{ text: 'I', finish: 'filter' }]);
    expect(await ask(provider, request([user('go')]))).toMatchObject({ reason: 'filter' });
  });

  it('gives a call without arguments an empty object', async () => {
    const { provider } = await serve(format, [{ calls: [{ name: 'read', input: {} }] }]);
    const reply = await ask(provider, request([user('go')]));
    expect(reply.calls.map((call) => call.input)).toEqual(['{}']);
  });

  it('round-trips calls and results of earlier turns', async () => {
    const { provider, server } = await serve(format, [
      {
        reasoning: 'hm',
        signature: 'SIG',
        text: 'Two reads.',
        calls: [
          { name: 'read', input: { file: 'a' } },
          { name: 'read', input: { file: 'b' } },
        ],
      },
      { text: 'done' },
    ]);
    const first = await ask(provider, request([user('go')]));
    const [a, b] = first.calls;
    const history = [
      user('go'),
      assistant(...first.parts),
      results(
        { id: a?.id ?? '', name: 'read', text: 'AAA' },
        { id: b?.id ?? '', name: 'read', text: 'no such file', isError: true },
      ),
    ];
    expect(await ask(provider, request(history))).toMatchObject({ text: 'done' });
    const sent = server.requests[1];
    expect(sent && toolResults(sent).map(({ name, text }) => ({ name, text }))).toEqual([
      { name: 'read', text: 'AAA' },
      { name: 'read', text: 'no such file' },
    ]);
    const turn = sent?.conversation.turns.find(({ role }) => role === 'assistant');
    expect(turn?.text).toBe('Two reads.');
    expect(turn?.calls.map(({ input }) => input)).toEqual([{ file: 'a' }, { file: 'b' }]);
    expect(sent && toolResults(sent).map(({ id }) => id)).toEqual(turn?.calls.map(({ id }) => id));
  });

  it('sends the same bytes for what was sent before', async () => {
    const script = [{ text: 'A', calls: [{ name: 'read', input: { file: 'a' } }] }, { text: 'B' }, { text: 'C' }];
    const { provider, server } = await serve(format, script);
    const history = [user('eins — é')];
    for (let turn = 0; turn < 3; turn++) {
      const reply = await ask(provider, request(history));
      history.push(assistant(...reply.parts));
      history.push(reply.calls[0] ? results({ id: reply.calls[0].id, name: 'read', text: 'AAA' }) : user(`go on ${turn}`));
    }
    const sent = server.requests.map((one) => withoutMarks(one.raw.toString('utf8')));
    const lists = { chat: 'messages', responses: 'input', anthropic: 'messages', google: 'contents' } as const;
    for (const [n, before] of sent.slice(0, -1).entries()) {
      const after = sent[n + 1] ?? '';
      const end = endOfList(before, lists[format]);
      expect(after.slice(0, end)).toBe(before.slice(0, end));
      const rest = JSON.parse(before);
      const restAfter = JSON.parse(after);
      for (const key of Object.keys(rest))
        if (key !== lists[format]) expect(JSON.stringify(restAfter[key])).toBe(JSON.stringify(rest[key]));
    }
  });
});

/** Anthropic's marks say what to store, not what is said. */
function withoutMarks(body: string): string {
  return body.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
}

/** Where the last entry of a list in the JSON text ends. */
function endOfList(body: string, key: string): number {
  const list = JSON.stringify(JSON.parse(body)[key]);
  const at = body.indexOf(list);
  expect(at).toBeGreaterThan(0);
  return at + list.length - 1;
}
