/** Slots: never more at once, nobody forgotten, and whoever gives up waiting leaves no hole. */
import { describe, expect, it } from 'vitest';
import { createSlots } from '../../src/base/slots.js';

/** Work that ends when it is told to. */
function step() {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => done };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('let in so many, the others in their order', async () => {
    const slots = createSlots(2);
    const steps = [step(), step(), step(), step()];
    const began: number[] = [];
    const all = steps.map(({ work }, index) =>
      slots.run(() => {
        began.push(index);
        return work();
      }),
    );
    await settle();
    expect(began).toEqual([0, 1]);
    steps[1]?.end();
    await settle();
    expect(began).toEqual([0, 1, 2]);
    for (const { end } of steps) end();
    await Promise.all(all);
    expect(began).toEqual([0, 1, 2, 3]);
  });

  it('lose none to one that gave up waiting, was stopped before, or threw', async () => {
    const slots = createSlots(1);
    const first = step();
    const running = slots.run(first.work);
    const stop = new AbortController();
    const gaveUp = slots.run(async () => 'never', { signal: stop.signal });
    const behind = slots.run(async () => 'behind');
    stop.abort('why');
    await expect(gaveUp).rejects.toBe('why');
    first.end();
    await running;
    expect(await behind).toBe('behind');
    await expect(slots.run(async () => 'x', { signal: stop.signal })).rejects.toBe('why');
    await expect(slots.run(() => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    expect(await slots.run(async () => 'free')).toBe('free');
  });

  it('do not take back what runs when its signal comes', async () => {
    const slots = createSlots(1);
    const first = step();
    const second = step();
    const stop = new AbortController();
    const running = slots.run(first.work);
    const waiting = slots.run(second.work, { signal: stop.signal });
    first.end();
    await running;
    stop.abort('late');
    second.end();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('are at least one', async () => {
    expect(await createSlots(0).run(async () => 'ran')).toBe('ran');
  });
});
