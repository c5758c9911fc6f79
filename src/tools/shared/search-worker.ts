/** Matches texts in a thread of its own: a pattern that takes too long is ended with its thread, not waited for. */
import { Worker } from 'node:worker_threads';
import type { JsPattern } from './search-pattern.js';

/** Line number (from 0), offset in the line, last line of the match. */
export type Hit = readonly [number, number, number];

/** Milliseconds one text may take. */
const MOST_MS = 2000;

const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { source, flags, across, plain } = workerData;
const whole = across || plain;
const pattern = new RegExp(source, whole ? flags + 'g' : flags);
function byLine(text, most) {
  const hits = [];
  for (let i = 0, at = 0; at < text.length && hits.length < most; i++) {
    const next = text.indexOf('\\n', at);
    const end = next < 0 ? text.length : next;
    const found = pattern.exec(text.slice(at, end > at && text[end - 1] === '\\r' ? end - 1 : end));
    if (found) hits.push([i, found.index, i]);
    at = end + 1;
  }
  return hits;
}
function overLines(text, most) {
  pattern.lastIndex = 0;
  if (!pattern.test(text)) return [];
  const starts = [0];
  for (let at = text.indexOf('\\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\\n', at + 1)) starts.push(at + 1);
  const lineAt = (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const hits = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found && hits.length < most; found = pattern.exec(text)) {
    if (found.index >= text.length && text !== '') break;
    const line = lineAt(found.index);
    const last = lineAt(found.index + Math.max(0, found[0].length - 1));
    const before = hits[hits.length - 1];
    if (!before || line > before[2]) hits.push([line, found.index - starts[line], last]);
    if (found[0] === '') pattern.lastIndex++;
  }
  return hits;
}
parentPort.on('message', ({ text, most }) => parentPort.postMessage((whole ? overLines : byLine)(text, most)));
`;

export interface Matcher {
  /** The first `most` matches; undefined when the text took too long. */
  match(text: string, most: number): Promise<readonly Hit[] | undefined>;
  close(): Promise<void>;
}

export function createMatcher(pattern: JsPattern): Matcher {
  let worker: Worker | undefined;
  const start = () => new Worker(SCRIPT, { eval: true, workerData: pattern, env: {}, stdin: false });
  return {
    match(text, most) {
      worker ??= start();
      const current = worker;
      return new Promise((resolve, reject) => {
        const settle = (work: () => void) => {
          clearTimeout(timer);
          current.off('message', onMessage);
          current.off('error', onError);
          work();
        };
        const onMessage = (hits: Hit[]) => settle(() => resolve(hits));
        const onError = (error: Error) => settle(() => reject(error));
        const timer = setTimeout(() => {
          worker = undefined;
          settle(() => void current.terminate().then(() => resolve(undefined)));
        }, MOST_MS);
        current.on('message', onMessage);
        current.on('error', onError);
        current.postMessage({ text, most });
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
