/** The chain: who is asked when, with which model, and how long a failed provider rests. */
import { describe, expect, it } from 'vitest';
import { fallbackProvider } from '../../src/providers/fallback.js';
import type { Provider, ProviderEvent, ProviderFault } from '../../src/types/provider.js';
import { ask, request, user } from '../helpers/wire/converse.js';

/** A provider that notes the models it was asked for and ends as told. */
function fake(name: string, ends: (call: number) => Extract<ProviderEvent, { type: 'end' }>): Provider & { asked: string[] } {
  const asked: string[] = [];
  return {
    name,
    asked,
    async *stream({ model }) {
      asked.push(model);
      yield { type: 'text-delta', text: name };
      yield ends(asked.length);
    },
  };
}
const down = (more: Partial<ProviderFault> = {}) =>
  ({ type: 'end', reason: 'error', fault: { kind: 'server', message: 'down', retryable: true, ...more } }) as const;
const fine = { type: 'end', reason: 'stop' } as const;

describe('fallback', () => {
  it('the next answers when one is down, with its own model, and nothing of the first counts', async () => {
    const [a, b, c] = [fake('A', () => down()), fake('B', () => down()), fake('C', () => fine)];
    const provider = fallbackProvider([{ provider: a }, { provider: b, model: 'mb' }, { provider: c, model: 'mc' }]);
    const reply = await ask(provider, request([user('x')], { model: 'ma' }));
    expect(reply).toMatchObject({ text: 'C', reason: 'stop', restarts: 2 });
    expect([a.asked, b.asked, c.asked]).toEqual([['ma'], ['mb'], ['mc']]);
  });

  it('a final fault and a stop are not handed on', async () => {
    for (const end of [down({ retryable: false, kind: 'overflow' }), { type: 'end', reason: 'aborted' } as const]) {
      const second = fake('B', () => fine);
      const reply = await ask(fallbackProvider([{ provider: fake('A', () => end) }, { provider: second }]), request([user('x')]));
      expect(reply.events.at(-1)).toEqual(end);
      expect(second.asked).toEqual([]);
    }
  });

  it("when all are down the last one's fault is told", async () => {
    const provider = fallbackProvider([
      { provider: fake('A', () => down()) },
      { provider: fake('B', () => down({ message: 'B is down' })) },
    ]);
    expect((await ask(provider, request([user('x')]))).fault?.message).toBe('B is down');
  });

  it('a failed provider rests, longer each time, and is tried again', async () => {
    let time = 0;
    const a = fake('A', (call) => (call < 3 ? down() : fine));
    const b = fake('B', () => fine);
    const provider = fallbackProvider([{ provider: a }, { provider: b }], { now: () => time });
    const askAt = async (at: number) => {
      time = at;
      return (await ask(provider, request([user('x')]))).text;
    };
    expect(await askAt(0)).toBe('B');
    expect(await askAt(29_000)).toBe('B');
    expect(a.asked).toHaveLength(1);
    expect(await askAt(31_000)).toBe('B');
    expect(a.asked).toHaveLength(2);
    expect(await askAt(90_000)).toBe('B');
    expect(a.asked).toHaveLength(2);
    expect(await askAt(92_000)).toBe('A');
    expect(await askAt(93_000)).toBe('A');
  });

  it('an empty chain is a fault', async () => {
    expect((await ask(fallbackProvider([]), request([user('x')]))).fault).toMatchObject({ kind: 'bad-request' });
  });
});
