// What the scripts say: short lines on standard error, so that a task's own output stays clean.

/** A fault with a sentence for the person at the terminal; no stack trace is shown for it. */
export class TaskError extends Error {}

/** Prints one short line. */
export function say(text) {
  process.stderr.write(`[chatcli] ${text}\n`);
}

/** Seconds since `started` (milliseconds), as "1.4 s". */
export function since(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
