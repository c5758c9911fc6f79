/** What stops a run from outside, and what must not. */
import { expect, it } from 'vitest';
import { createStopper, deafToKeys } from '../../src/app/stop.js';

it('is deaf to Ctrl+C while another program has the terminal, and hears it again afterwards', async () => {
  const stopper = createStopper({});
  try {
    let over = (): void => undefined;
    const editing = deafToKeys(
      new Promise<void>((resolve) => {
        over = resolve;
      }),
    );
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGINT', 'SIGINT');
    expect(stopper.signal.aborted).toBe(false);
    over();
    await editing;
    process.emit('SIGINT', 'SIGINT');
    expect(stopper.signal.aborted).toBe(true);
    expect(stopper.terminated()).toBe(false);
  } finally {
    stopper.release();
  }
});

it('hears that the whole program is to end, whoever has the terminal', async () => {
  const stopper = createStopper({});
  try {
    await deafToKeys(Promise.resolve().then(() => process.emit('SIGTERM', 'SIGTERM')));
    expect(stopper.terminated()).toBe(true);
  } finally {
    stopper.release();
  }
});
