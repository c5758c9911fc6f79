/** Reads pytest and unittest. */
import { blockFrom, messageOf, NOTHING, type ReportReader, sumOf, type TestFailure } from './report.js';

const PYTEST_WORDS =
  /^(\d+) (passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|reruns?|subtests? (?:passed|failed|skipped))$/;

/** The counts of a closing line such as `== 1 failed, 2 passed in 0.12s ==`, or undefined. */
function pytestTotals(line: string): Map<string, number> | undefined {
  const inner = line.replace(/^=+ /, '').replace(/ =+$/, '');
  const list = /^(.+) in [\d.]+s(?: \([\d:]+\))?$/.exec(inner)?.[1];
  if (list === undefined) return undefined;
  if (/^no tests (ran|collected)$/.test(list)) return new Map();
  const totals = new Map<string, number>();
  for (const part of list.split(', ')) {
    const match = PYTEST_WORDS.exec(part);
    if (!match) return undefined;
    totals.set(match[2] as string, Number(match[1]));
  }
  return totals;
}

/** Messages below the headings `____ T.test_bad ____`: the lines marked E and the place. */
function pytestMessages(lines: readonly string[]): Map<string, string> {
  const messages = new Map<string, string>();
  lines.forEach((line, index) => {
    const heading = /^_{3,} (.+?) _{3,}$/.exec(line)?.[1];
    if (heading === undefined) return;
    const block = blockFrom(lines, index + 1, (next) => /^(_{3,} .+ _{3,}|={3,} .* ?={3,}|-{3,} Captured .*)$/.test(next));
    const marked = block.filter((entry) => /^E( |$)/.test(entry)).map((entry) => entry.slice(1));
    const place = block.findLast((entry) => /^\S+:\d+: /.test(entry));
    messages.set(
      heading,
      messageOf([...(marked.length > 0 ? marked : block), ...(place === undefined ? [] : [`    at ${place}`])]),
    );
  });
  return messages;
}

function pytestFailures(lines: readonly string[]): TestFailure[] {
  const messages = pytestMessages(lines);
  const named = lines.flatMap((line) => {
    const match = /^(?:FAILED|ERROR|SUBFAIL(?:ED)?(\S*)) (\S+(?:\[[^\]]*\])?)(?: - (.*))?$/.exec(line);
    if (!match || !/\.py|::/.test(match[2] ?? '')) return [];
    const id = `${match[2]}${match[1] ? ` ${match[1]}` : ''}`;
    const tail = (match[2] ?? '').split('::').slice(1).join('.');
    const heading = match[1] ? `${tail} ${match[1].replace(/,$/, '')}` : tail;
    const message =
      messages.get(heading) ?? messages.get(`ERROR collecting ${match[2]}`) ?? messages.get(`ERROR at setup of ${tail}`);
    return [{ name: id, message: message ?? match[3] ?? '' }];
  });
  return named.length > 0 ? named : [...messages].map(([name, message]) => ({ name, message }));
}

export const readPytest: ReportReader = (lines) => {
  const closing = lines.map(pytestTotals).filter((totals) => totals !== undefined);
  if (closing.length === 0) return undefined;
  const of = (...words: string[]) =>
    closing.reduce((sum, totals) => sum + words.reduce((all, word) => all + (totals.get(word) ?? 0), 0), 0);
  return {
    passed: of('passed', 'xpassed'),
    failed: of('failed', 'error', 'errors'),
    skipped: of('skipped', 'xfailed'),
    failures: pytestFailures(lines),
  };
};

/** The last frame of a traceback and what follows it. */
function lastFrame(block: readonly string[]): string[] {
  const start = block.findLastIndex((line) => /^ {2}File "/.test(line));
  return start === -1 ? [...block] : block.slice(start);
}

export const readUnittest: ReportReader = (lines) => {
  const ran = /^Ran (\d+) tests? in [\d.]+s$/;
  if (!lines.some((line) => ran.test(line))) return undefined;
  const failures: TestFailure[] = [];
  lines.forEach((line, index) => {
    const name = /^(?:FAIL|ERROR): (.+)$/.exec(line)?.[1];
    if (name === undefined || !/^={20,}$/.test(lines[index - 1] ?? '')) return;
    const body = lines.findIndex((next, at) => at > index && /^-{20,}$/.test(next));
    const block = body === -1 ? [] : blockFrom(lines, body + 1, (next) => /^[-=]{20,}$/.test(next));
    failures.push({ name, message: messageOf(lastFrame(block)) });
  });
  const endings = lines.filter((line) => /^(OK|FAILED)( \(.*\))?$/.test(line));
  const of = (word: string) =>
    endings.reduce((sum, line) => sum + Number(new RegExp(`[(, ]${word}=(\\d+)`).exec(line)?.[1] ?? 0), 0);
  const failed = of('failures') + of('errors') + of('unexpected successes');
  const skipped = of('skipped');
  const bad = new Set(failures.map((failure) => failure.name.replace(/ [([].*$/, '')));
  if (sumOf(lines, ran) === 0 && failed === 0) return { ...NOTHING, skipped };
  return {
    passed: Math.max(0, sumOf(lines, ran) - skipped - Math.max(bad.size, of('unexpected successes'))),
    failed,
    skipped,
    failures,
  };
};
