/** Reads PHPUnit, RSpec and ExUnit. */
import { blockFrom, messageOf, NOTHING, type ReportReader, sumOf } from './report.js';

export const readPhpunit: ReportReader = (lines) => {
  if (lines.some((line) => /^No tests executed!$/.test(line))) return NOTHING;
  const ok = sumOf(lines, /^OK \((\d+) tests?, \d+ assertions?\)$/);
  const totals = lines.filter((line) => /^Tests: \d+, Assertions: \d+/.test(line));
  if (ok === 0 && totals.length === 0) return undefined;
  const of = (word: string) =>
    totals.reduce((sum, line) => sum + Number(new RegExp(`\\b${word}: (\\d+)`).exec(line)?.[1] ?? 0), 0);
  const failed = of('Failures') + of('Errors');
  const skipped = of('Skipped') + of('Incomplete');
  const failures = lines.flatMap((line, index) => {
    const name = /^\d+\) (\S+::.+)$/.exec(line)?.[1];
    return name === undefined
      ? []
      : [{ name, message: messageOf(blockFrom(lines, index + 1, (next) => /^(\d+\) |--$|FAILURES!|ERRORS!)/.test(next))) }];
  });
  return { passed: ok + of('Tests') - failed - skipped, failed, skipped, failures };
};

export const readRspec: ReportReader = (lines) => {
  const total = /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$/;
  const totals = lines.map((line) => total.exec(line)).filter((match) => match !== null);
  if (totals.length === 0) return undefined;
  const start = lines.indexOf('Failures:');
  const failures = lines.flatMap((line, index) => {
    const name = /^ {2}\d+\) (.+)$/.exec(line)?.[1];
    if (name === undefined || start === -1 || index < start) return [];
    return [{ name, message: messageOf(blockFrom(lines, index + 1, (next) => /^( {2}\d+\) |Finished in )/.test(next))) }];
  });
  const sum = (group: number) => totals.reduce((all, match) => all + Number(match[group] ?? 0), 0);
  return { passed: sum(1) - sum(2) - sum(3), failed: sum(2) + sum(4), skipped: sum(3), failures };
};

export const readExunit: ReportReader = (lines) => {
  const total = /^(?:\d+ (?:doctests?|property|properties), )*(\d+) tests?, (\d+) failures?(?:, (\d+) (?:skipped|excluded))?/;
  const totals = lines.map((line) => total.exec(line)).filter((match) => match !== null);
  if (totals.length === 0 || !lines.some((line) => /^Finished in [\d.]+ seconds/.test(line))) return undefined;
  const failures = lines.flatMap((line, index) => {
    const name = /^ {2}\d+\) (?:test|doctest|property) (.+)$/.exec(line)?.[1];
    return name === undefined
      ? []
      : [{ name, message: messageOf(blockFrom(lines, index + 1, (next) => /^( {2}\d+\) |Finished in |\.+$)/.test(next))) }];
  });
  const sum = (group: number) => totals.reduce((all, match) => all + Number(match[group] ?? 0), 0);
  return { passed: sum(1) - sum(2) - sum(3), failed: sum(2), skipped: sum(3), failures };
};
