/** Reads Vitest, Jest, Mocha and Bun. */
import { blockFrom, distinct, messageOf, NOTHING, type ReportReader, sumOf, type TestFailure } from './report.js';

const countIn = (text: string, word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(text)?.[1] ?? 0);

function vitestFailures(lines: readonly string[]): TestFailure[] {
  const failures: TestFailure[] = [];
  let names: string[] = [];
  lines.forEach((line, index) => {
    const failed = /^ FAIL {2}(.+)$/.exec(line);
    if (!failed) return;
    names.push((failed[1] ?? '').replace(/^(.+) \[ \1 \]$/, '$1 (the file could not be loaded)'));
    if (/^ FAIL {2}/.test(lines[index + 1] ?? '')) return;
    const message = messageOf(blockFrom(lines, index + 1, (next) => /^⎯{3}/.test(next) || /^ FAIL {2}/.test(next)));
    failures.push(...names.map((name) => ({ name, message })));
    names = [];
  });
  return failures;
}

export const readVitest: ReportReader = (lines) => {
  if (lines.some((line) => /^No test files found, exiting with code \d/.test(line.replace(/^\d/, '')))) return NOTHING;
  const totals = lines.filter((line) => /^\s+Tests {2}(\d+ (failed|passed|skipped|todo)|no tests)/.test(line));
  if (totals.length === 0 || !lines.some((line) => /^\s+Test Files {2}/.test(line))) return undefined;
  const sum = (word: string) => totals.reduce((all, line) => all + countIn(line, word), 0);
  const failures = vitestFailures(lines);
  const broken = failures.filter((failure) => failure.name.endsWith('(the file could not be loaded)')).length;
  return {
    passed: sum('passed'),
    failed: sum('failed') + broken,
    skipped: sum('skipped') + sum('todo'),
    failures: distinct(failures),
  };
};

function jestFailures(lines: readonly string[]): TestFailure[] {
  const failures: TestFailure[] = [];
  let file = '';
  lines.forEach((line, index) => {
    file = /^FAIL (?:\S+ )?(\S+)/.exec(line)?.[1] ?? file;
    const name = /^ {2}● (.+)$/.exec(line)?.[1];
    if (name === undefined || name === 'Console') return;
    const block = blockFrom(lines, index + 1, (next) =>
      /^( {2}● |PASS |FAIL |Test Suites: |Summary of all failing tests|-{4,})/.test(next),
    );
    const broken = name === 'Test suite failed to run';
    failures.push({ name: broken ? `${file} (the file could not be loaded)` : name, message: messageOf(block) });
  });
  return distinct(failures);
}

export const readJest: ReportReader = (lines) => {
  if (lines.some((line) => /^No tests found, exiting with code \d/.test(line))) return NOTHING;
  const totals = lines.filter((line) => /^Tests: {2,}.*\d+ total$/.test(line));
  if (totals.length === 0) return undefined;
  const sum = (word: string) => totals.reduce((all, line) => all + countIn(line, word), 0);
  const failures = jestFailures(lines);
  const broken = failures.filter((failure) => failure.name.endsWith('(the file could not be loaded)')).length;
  return { passed: sum('passed'), failed: sum('failed') + broken, skipped: sum('skipped') + sum('todo'), failures };
};

function mochaFailures(lines: readonly string[], from: number): TestFailure[] {
  const failures: TestFailure[] = [];
  for (let index = from; index < lines.length; index++) {
    const first = /^ {2}\d+\) (.*)$/.exec(lines[index] ?? '');
    if (!first) continue;
    const title = [first[1] ?? ''];
    let next = index + 1;
    while (!(title.at(-1) ?? '').endsWith(':') && /^ {6,}\S/.test(lines[next] ?? '') && title.length < 10)
      title.push((lines[next++] ?? '').trim());
    const block = blockFrom(lines, next, (line) => /^ {2}\d+\) /.test(line));
    failures.push({ name: title.join(' > ').replace(/:$/, ''), message: messageOf(block) });
  }
  return failures;
}

export const readMocha: ReportReader = (lines) => {
  const passing = /^ {2}(\d+) passing(?: \(.*\))?$/;
  if (!lines.some((line) => passing.test(line))) return undefined;
  const failing = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line));
  return {
    passed: sumOf(lines, passing),
    failed: sumOf(lines, /^ {2}(\d+) failing$/),
    skipped: sumOf(lines, /^ {2}(\d+) pending$/),
    failures: failing === -1 ? [] : mochaFailures(lines, failing),
  };
};

export const readBun: ReportReader = (lines) => {
  if (!lines.some((line) => /^Ran \d+ tests? across \d+ files?/.test(line))) return undefined;
  const failures = lines.flatMap((line, index) => {
    const name = /^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/.exec(line)?.[1];
    if (name === undefined) return [];
    const before = lines.slice(Math.max(0, index - 20), index);
    const start = before.findLastIndex((earlier) => /^\((pass|fail|skip|todo)\) |^\S+:$/.test(earlier));
    return [{ name, message: messageOf(before.slice(start + 1)) }];
  });
  return {
    passed: sumOf(lines, /^ *(\d+) pass$/),
    failed: sumOf(lines, /^ *(\d+) fail$/),
    skipped: sumOf(lines, /^ *(\d+) skip$/) + sumOf(lines, /^ *(\d+) todo$/),
    failures,
  };
};
