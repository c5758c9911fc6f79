/** Asking again: how soon, how often, and that nothing of a failed attempt counts. Time is injected. */
import { afterEach, describe, expect, it } from 'vitest';
import { createReplayProvider } from '../../src/providers/replay.js';
import { type RetryOptions, retryingProvider } from '../../src/providers/retry.js';
import type { Provider, ProviderEvent, ProviderFault } from '../../src/types/provider.js';
import { ask, request, user } from '../helpers/wire/converse.js';
import type { WireFormat } from '../helpers/wire/script.js';
import { closeServers, serve } from './setup.js';

const FORMATS: readonly WireFormat[] = ['chat', 'responses', 'anthropic', 'google'];
afterEach(closeServers);

const fault = (more: Partial<ProviderFault> = {}): ProviderFault => ({
  kind: 'server',
  message: 'down',
  retryable: true,
  ...more,
});
const failing = (more?: Partial<ProviderFault>): ProviderEvent[] => [
  { type: 'text-delta', text: 'half' },
  { type: 'end', reason: 'error', fault: fault(more) },
];
const good: ProviderEvent[] = [
  { type: 'text-delta', text: 'whole' },
  { type: 'end', reason: 'stop' },
];

/** The provider with waits noted instead of waited. */
function withRetries(inner: Provider, options: Partial<RetryOptions> = {}): { provider: Provider; waits: number[] } {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  return { waits, provider: retryingProvider(inner, { maxRetries: 5, sleep, random: () => 0.5, ...options }) };
}

describe('waits', () => {
  it.each([
    [0, [200, 400, 800, 1600, 3200]],
    [0.999999, [500, 1000, 2000, 4000, 8000]],
  ])('jitter %d: first within half a second, then doubling', async (random, expected) => {
    const { provider, waits } = withRetries(createReplayProvider(Array.from({ length: 6 }, () => failing())), {
      random: () => random,
    });
    const reply = await ask(provider, request([user('x')]));
    expect(waits).toEqual(expected);
    expect(reply).toMatchObject({ reason: 'error', restarts: 5, text: 'half' });
  });

  it('never longer than 30 seconds, whatever the first', async () => {
    const { provider, waits } = withRetries(createReplayProvider(Array.from({ length: 6 }, () => failing())), {
      initialBackoffMs: 9_000,
      random: () => 1,
    });
    await ask(provider, request([user('x')]));
    expect(waits).toEqual([9_000, 18_000, 30_000, 30_000, 30_000]);
  });

  it('as long as the service asks', async () => {
    const { provider, waits } = withRetries(
      createReplayProvider([failing({ retryAfterMs: 7_000 }), failing({ retryAfterMs: 0 }), good]),
    );
    expect(await ask(provider, request([user('x')]))).toMatchObject({ text: 'whole', restarts: 2 });
    expect(waits).toEqual([7_000, 0]);
  });

  it('not when it asks for more than two minutes, and says so', async () => {
    const { provider, waits } = withRetries(createReplayProvider([failing({ retryAfterMs: 3_600_000 }), good]));
    const reply = await ask(provider, request([user('x')]));
    expect(waits).toEqual([]);
    expect(reply.fault).toMatchObject({ retryable: true });
    expect(reply.fault?.message).toContain('3600 seconds');
  });
});

describe('attempts', () => {
  it('each is announced before the wait, and what came before is void', async () => {
    const { provider } = withRetries(createReplayProvider([failing(), failing(), good]));
    const reply = await ask(provider, request([user('x')]));
    expect(reply.events.map((event) => event.type)).toEqual([
      'text-delta',
      'restart',
      'text-delta',
      'restart',
      'text-delta',
      'end',
    ]);
    expect(reply.events.filter((event) => event.type === 'restart')).toMatchObject([
      { attempt: 1, waitMs: 350 },
      { attempt: 2, waitMs: 700 },
    ]);
    expect(reply).toMatchObject({ text: 'whole', reason: 'stop', fault: undefined });
  });

  it.each([0, 1, 3])('at most %i', async (maxRetries) => {
    const { provider, waits } = withRetries(createReplayProvider(Array.from({ length: 9 }, () => failing())), { maxRetries });
    await ask(provider, request([user('x')]));
    expect(waits).toHaveLength(maxRetries);
  });

  it('none for a final fault or an abort', async () => {
    for (const end of [
      { type: 'end', reason: 'error', fault: fault({ retryable: false }) } as const,
      { type: 'end', reason: 'aborted' } as const,
    ]) {
      const { provider, waits } = withRetries(createReplayProvider([[end], good]));
      expect((await ask(provider, request([user('x')]))).events).toEqual([end]);
      expect(waits).toEqual([]);
    }
  });

  it('a stop ends the wait at once', async () => {
    const stop = new AbortController();
    const provider = retryingProvider(createReplayProvider([failing({ retryAfterMs: 100_000 }), good]), { maxRetries: 5 });
    const events: ProviderEvent[] = [];
    for await (const event of provider.stream(request([user('x')]), { signal: stop.signal })) {
      events.push(event);
      if (event.type === 'restart') setTimeout(() => stop.abort(), 5);
    }
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'aborted' });
  });
});

describe.each(FORMATS)('over HTTP: %s', (format) => {
  it('a passing fault of each kind, then the answer, and no call twice', async () => {
    const answer = { text: 'ok', calls: [{ name: 'read', input: { file: 'a' } }] };
    const { provider: plain, server } = await serve(format, [
      { status: 500 },
      { status: 429, headers: { 'retry-after': '2' } },
      { reset: true },
      { ...answer, reset: true, afterBytes: 250 },
      { ...answer, finish: 'none', cutAfterBytes: 350 },
      answer,
    ]);
    const { provider, waits } = withRetries(plain);
    const reply = await ask(provider, request([user('x')]));
    expect(reply).toMatchObject({ text: 'ok', reason: 'calls', restarts: 5 });
    expect(reply.calls).toHaveLength(1);
    expect(waits[1]).toBe(2_000);
    expect(new Set(server.requests.map((one) => one.raw.toString()))).toHaveProperty('size', 1);
  });
});

describe('recording and replay', () => {
  it('what was recorded plays again, turn by turn', async () => {
    const recorded = createReplayProvider([failing(), good]);
    const first = [await ask(recorded, request([user('x')])), await ask(recorded, request([user('y')]))];
    expect(first.map((turn) => turn.events)).toEqual([failing(), good]);
    const again = createReplayProvider(first.map((turn) => turn.events));
    expect([await ask(again, request([user('x')])), await ask(again, request([user('y')]))]).toEqual(first);
  });

  it('a recording that is too short or has no end is a fault of its own kind', async () => {
    const provider = createReplayProvider([[{ type: 'text-delta', text: 'x' }]]);
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({
      kind: 'replay',
      retryable: false,
      message: 'the recording of turn 1 has no end',
    });
    expect((await ask(provider, request([user('x')]))).fault).toMatchObject({
      kind: 'replay',
      message: 'turn 2 was asked for, but the recording has 1',
    });
  });

  it('stops when it is told to', async () => {
    expect((await ask(createReplayProvider([good]), request([user('x')]), AbortSignal.abort())).events).toEqual([
      { type: 'end', reason: 'aborted' },
    ]);
  });
});
