/** What a test run reported, read from its output, and the small tools all readers share. */

export interface TestFailure {
  readonly name: string;
  readonly message: string;
}

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
  /** Set when the runner does not say how many tests passed. */
  readonly uncounted?: string;
  /** Tests that had begun and not ended, where the runner tells. */
  readonly running?: readonly string[];
}

/** Reads the lines of an output; undefined when they are not of its runner. Adds up when a runner ran several times. */
export type ReportReader = (lines: readonly string[]) => TestReport | undefined;

/** Longer lines are cut before they are read: no reader needs more. */
export const LINE_CHARS = 2000;
const MESSAGE_LINES = 14;
const MESSAGE_CHARS = 1500;
/** Lines of a call stack that are kept. */
const STACK_LINES = 2;
const STACK = /^\s*(at |❯ |async )/;

export const NOTHING: TestReport = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** Splits an output into lines that are safe to match. */
export function reportLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => (line.length > LINE_CHARS ? line.slice(0, LINE_CHARS) : line));
}

/** Lines from `start` until one for which `isEnd` holds (exclusive). */
export function blockFrom(lines: readonly string[], start: number, isEnd: (line: string) => boolean): string[] {
  const block: string[] = [];
  for (let index = start; index < lines.length && !isEnd(lines[index] as string); index++) block.push(lines[index] as string);
  return block;
}

/** A message of bounded length: common indentation and empty ends removed, long call stacks shortened. */
export function messageOf(block: readonly string[]): string {
  let stack = 0;
  const kept = block.filter((line) => !STACK.test(line) || ++stack <= STACK_LINES);
  const filled = kept.filter((line) => line.trim() !== '');
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length), 80);
  const lines = kept.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)).trimEnd());
  const text = lines
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trim()
    .split('\n');
  const short = text.length > MESSAGE_LINES ? [...text.slice(0, MESSAGE_LINES), '...'] : text;
  const joined = short.join('\n');
  return joined.length > MESSAGE_CHARS ? `${joined.slice(0, MESSAGE_CHARS)} ...` : joined;
}

/** Sum of the first group of every match of `pattern` over the lines. */
export function sumOf(lines: readonly string[], pattern: RegExp): number {
  return lines.reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0);
}

/** Each name once, the first message wins. */
export function distinct(failures: readonly TestFailure[]): TestFailure[] {
  const byName = new Map<string, TestFailure>();
  for (const failure of failures) if (!byName.has(failure.name)) byName.set(failure.name, failure);
  return [...byName.values()];
}

/** Adds two reports. */
export function plus(a: TestReport, b: TestReport): TestReport {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
    ...(a.uncounted === undefined && b.uncounted === undefined ? {} : { uncounted: a.uncounted ?? b.uncounted }),
  };
}
