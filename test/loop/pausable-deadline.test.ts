/** A deadline on a clock of its own: it counts no held time, and none once it is stopped. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pausableDeadline } from '../../src/loop/pausable-deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function held() {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release, work: () => until };
}

it('counts only the time in which nobody holds it, also when holders overlap', async () => {
  const reach = vi.fn();
  const deadline = pausableDeadline(100, reach);
  vi.advanceTimersByTime(40);
  const [one, two] = [held(), held()];
  const all = [deadline.hold(one.work), deadline.hold(two.work)];
  vi.advanceTimersByTime(1000);
  one.release();
  await all[0];
  vi.advanceTimersByTime(1000);
  expect(reach).not.toHaveBeenCalled();
  two.release();
  await all[1];
  vi.advanceTimersByTime(59);
  expect(reach).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(reach).toHaveBeenCalledTimes(1);
});

it('does not begin anew when a hold ends after its stop', async () => {
  const reach = vi.fn();
  const deadline = pausableDeadline(100, reach);
  const one = held();
  const holding = deadline.hold(one.work);
  deadline.stop();
  one.release();
  await holding;
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(reach).not.toHaveBeenCalled();
});

it('goes on counting when what held it threw', async () => {
  const reach = vi.fn();
  const deadline = pausableDeadline(10, reach);
  await expect(deadline.hold(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  vi.advanceTimersByTime(11);
  expect(reach).toHaveBeenCalledTimes(1);
});
