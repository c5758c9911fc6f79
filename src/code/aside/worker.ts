/** The thread that parses what would hold up the main one. The same file runs on both sides: here it says where it is, there it answers. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { isEngineBroken } from '../parse/engine.js';
import { type JobKind, type Jobs, workOn } from './jobs.js';

const PURPOSE = 'parse beside the main thread';

/** What the thread is started with. */
export const WORKER_DATA = { purpose: PURPOSE };

/** The program of the thread, or undefined where it runs from sources that Node cannot load. */
export function workerProgram(): URL | undefined {
  return import.meta.url.endsWith('.ts') ? undefined : new URL(import.meta.url);
}

/** One job. */
export interface Question {
  readonly kind: JobKind;
  readonly given: Jobs[JobKind]['given'];
}

/** One answer for each question, in their order. `spent`: the thread is of no use any more. */
export type Reply = { readonly value: Jobs[JobKind]['got'] | undefined; readonly spent: boolean } | { readonly fault: string };

if (!isMainThread && (workerData as { purpose?: unknown } | null)?.purpose === PURPOSE) {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (question: Question) => {
    last = last.then(async () => parentPort?.postMessage(await replyTo(question)));
  });
}

async function replyTo({ kind, given }: Question): Promise<Reply> {
  try {
    const value = await workOn(kind, given as never);
    return { value, spent: isEngineBroken() || value === undefined };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
