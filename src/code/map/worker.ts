/** The thread that parses for a map. The same file runs on both sides: here it says where it is, there it answers. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { isEngineBroken } from '../parse/engine.js';
import { extractFile } from './extract.js';
import type { Extracted, TextJob } from './types.js';

const PURPOSE = 'parse files for a map';

/** What a worker is started with. */
export const WORKER_DATA = { purpose: PURPOSE };

/** The program a worker runs, or undefined where it runs from sources that Node cannot load. */
export function workerProgram(): URL | undefined {
  return import.meta.url.endsWith('.ts') ? undefined : new URL(import.meta.url);
}

/** One answer for each message, in their order. */
export type WorkerAnswer = { readonly done: readonly Extracted[] } | { readonly fault: string };

if (!isMainThread && (workerData as { purpose?: unknown } | null)?.purpose === PURPOSE) {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (jobs: readonly TextJob[]) => {
    last = last.then(async () => parentPort?.postMessage(await answerTo(jobs)));
  });
}

async function answerTo(jobs: readonly TextJob[]): Promise<WorkerAnswer> {
  try {
    const done: Extracted[] = [];
    for (const job of jobs) {
      done.push(await extractFile(job));
      // Only another thread has an engine that works.
      if (isEngineBroken()) process.exit(1);
    }
    return { done };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
