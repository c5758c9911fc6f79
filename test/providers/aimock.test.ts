/** The same providers against a server somebody else wrote: the wire formats are not only what our own helper thinks they are. */
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../src/providers/registry.js';
import { ask, assistant, request, results, user } from '../helpers/wire/converse.js';
import { envFor } from '../helpers/wire/env.js';
import type { WireFormat } from '../helpers/wire/script.js';

const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
beforeAll(async () => {
  mock.on({ userMessage: 'read it', hasToolResult: false }, { toolCalls: [{ name: 'read', arguments: '{"file":"a.txt"}' }] });
  mock.on({ userMessage: 'read it', hasToolResult: true }, { content: 'It says hello.' });
  mock.onMessage('say hi', { content: 'Hi — wörld 🎉' });
  await mock.start();
});
afterAll(() => mock.stop());

describe.each<WireFormat>(['chat', 'responses', 'anthropic', 'google'])('%s', (format) => {
  const create = () => {
    const env = envFor({ format, url: mock.url });
    const entry = PROVIDERS.find(({ name }) => name === env['LLM_PROVIDER']);
    if (!entry) throw new Error(format);
    return entry.create({ env, config: {} });
  };

  it('streams text', async () => {
    expect(await ask(create(), request([user('say hi')]))).toMatchObject({
      text: 'Hi — wörld 🎉',
      reason: 'stop',
      fault: undefined,
    });
  });

  it('calls a function and goes on from its result', async () => {
    const provider = create();
    const first = await ask(provider, request([user('read it')]));
    expect(first.fault).toBeUndefined();
    expect(first.calls.map(({ name, input }) => [name, JSON.parse(input)])).toEqual([['read', { file: 'a.txt' }]]);
    const history = [
      user('read it'),
      assistant(...first.parts),
      results({ id: first.calls[0]?.id ?? '', name: 'read', text: 'hello' }),
    ];
    expect(await ask(provider, request(history))).toMatchObject({ text: 'It says hello.', calls: [] });
  });
});
