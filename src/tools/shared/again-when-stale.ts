/** A change computed from bytes that another program replaced meanwhile is computed again from the new ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolFault } from '../../types/tool.js';

/** How often a change is computed anew before the model is told. */
const MOST_AGAIN = 3;

/** The write found other bytes than those the change was computed from; nothing was written. */
class Overtaken extends ToolFault {}

/** A write that another program was faster than fails so that `againWhenStale` takes it up again. */
export async function onlyIfSame<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof ToolFault && (error.code === 'Stale' || error.code === 'EEXIST'))
      throw new Overtaken(error.code, error.message);
    throw error;
  }
}

/** Runs `work`, which reads, computes and writes; once more (at most three times) while its write comes too late. */
export async function againWhenStale<T>(work: (again: boolean) => Promise<T>): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await work(count > 0);
    } catch (error) {
      if (!(error instanceof Overtaken) || count >= MOST_AGAIN) throw error;
      await sleep(Math.random() * 20 * (count + 1));
    }
  }
}
