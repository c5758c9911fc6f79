/** Cuts output to what a result may hold: the largest beginning and end that fit, and a line that says what is missing. */
import type { CommandOutcome } from './command-types.js';

/** How far from a cut a line end is looked for. */
const LINE_REACH = 400;

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The first `room` characters, ending at a line end when one is near, never between two halves of a letter. */
function beginning(text: string, room: number): string {
  if (text.length <= room) return text;
  const line = text.lastIndexOf('\n', room - 1);
  if (line >= room - LINE_REACH && line >= 0) return text.slice(0, line + 1);
  return text.slice(0, isLow(text.charCodeAt(room)) ? room - 1 : room);
}

/** The last `room` characters, the same way. */
function ending(text: string, room: number): string {
  if (text.length <= room) return text;
  const start = text.length - room;
  const line = text.indexOf('\n', start - 1);
  if (line !== -1 && line < start + LINE_REACH) return text.slice(line + 1);
  return text.slice(isLow(text.charCodeAt(start)) ? start + 1 : start);
}

export type Fittable = Pick<CommandOutcome, 'output' | 'outputEnd' | 'omittedBytes' | 'logFile' | 'logEndedAt'>;

/** True when the whole output goes into `limit` characters. */
export function fitsWhole(outcome: Fittable, limit: number): boolean {
  return outcome.omittedBytes === 0 && outcome.output.length <= limit;
}

/** What of the output lies in the log. */
function inLog(endedAt: number | undefined): string {
  return endedAt === undefined ? 'the whole output is' : `only the first ${endedAt} bytes of the output (the limit of a log) are`;
}

/** At most `limit` characters (no fewer than 400) of an outcome's output. Names the log when there is one. */
export function fitOutput(outcome: Fittable, limit: number): string {
  if (fitsWhole(outcome, limit)) return outcome.output;
  const where = outcome.logFile === undefined ? '' : `; ${inLog(outcome.logEndedAt)} in ${outcome.logFile}`;
  const note = (bytes: number) => `... [${bytes} bytes left out${where}] ...\n`;
  const room = Math.max(400, limit) - note(Number.MAX_SAFE_INTEGER).length - 1;
  const last = outcome.outputEnd === '' ? outcome.output : outcome.outputEnd;
  const head = beginning(outcome.output, Math.floor(room / 2));
  const tail = ending(last, Math.ceil(room / 2));
  const kept = Buffer.byteLength(head) + Buffer.byteLength(tail);
  const missing = Buffer.byteLength(outcome.output) + Buffer.byteLength(outcome.outputEnd) + outcome.omittedBytes - kept;
  return `${head}${head.endsWith('\n') || head === '' ? '' : '\n'}${note(missing)}${tail}`;
}
