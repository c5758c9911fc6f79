/** Error texts of real services and the kind each is. */
import { describe, expect, it } from 'vitest';
import { type FaultContext, faultOf } from '../../../src/providers/shared/fault.js';
import { retryAfterMs } from '../../../src/providers/shared/retry-after.js';

const CONTEXT: FaultContext = {
  service: 'TEST',
  secrets: ['my-secret-key-1234'],
  functionsOffered: true,
  keyVariables: ['TEST_API_KEY'],
  now: 0,
};
/** An HTTP error as the SDK reports it. */
const http = (statusCode: number, body: unknown, responseHeaders: Record<string, string> = {}) =>
  Object.assign(new Error('status text'), {
    name: 'AI_APICallError',
    statusCode,
    responseHeaders,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
  });
const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe('kinds', () => {
  it.each([
    [
      429,
      said(
        'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.',
      ),
      'rate-limit',
      true,
    ],
    [429, said('Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 48000.'), 'overflow', false],
    [
      429,
      said('You exceeded your current quota, please check your plan and billing details.', { code: 'insufficient_quota' }),
      'rate-limit',
      false,
    ],
    [
      429,
      { error: { code: 429, message: 'Resource has been exhausted (e.g. check quota).', status: 'RESOURCE_EXHAUSTED' } },
      'rate-limit',
      true,
    ],
    [400, said('Your credit balance is too low to access the API.', { type: 'invalid_request_error' }), 'bad-request', false],
    [402, said('Insufficient credits'), 'bad-request', false],
    [529, said('Overloaded', { type: 'overloaded_error' }), 'server', true],
    [500, '', 'server', true],
    [504, 'upstream timed out', 'server', true],
    [408, '', 'server', true],
    [400, said("This model's maximum context length is 8192 tokens", { code: 'context_length_exceeded' }), 'overflow', false],
    [400, said('input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000'), 'overflow', false],
    [400, said('max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens'), 'bad-request', false],
    [400, said('max_tokens is too large: 40000. This model supports at most 16384 completion tokens'), 'bad-request', false],
    [
      500,
      said('the request exceeds the available context size. try increasing the context size or enable context shift', {
        type: 'exceed_context_size_error',
      }),
      'overflow',
      false,
    ],
    [413, '<html><title>413 Request Entity Too Large</title></html>', 'overflow', false],
    [
      400,
      said('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'tools-unsupported',
      false,
    ],
    [400, said('registry.ollama.ai/library/gemma:2b does not support tools'), 'tools-unsupported', false],
    [404, said('No endpoints found that support tool use. Try disabling "read".'), 'tools-unsupported', false],
    [
      400,
      { error: { code: 400, message: 'Function calling is not enabled for models/gemma-3-27b-it', status: 'INVALID_ARGUMENT' } },
      'tools-unsupported',
      false,
    ],
    [
      400,
      said("Unsupported parameter: 'tools' is not supported with this model.", { param: 'tools' }),
      'tools-unsupported',
      false,
    ],
    [
      422,
      { detail: [{ msg: 'Extra inputs are not permitted', type: 'extra_forbidden', loc: ['body', 'tools'] }] },
      'tools-unsupported',
      false,
    ],
    [
      422,
      { detail: [{ msg: 'Extra inputs are not permitted', loc: ['body', 'tools', 0, 'function', 'strict'] }] },
      'bad-request',
      false,
    ],
    [400, said("Invalid schema for function 'read': 'x' is not supported"), 'bad-request', false],
    [
      400,
      said("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."),
      'bad-request',
      false,
    ],
    [400, said("Unsupported value: 'temperature' does not support 0.2 with this model."), 'bad-request', false],
    [401, said('Invalid bearer token'), 'auth', false],
    [403, said('Your request was blocked'), 'auth', false],
    [404, said('The model `gpt-99` does not exist'), 'bad-request', false],
  ] as const)('%i %j', (status, body, kind, retryable) => {
    expect(faultOf(http(status, body), CONTEXT)).toMatchObject({ kind, retryable, status });
  });

  it('functions are only refused when some were offered', () => {
    const error = http(400, said('registry/x does not support tools'));
    expect(faultOf(error, { ...CONTEXT, functionsOffered: false }).kind).toBe('bad-request');
  });

  it.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'server', true],
    [{ type: 'rate_limit_error', message: 'Slow down' }, 'rate-limit', true],
    [{ type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens > 200000 maximum' }, 'overflow', false],
    [{ type: 'authentication_error', message: 'no' }, 'auth', false],
    [{ code: 502, message: 'Provider returned error' }, 'server', true],
    [{ code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }, 'overflow', false],
    [{ message: 'something odd' }, 'server', true],
    [{ response: { error: { code: 'server_error', message: 'failed' } } }, 'server', true],
  ] as const)('an error event %j', (event, kind, retryable) => {
    expect(faultOf(event, CONTEXT)).toMatchObject({ kind, retryable });
  });

  it.each([
    ['ECONNREFUSED', 'network', true],
    ['ECONNRESET', 'network', true],
    ['ENOTFOUND', 'network', true],
    ['EAI_AGAIN', 'network', true],
    ['UND_ERR_SOCKET', 'network', true],
    ['UND_ERR_HEADERS_TIMEOUT', 'idle', true],
    ['CERT_HAS_EXPIRED', 'network', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'network', false],
    ['ERR_INVALID_URL', 'bad-request', false],
  ] as const)('the network error %s', (code, kind, retryable) => {
    const cause = Object.assign(new Error('deep'), { code });
    expect(faultOf(new TypeError('fetch failed', { cause }), CONTEXT)).toMatchObject({ kind, retryable });
    expect(faultOf(new TypeError('fetch failed', { cause: new AggregateError([cause]) }), CONTEXT)).toMatchObject({
      kind,
      retryable,
    });
  });

  it.each([undefined, null, 'text', 7, {}, [], new Error(''), Object.create(null)])('survives %s as an error', (thrown) => {
    expect(faultOf(thrown, CONTEXT).message).toMatch(/^TEST/);
  });

  it('a port fetch never uses is a matter of configuration', () => {
    expect(faultOf(new TypeError('fetch failed', { cause: new Error('bad port') }), CONTEXT)).toMatchObject({
      kind: 'bad-request',
      retryable: false,
    });
  });

  it('survives an error that causes itself', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(faultOf(error, CONTEXT).message).toContain('loop');
  });
});

describe('messages', () => {
  it('hold no key, whatever its shape, no terminal codes, and have an end', () => {
    const text = `key my-secret-key-1234 sk-proj-abcdefghijklmnop AIza${'x'.repeat(35)} http://user:pass@host/ \u001b[31mred\u0007 ${'long '.repeat(500)}`;
    const { message } = faultOf(http(400, said(text)), CONTEXT);
    for (const secret of ['my-secret-key-1234', 'abcdefghijklmnop', 'AIza', 'user:pass', '\u001b', '\u0007'])
      expect(message).not.toContain(secret);
    expect(message.length).toBeLessThan(700);
  });

  it("use the upstream's words where a router hides them", () => {
    const body = {
      error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(said('prompt is too long')) } },
    };
    expect(faultOf(http(400, body), CONTEXT)).toMatchObject({ kind: 'overflow' });
  });

  it('name the title of an error page, not its markup', () => {
    const { message } = faultOf(http(502, '<!doctype html><html><head><title>Bad gateway</title></head><body>…'), CONTEXT);
    expect(message).toContain('Bad gateway');
    expect(message).not.toContain('<');
  });
});

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '3' }, '', 3_000],
    [{ 'Retry-After': '1.5' }, '', 1_500],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, '', 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }, '', 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 1969 00:00:00 GMT' }, '', 0],
    [{ 'retry-after': 'soon' }, '', undefined],
    [{ 'retry-after': '-5' }, '', undefined],
    [
      {},
      JSON.stringify({ error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17.5s' }] } }),
      17_500,
    ],
    [{}, '{"RetryInfo": broken', undefined],
    [{}, '', undefined],
  ] as const)('%j %s', (headers, body, expected) => {
    expect(retryAfterMs(headers, body, 0)).toBe(expected);
  });
});
