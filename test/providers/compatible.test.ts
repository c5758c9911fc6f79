/** Compatible servers: what goes back to whom, and the counts each reports in its own way. */
import { afterEach, describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../src/providers/registry.js';
import { ask, assistant, request, results, user } from '../helpers/wire/converse.js';
import { asList, type Script } from '../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';

const servers: WireServer[] = [];
const start = async (script: Script = () => ({ text: 'ok' })) => {
  const server = await startWireServer({ format: 'chat', script });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const create = (name: string, env: Record<string, string>) => {
  const entry = PROVIDERS.find((one) => one.name === name);
  if (!entry) throw new Error(name);
  return entry.create({ env, config: {} });
};

describe('compatible services', () => {
  it.each([
    ['MOONSHOT', true],
    ['LMSTUDIO', true],
    ['XAI', false],
    ['OPENAI', false],
  ])('%s gets its earlier reasoning back: %s', async (name, expected) => {
    const server = await start([{ reasoning: 'hm', calls: [{ name: 'read', input: {} }] }, { text: 'ok' }]);
    const variable = name === 'OPENAI' ? 'OPENAI_API_URL' : name === 'LMSTUDIO' ? 'LMSTUDIO_BASE_URL' : `${name}_API_URL`;
    const provider = create(name, { [variable]: `${server.url}/v1/chat/completions`, [`${name}_API_KEY`]: 'key-123456' });
    const first = await ask(provider, request([user('x')]));
    expect(first.reasoning).toBe('hm');
    await ask(
      provider,
      request([user('x'), assistant(...first.parts), results({ id: first.calls[0]?.id ?? '', name: 'read', text: 'A' })]),
    );
    expect(asList(server.requests[1]?.body['messages'])[2]?.['reasoning_content']).toBe(expected ? 'hm' : undefined);
  });

  it("a server of one's own needs no key and gets none", async () => {
    const server = await start();
    expect(await ask(create('OLLAMA', { OLLAMA_BASE_URL: server.url }), request([user('x')]))).toMatchObject({ text: 'ok' });
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
  });

  it.each([
    [
      { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 2 } },
      { input: 10, output: 4, cacheRead: 6, cacheWrite: 2, reasoning: 0 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 4, prompt_cache_hit_tokens: 5, prompt_cache_miss_tokens: 5 },
      { input: 10, output: 4, cacheRead: 5, cacheWrite: 0, reasoning: 0 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 4, cached_tokens: 3, completion_tokens_details: { reasoning_tokens: 2 } },
      { input: 10, output: 4, cacheRead: 3, cacheWrite: 0, reasoning: 2 },
    ],
    [
      { prompt_tokens: null, completion_tokens: 4 },
      { input: 0, output: 4, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    ],
    [null, undefined],
  ])('usage %j', async (usage, expected) => {
    const events = [{ choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] }, { choices: [], usage }];
    const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
    const server = await start([{ status: 200, headers: { 'content-type': 'text/event-stream' }, body }]);
    const reply = await ask(create('COMPATIBLE', { COMPATIBLE_BASE_URL: server.url }), request([user('x')]));
    expect(reply).toMatchObject({ text: 'ok', reason: 'stop' });
    expect(reply.usage).toEqual(expected);
  });

  it('the signature of a Gemini model behind a compatible address goes back on its call', async () => {
    const call = {
      index: 0,
      id: 'c',
      function: { name: 'read', arguments: '{}' },
      extra_content: { google: { thought_signature: 'SIG' } },
    };
    const body = [
      JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }),
      '[DONE]',
    ]
      .map((data) => `data: ${data}\n\n`)
      .join('');
    const server = await start([{ status: 200, headers: { 'content-type': 'text/event-stream' }, body }, { text: 'ok' }]);
    const provider = create('OPENROUTER', { OPENROUTER_API_URL: server.url, OPENROUTER_API_KEY: 'key-123456' });
    const first = await ask(provider, request([user('x')]));
    await ask(provider, request([user('x'), assistant(...first.parts), results({ id: 'c', name: 'read', text: 'A' })]));
    expect(JSON.stringify(server.requests[1]?.body)).toContain('"thought_signature":"SIG"');
  });
});
