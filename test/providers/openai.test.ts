/** OPENAI: which of its two APIs is used, at which address, with which options. */
import { afterEach, describe, expect, it } from 'vitest';
import { openai } from '../../src/providers/openai.js';
import type { Effort } from '../../src/types/provider.js';
import { ask, assistant, request, results, user } from '../helpers/wire/converse.js';
import { TEST_KEY } from '../helpers/wire/env.js';
import { asList, type Script, type WireFormat } from '../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';

const servers: WireServer[] = [];
const start = async (format: WireFormat, script: Script) => {
  const server = await startWireServer({ format, script });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const create = (env: Record<string, string>, config = {}) => openai.create({ env: { OPENAI_API_KEY: TEST_KEY, ...env }, config });

describe('which API', () => {
  const both = async () => {
    const chat = await start('chat', () => ({ text: 'chat' }));
    const responses = await start('responses', () => ({ text: 'responses' }));
    return {
      OPENAI_API_URL: `${chat.url}/any/path?x=1`,
      OPENAI_RESPONSES_API_URL: `${responses.url}/other/path`,
      chat,
      responses,
    };
  };

  it('chat unless told otherwise; both addresses are used as they stand', async () => {
    const { chat, responses, ...env } = await both();
    expect((await ask(create(env), request([user('x')], { model: 'gpt-5' }))).text).toBe('chat');
    expect((await ask(create({ ...env, OPENAI_USE_RESPONSES: 'true' }), request([user('x')]))).text).toBe('responses');
    expect([chat.requests[0]?.path, responses.requests[0]?.path]).toEqual(['/any/path?x=1', '/other/path']);
  });

  it('responses for models the catalogue, or the user, marks', async () => {
    const { chat: _chat, responses: _responses, ...env } = await both();
    expect((await ask(create(env), request([user('x')], { model: 'gpt-5-codex' }))).text).toBe('responses');
    expect(
      (await ask(create(env, { models: { mine: { responses: true } } }), request([user('x')], { model: 'mine' }))).text,
    ).toBe('responses');
  });

  it("a chat server of one's own is never left for OpenAI", async () => {
    const chat = await start('chat', () => ({ text: 'chat' }));
    const provider = create({ OPENAI_API_URL: `${chat.url}/v1/chat/completions` });
    expect((await ask(provider, request([user('x')], { model: 'gpt-5-codex' }))).text).toBe('chat');
  });

  it('with responses switched on, the sibling of that server', async () => {
    const server = await start('responses', () => ({ text: 'responses' }));
    await ask(create({ OPENAI_API_URL: `${server.url}/v1/chat/completions`, OPENAI_USE_RESPONSES: '1' }), request([user('x')]));
    expect(server.requests[0]?.path).toBe('/v1/responses');
  });

  it('a base address is completed', async () => {
    for (const tail of ['', '/', '/v1', '/v1/']) {
      const server = await start('chat', () => ({ text: 'ok' }));
      await ask(create({ OPENAI_API_URL: `${server.url}${tail}` }), request([user('x')]));
      expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    }
  });

  it('when the service sends a model away, the other API, from then on', async () => {
    const message = 'This is not a chat model; it is only supported in v1/responses and not in v1/chat/completions.';
    const chat = await start('chat', () => ({ status: 404, message }));
    const responses = await start('responses', () => ({ text: 'here' }));
    const provider = create({
      OPENAI_API_URL: `${chat.url}/v1/chat/completions`,
      OPENAI_RESPONSES_API_URL: `${responses.url}/v1/responses`,
    });
    expect((await ask(provider, request([user('x')]))).text).toBe('here');
    expect((await ask(provider, request([user('x')]))).text).toBe('here');
    expect([chat.requests.length, responses.requests.length]).toEqual([1, 2]);
  });
});

describe('options', () => {
  const bodyOf = async (format: 'chat' | 'responses', more: Parameters<typeof request>[1]) => {
    const server = await start(format, () => ({ text: 'ok' }));
    const env: Record<string, string> = { OPENAI_API_URL: `${server.url}/v1/chat/completions` };
    if (format === 'responses')
      Object.assign(env, { OPENAI_USE_RESPONSES: 'true', OPENAI_RESPONSES_API_URL: `${server.url}/v1/responses` });
    await ask(create(env), request([user('x')], more));
    return server.requests[0]?.body ?? {};
  };

  it('the limit of the reply has the name thinking models accept', async () => {
    const body = await bodyOf('chat', { maxOutputTokens: 500 });
    expect(body).toMatchObject({ max_completion_tokens: 500, stream_options: { include_usage: true } });
    expect(body).not.toHaveProperty('max_tokens');
    expect(await bodyOf('responses', { maxOutputTokens: 500 })).toMatchObject({ max_output_tokens: 500 });
  });

  it.each([
    ['gpt-5', 'low', 'low'],
    ['gpt-5', 'max', 'high'],
    ['gpt-5.4', 'max', 'xhigh'],
    ['gpt-6-sol', 'max', 'max'],
    ['o3', 'high', 'high'],
    ['gpt-4.1', 'high', undefined],
    ['my-own-model', 'high', undefined],
  ] as const)('%s with effort %s: %s', async (model, effort, expected) => {
    expect((await bodyOf('chat', { model, effort: effort as Effort }))['reasoning_effort']).toBe(expected);
  });

  it('nothing is stored at the service, and its reasoning comes back sealed', async () => {
    const body = await bodyOf('responses', { model: 'gpt-5' });
    expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  });

  it('a schema for the answer', async () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    expect(await bodyOf('chat', { responseSchema: schema })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema, strict: false } },
    });
    expect(await bodyOf('responses', { responseSchema: schema })).toMatchObject({
      text: { format: { type: 'json_schema', schema, strict: false } },
    });
  });

  it('sealed reasoning and its calls go back in order', async () => {
    const server = await start('responses', [
      { reasoning: 'thinking', signature: 'SEALED', calls: [{ name: 'read', input: { file: 'a' } }] },
      { text: 'ok' },
    ]);
    const provider = create({ OPENAI_USE_RESPONSES: 'true', OPENAI_RESPONSES_API_URL: `${server.url}/v1/responses` });
    const first = await ask(provider, request([user('x')], { model: 'gpt-5' }));
    const history = [user('x'), assistant(...first.parts), results({ id: first.calls[0]?.id ?? '', name: 'read', text: 'AAA' })];
    await ask(provider, request(history, { model: 'gpt-5' }));
    expect(asList(server.requests[1]?.body['input']).slice(2)).toMatchObject([
      { type: 'reasoning', encrypted_content: 'SEALED', summary: [{ text: 'thinking' }] },
      { type: 'function_call', name: 'read', arguments: '{"file":"a"}' },
      { type: 'function_call_output', output: 'AAA' },
    ]);
  });
});
