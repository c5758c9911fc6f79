/** CLAUDEAI: addresses, tokens, thinking, cache marks and the limit of the reply on the wire. */
import { afterEach, describe, expect, it } from 'vitest';
import { claudeai } from '../../src/providers/claudeai.js';
import type { Effort } from '../../src/types/provider.js';
import { ask, assistant, request, results, user } from '../helpers/wire/converse.js';
import { TEST_KEY } from '../helpers/wire/env.js';
import { asList, type Script } from '../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';

const servers: WireServer[] = [];
const start = async (script: Script = () => ({ text: 'ok' })) => {
  const server = await startWireServer({ format: 'anthropic', script });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const create = (server: WireServer, env: Record<string, string> = { ANTHROPIC_API_KEY: TEST_KEY }, tail = '') =>
  claudeai.create({ env: { ANTHROPIC_BASE_URL: `${server.url}${tail}`, ...env }, config: {} });

describe('claudeai', () => {
  it.each(['', '/', '/v1', '/v1/', '/v1/messages'])('an address that ends in "%s"', async (tail) => {
    const server = await start();
    await ask(create(server, undefined, tail), request([user('x')]));
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': TEST_KEY, 'anthropic-version': '2023-06-01' },
    });
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
  });

  it('a token is sent as a token', async () => {
    const server = await start();
    await ask(create(server, { ANTHROPIC_OAUTH_TOKEN: 'oauth-token-123' }), request([user('x')]));
    const headers = server.requests[0]?.headers;
    expect(headers).toMatchObject({ authorization: 'Bearer oauth-token-123', 'anthropic-beta': 'oauth-2025-04-20' });
    expect(headers?.['x-api-key']).toBeUndefined();
  });

  it('marks the system prompt and the ends of this and the last request, at most four in all', async () => {
    const server = await start((_request, index) =>
      index < 3 ? { calls: [{ name: 'read', input: { file: `${index}` } }] } : { text: 'done' },
    );
    const provider = create(server);
    const history = [user('x')];
    for (let turn = 0; turn < 4; turn++) {
      const reply = await ask(provider, request(history));
      history.push(assistant(...reply.parts));
      if (reply.calls[0]) history.push(results({ id: reply.calls[0].id, name: 'read', text: 'A' }));
    }
    for (const sent of server.requests) {
      const blocks = asList(sent.body['messages']).flatMap((message) => asList(message['content']));
      const marked = blocks.flatMap((block, index) => (block['cache_control'] ? [index] : []));
      expect(asList(sent.body['system']).at(-1)).toMatchObject({ cache_control: { type: 'ephemeral' } });
      expect(marked).toEqual(blocks.length > 1 ? [blocks.length - 3, blocks.length - 1] : [0]);
      expect(JSON.stringify(sent.body['tools'])).not.toMatch(/cache_control|eager_input_streaming/);
    }
  });

  it('counts cached tokens as input', async () => {
    const server = await start([{ text: 'ok', usage: { input: 1000, output: 7, cacheRead: 800, cacheWrite: 150 } }]);
    const { usage } = await ask(create(server), request([user('x')]));
    expect(usage).toEqual({ input: 1000, output: 7, cacheRead: 800, cacheWrite: 150, reasoning: 0 });
  });

  it.each([
    ['claude-sonnet-4-6', 'high', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['claude-opus-5', 'max', { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }],
    ['claude-sonnet-4-5', 'medium', { thinking: { type: 'enabled', budget_tokens: 10_000 } }],
    ['claude-haiku-4-5-20251001', 'low', { thinking: { type: 'enabled', budget_tokens: 4_000 } }],
    ['claude-3-haiku-20240307', 'high', {}],
    ['somebody-elses-model', 'high', {}],
  ] as const)('%s with effort %s', async (model, effort, expected) => {
    const server = await start();
    await ask(create(server), request([user('x')], { model, effort: effort as Effort }));
    const { thinking, output_config } = server.requests[0]?.body ?? {};
    expect(JSON.parse(JSON.stringify({ thinking, output_config }))).toEqual(expected);
  });

  it.each([
    ['claude-sonnet-4-6', undefined, 32_000],
    ['claude-3-haiku-20240307', undefined, 4_096],
    ['somebody-elses-model', undefined, 32_000],
    ['claude-sonnet-4-6', 900, 900],
  ])('%s asked for %s: a reply of at most %i tokens', async (model, maxOutputTokens, expected) => {
    const server = await start();
    await ask(create(server), request([user('x')], { model, maxOutputTokens }));
    expect(server.requests[0]?.body['max_tokens']).toBe(expected);
  });

  it('signed and sealed thinking goes back unchanged, before the calls it led to', async () => {
    const server = await start([
      { reasoning: 'first é', signature: 'SIG', text: 'so', calls: [{ name: 'read', input: {} }] },
      { text: 'ok' },
    ]);
    const provider = create(server);
    const first = await ask(provider, request([user('x')]));
    await ask(
      provider,
      request([
        user('x'),
        assistant(...first.parts),
        results({ id: first.calls[0]?.id ?? '', name: 'read', text: 'A', isError: true }),
      ]),
    );
    const messages = asList(server.requests[1]?.body['messages']);
    expect(messages[1]).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'first é', signature: 'SIG' },
        { type: 'text', text: 'so' },
        { type: 'tool_use', name: 'read', input: {} },
      ],
    });
    expect(messages[2]).toMatchObject({ role: 'user', content: [{ type: 'tool_result', content: 'A', is_error: true }] });
  });

  it('a schema for the answer', async () => {
    const server = await start();
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false };
    await ask(create(server), request([user('x')], { model: 'claude-sonnet-4-6', responseSchema: schema }));
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"json_schema"');
    expect(asList(server.requests[0]?.body['tools']).map((tool) => tool['name'])).toEqual(['read', 'write']);
  });
});
