/** GOOGLEAI: addresses, thinking and signatures on the wire. */
import { afterEach, describe, expect, it } from 'vitest';
import { googleai } from '../../src/providers/googleai.js';
import type { Effort } from '../../src/types/provider.js';
import { ask, assistant, request, results, user } from '../helpers/wire/converse.js';
import { TEST_KEY } from '../helpers/wire/env.js';
import { asList, asObject, type Script } from '../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';

const servers: WireServer[] = [];
const start = async (script: Script = () => ({ text: 'ok' })) => {
  const server = await startWireServer({ format: 'google', script });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const create = (server: WireServer, tail = '') =>
  googleai.create({ env: { GOOGLEAI_API_KEY: TEST_KEY, GOOGLEAI_BASE_URL: `${server.url}${tail}` }, config: {} });

describe('googleai', () => {
  it.each([
    ['', '/v1beta'],
    ['/v1beta', '/v1beta'],
    ['/v1/', '/v1'],
    ['/proxy/v1alpha', '/proxy/v1alpha'],
  ])('an address that ends in "%s"', async (tail, path) => {
    const server = await start();
    await ask(create(server, tail), request([user('x')], { model: 'models/gemini-x' }));
    expect(server.requests[0]).toMatchObject({
      path: `${path}/models/gemini-x:streamGenerateContent?alt=sse`,
      headers: { 'x-goog-api-key': TEST_KEY },
    });
    expect(server.requests[0]?.path).not.toContain(TEST_KEY);
  });

  it.each([
    ['gemini-2.5-flash', undefined, { includeThoughts: true }],
    ['gemini-2.5-pro', 'medium', { includeThoughts: true, thinkingBudget: 8_192 }],
    ['gemini-3-pro-preview', 'max', { includeThoughts: true, thinkingLevel: 'high' }],
    ['gemini-3-pro-preview', 'low', { includeThoughts: true, thinkingLevel: 'low' }],
    ['gemini-2.0-flash', 'high', undefined],
    ['gemma-3-27b-it', 'high', undefined],
  ] as const)('%s with effort %s', async (model, effort, expected) => {
    const server = await start();
    await ask(create(server), request([user('x')], { model, effort: effort as Effort | undefined }));
    expect(asObject(server.requests[0]?.body['generationConfig'])['thinkingConfig']).toEqual(expected);
  });

  it('the signature of a call goes back on that call', async () => {
    const script: Script = [
      {
        calls: [
          { name: 'read', input: { file: 'a' }, signature: 'SIG' },
          { name: 'read', input: { file: 'b' } },
        ],
      },
      { text: 'ok' },
    ];
    const server = await start(script);
    const provider = create(server);
    const first = await ask(provider, request([user('x')], { model: 'gemini-3-pro-preview' }));
    const answers = first.calls.map(({ id, name }) => ({ id, name, text: 'A' }));
    await ask(provider, request([user('x'), assistant(...first.parts), results(...answers)], { model: 'gemini-3-pro-preview' }));
    const parts = asList(asList(server.requests[1]?.body['contents'])[1]?.['parts']);
    expect(parts.map((part) => part['thoughtSignature'])).toEqual(['SIG', undefined]);
  });

  it('a malformed call told by the service is a broken answer, asked for again', async () => {
    const data = JSON.stringify({ candidates: [{ content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] });
    const server = await start([{ status: 200, headers: { 'content-type': 'text/event-stream' }, body: `data: ${data}\n\n` }]);
    const { fault } = await ask(create(server), request([user('x')]));
    expect(fault).toMatchObject({ kind: 'protocol', retryable: true });
    expect(fault?.message).toContain('MALFORMED_FUNCTION_CALL');
  });

  it('reads the wait a quota fault asks for', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }];
    const server = await start([
      { status: 429, body: { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details } } },
    ]);
    expect((await ask(create(server), request([user('x')]))).fault).toMatchObject({ kind: 'rate-limit', retryAfterMs: 12_000 });
  });
});
