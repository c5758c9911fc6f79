/** Ways out that need no writable folder: the kernel's settings, programs PATH finds in a cache, repositories that did not exist before. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { makeConfinement, runIn, whyNot } from './confined.js';

const reason = await whyNot();
const place = makeConfinement();
afterAll(() => place.remove());

/** Skips where there is nothing to try. */
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

describe('the kernel', () => {
  real('its settings cannot be written, not even by root who owns them', async () => {
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const box = place.sandbox();
    const way = 'cat /proc/sys/kernel/core_pattern > pattern; cat pattern > /proc/sys/kernel/core_pattern && echo WROTE';
    const ran = await runIn(place, box, way);
    expect(ran.output).not.toContain('WROTE');
    expect(ran.code).not.toBe(0);
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
    const list = await runIn(
      place,
      box,
      'find /proc -maxdepth 1 -type f -writable; find /proc/sys /proc/irq /proc/fs /sys -type f -writable 2>/dev/null | head -5; echo 100 > /proc/self/oom_score_adj && echo own',
    );
    expect(list.output).toBe('own\n');
  });
});
