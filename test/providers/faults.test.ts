/** What goes wrong on the wire, over real HTTP, and the fault it becomes. */
import { afterEach, describe, expect, it } from 'vitest';
import { ask, request, user } from '../helpers/wire/converse.js';
import { TEST_KEY } from '../helpers/wire/env.js';
import type { WireFormat } from '../helpers/wire/script.js';
import { answerBytes } from '../helpers/wire/server.js';
import { closeServers, serve } from './setup.js';

const FORMATS: readonly WireFormat[] = ['chat', 'responses', 'anthropic', 'google'];
const ANSWER = {
  text: 'A rather long text that is cut somewhere.',
  calls: [{ name: 'write', input: { file: 'a', content: 'x'.repeat(60) } }],
};
afterEach(closeServers);

describe.each(FORMATS)('%s', (format) => {
  it('429 with Retry-After in seconds', async () => {
    const { provider } = await serve(format, [{ status: 429, headers: { 'retry-after': '7' }, message: 'slow down' }]);
    const { reason, fault } = await ask(provider, request([user('x')]));
    expect({ reason, fault }).toMatchObject({
      reason: 'error',
      fault: { kind: 'rate-limit', status: 429, retryable: true, retryAfterMs: 7000 },
    });
    expect(fault?.message).toContain('slow down');
  });

  it('429 with Retry-After as a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { provider } = await serve(format, [{ status: 429, headers: { 'retry-after': date } }]);
    const { fault } = await ask(provider, request([user('x')]));
    expect(fault?.retryAfterMs).toBeGreaterThan(50_000);
    expect(fault?.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it.each([500, 502, 503, 529])('%i is a passing fault of the service', async (status) => {
    const { provider } = await serve(format, [{ status, body: '<html><title>Bad gateway</title></html>' }]);
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'server', status, retryable: true });
  });

  it.each([401, 403])('%i names the variable of the key and never shows the key', async (status) => {
    const { provider } = await serve(format, [{ status, message: `Incorrect API key provided: ${TEST_KEY}.` }]);
    const { fault } = await ask(provider, request([user('x')]));
    expect(fault).toMatchObject({ kind: 'auth', retryable: false });
    expect(fault?.message).toContain('_API_KEY');
    expect(fault?.message).not.toContain(TEST_KEY);
  });

  it('other refusals are final', async () => {
    const { provider } = await serve(format, [
      { status: 400, message: 'bad temperature' },
      { status: 404, message: 'no such model' },
    ]);
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({
      kind: 'bad-request',
      retryable: false,
      status: 400,
    });
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({
      kind: 'bad-request',
      retryable: false,
      status: 404,
    });
  });

  it('a request that is too large', async () => {
    const { provider } = await serve(format, [
      { status: 413, body: 'Payload too large' },
      {
        status: 400,
        message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
      },
      { status: 400, message: 'prompt is too long: 208310 tokens > 200000 maximum' },
      { status: 400, message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
    ]);
    for (let n = 0; n < 4; n++)
      expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'overflow', retryable: false });
  });

  it('functions the model does not take, only when some were offered', async () => {
    const refusal = { status: 400, message: 'registry/gemma:2b does not support tools' };
    const { provider } = await serve(format, [refusal, refusal]);
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'tools-unsupported', retryable: false });
    expect((await ask(provider, request([user('x')], { functions: [] }))).fault).toMatchObject({ kind: 'bad-request' });
  });

  it('a connection torn down before and inside the reply', async () => {
    const { provider } = await serve(format, [{ reset: true }, { ...ANSWER, reset: true, afterBytes: 200 }]);
    for (let n = 0; n < 2; n++)
      expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'network', retryable: true });
  });

  it('a reply cut anywhere before its end mark', async () => {
    const size = answerBytes(format, ANSWER).length;
    const last = { chat: 30, responses: 60, anthropic: 60, google: 60 }[format];
    const places = Array.from({ length: 12 }, (_, n) => Math.floor(((size - last) * (n + 0.5)) / 12));
    const { provider } = await serve(
      format,
      places.map((cutAfterBytes) => ({ ...ANSWER, finish: 'none', cutAfterBytes })),
    );
    for (const place of places) {
      const reply = await ask(provider, request([user('x')]));
      expect(reply.fault, `cut at ${place} of ${size}`).toMatchObject({ kind: 'network', retryable: true });
    }
  });

  it('an event that is no JSON', async () => {
    const { provider } = await serve(format, [{ ...ANSWER, malformed: true }]);
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'protocol', retryable: true });
  });

  it('a page instead of a stream', async () => {
    const { provider } = await serve(format, [
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' },
    ]);
    const { fault } = await ask(provider, request([user('x')]));
    expect(fault).toMatchObject({ kind: 'protocol', retryable: false });
    expect(fault?.message).toContain('text/html');
  });

  it('a redirect is not followed', async () => {
    const { provider, server } = await serve(format, [{ status: 307, headers: { location: 'http://evil.invalid/' } }]);
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'bad-request', retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it('an error told inside the stream', async () => {
    const streamError = { type: format === 'responses' ? 'server_error' : 'overloaded_error', message: 'Overloaded' };
    const { provider } = await serve(format, [{ ...ANSWER, streamError }]);
    const { fault } = await ask(provider, request([user('x')]));
    expect(fault).toMatchObject({ kind: 'server', retryable: true });
    expect(fault?.message).toContain('Overloaded');
  });

  it('silence before the reply and inside it', async () => {
    const { provider, server } = await serve(format, [{ hang: true }, { ...ANSWER, hang: true, afterBytes: 150 }], {
      config: { idleMs: 150 },
    });
    for (let n = 0; n < 2; n++)
      expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ kind: 'idle', retryable: true });
    expect(await Promise.all(server.requests.map((one) => one.gone))).toEqual([true, true]);
  });

  it('a slow stream is not silence', async () => {
    const { provider } = await serve(format, [{ text: 'slow but steady' }], { config: { idleMs: 2_000 }, chunkBytes: 8 });
    expect(await ask(provider, request([user('x')]))).toMatchObject({ text: 'slow but steady', reason: 'stop' });
  });

  it('a slow reader is not silence either', async () => {
    const { provider } = await serve(format, [{ text: 'abcdefgh'.repeat(6) }], { config: { idleMs: 120 } });
    let end: unknown;
    for await (const event of provider.stream(request([user('x')]), { signal: new AbortController().signal })) {
      if (event.type === 'text-delta') await new Promise((resolve) => setTimeout(resolve, 60));
      if (event.type === 'end') end = event;
    }
    expect(end).toEqual({ type: 'end', reason: 'stop' });
  });

  it('a stop before, while connecting, and inside the reply', async () => {
    const script = [{ hang: true }, { ...ANSWER, hang: true, afterBytes: answerBytes(format, ANSWER).length - 300 }];
    const { provider, server } = await serve(format, script);
    const before = await ask(provider, request([user('x')]), AbortSignal.abort());
    expect(before.events).toEqual([{ type: 'end', reason: 'aborted' }]);
    expect(server.requests).toHaveLength(0);
    expect((await ask(provider, request([user('x')]), AbortSignal.timeout(60))).reason).toBe('aborted');
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const event of provider.stream(request([user('x')]), { signal: stop.signal })) {
      seen.push(event.type);
      if (event.type === 'text-delta') stop.abort();
      if (event.type === 'end') expect(event.reason).toBe('aborted');
    }
    expect(seen.at(-1)).toBe('end');
    expect(await Promise.all(server.requests.map((one) => one.gone))).toEqual([true, true]);
  });

  it('a reader that leaves early cancels the request', async () => {
    const { provider, server } = await serve(format, [
      { ...ANSWER, hang: true, afterBytes: answerBytes(format, ANSWER).length - 300 },
    ]);
    for await (const event of provider.stream(request([user('x')]), { signal: new AbortController().signal }))
      if (event.type === 'text-delta') break;
    expect(await server.requests[0]?.gone).toBe(true);
  });
});

describe('addresses', () => {
  it('a refused connection and an unknown host are network faults', async () => {
    const { provider, server } = await serve('chat', []);
    await server.close();
    const refused = await ask(provider, request([user('x')]));
    expect(refused.fault).toMatchObject({ kind: 'network', retryable: true });
    expect(refused.fault?.message).toContain('ECONNREFUSED');
    const lost = await serve('chat', [], { env: { OPENAI_API_URL: 'http://no-such-host.invalid/v1/chat/completions' } });
    expect((await ask(lost.provider, request([user('x')]))).fault).toMatchObject({ kind: 'network' });
  });

  it('what stands in the query of an address is not told', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };
    const { server } = await serve('chat', [page, { status: 302, headers: { location: '/login?token=hidden' } }]);
    const { provider } = await serve('chat', [], { env: { OPENAI_API_URL: `${server.url}/v1/chat/completions?api-key=hidden` } });
    for (let n = 0; n < 2; n++) expect((await ask(provider, request([user('x')]))).fault?.message).not.toContain('hidden');
    expect(server.requests.map(({ path }) => path)).toEqual(Array(2).fill('/v1/chat/completions?api-key=hidden'));
  });

  it('an address that is none is a fault, not an exception', async () => {
    const { provider } = await serve('chat', [], { env: { OPENAI_API_URL: 'not an address' } });
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({ retryable: false });
  });
});
