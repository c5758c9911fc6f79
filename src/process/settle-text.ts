/** Makes output short where it has nothing to read: lines that were written over again and again, bytes that are no text. */

/** So many states of one line are shown below each other; of more only the last. */
const FEW_STATES = 5;
/** Replacement characters that make a line unreadable: their share, and their number. */
const BAD_SHARE = 0.2;
const BAD_LEAST = 4;
/** Shorter stretches are left as they are. */
const STRETCH = 400;

const BAD = /\ufffd/g;

/** Lines rewritten with carriage returns (progress bars) as a terminal leaves them. `\r\n` stays. */
export function settleReturns(text: string): string {
  if (!/\r[^\n]/.test(text)) return text;
  return text
    .split('\n')
    .map((line) => {
      const end = /\r*$/.exec(line)?.[0] ?? '';
      const body = line.slice(0, line.length - end.length);
      if (!body.includes('\r')) return line;
      const states = body.split('\r').filter((state) => state.trim() !== '');
      const last = states.at(-1) ?? '';
      if (states.length <= FEW_STATES) return states.join('\n') + end;
      return `[${states.length - 1} earlier states of this line left out]\n${last}${end}`;
    })
    .join('\n');
}

const badIn = (line: string): number => line.match(BAD)?.length ?? 0;

function isUnreadable(line: string): boolean {
  const bad = badIn(line);
  return bad >= BAD_LEAST && bad >= line.length * BAD_SHARE;
}

/** A stretch that is not UTF-8 text (a binary file, another encoding) gives way to one line that says how long it was. */
export function leaveOutBinary(text: string): string {
  if (!text.includes('\ufffd')) return text;
  const lines = text.split('\n');
  const first = lines.findIndex(isUnreadable);
  const last = lines.findLastIndex(isUnreadable);
  if (first === -1) return text;
  const stretch = lines.slice(first, last + 1).join('\n');
  if (stretch.length < STRETCH || badIn(stretch) < stretch.length * BAD_SHARE) return text;
  const note = `[${stretch.length} characters left out: not UTF-8 text, but binary or another encoding]`;
  return [...lines.slice(0, first), note, ...lines.slice(last + 1)].join('\n');
}

/** Both, for the output of a command that is read, not compared: diffs and lists keep every letter. */
export const settleText = (text: string): string => leaveOutBinary(settleReturns(text));

/** The two ends of an output, settled. */
export function settled<T extends { readonly output: string; readonly outputEnd: string }>(outcome: T): T {
  return { ...outcome, output: settleText(outcome.output), outputEnd: settleText(outcome.outputEnd) };
}
