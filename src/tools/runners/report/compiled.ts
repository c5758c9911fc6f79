/** Reads Cargo, Maven, Gradle and .NET. */
import { blockFrom, distinct, messageOf, type ReportReader, sumOf, type TestFailure } from './report.js';

export const readCargo: ReportReader = (lines) => {
  const total = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; /;
  const totals = lines.map((line) => total.exec(line)).filter((match) => match !== null);
  if (totals.length === 0) return undefined;
  const failures: TestFailure[] = [];
  lines.forEach((line, index) => {
    const name = /^---- (.+) stdout ----$/.exec(line)?.[1];
    if (name === undefined) return;
    const block = blockFrom(lines, index + 1, (next) =>
      /^(---- .+ ----|failures:|stack backtrace:|note: (?!test did not panic))/.test(next),
    );
    failures.push({ name, message: messageOf(block) });
  });
  const sum = (group: number) => totals.reduce((all, match) => all + Number(match[group]), 0);
  return { passed: sum(1), failed: sum(2), skipped: sum(3), failures };
};

/** Only the closing line of each module: those of single classes also tell the time. */
export const readMaven: ReportReader = (lines) => {
  const total = /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?:, Flakes: \d+)?$/;
  const totals = lines.map((line) => total.exec(line.trimEnd())).filter((match) => match !== null);
  if (totals.length === 0) return undefined;
  const failures = lines.flatMap((line) => {
    const match = /^(?:\[ERROR\])? {2,}([\w$.]+(?:[.:][\w$]+)*(?:\[[^\]]*\])?(?::\d+)?)(?:->\S+)? (.+)$/.exec(line);
    return match && /[.:]/.test(match[1] ?? '') && !/^(at|Tests)\b/.test(match[1] ?? '')
      ? [{ name: match[1] ?? '', message: match[2] ?? '' }]
      : [];
  });
  const sum = (group: number) => totals.reduce((all, match) => all + Number(match[group]), 0);
  const failed = sum(2) + sum(3);
  return { passed: sum(1) - failed - sum(4), failed, skipped: sum(4), failures: failed === 0 ? [] : distinct(failures) };
};

export const readGradle: ReportReader = (lines) => {
  const failures = lines.flatMap((line, index) => {
    const match = /^(\S.*) > (.+) FAILED$/.exec(line);
    return match
      ? [{ name: `${match[1]} > ${match[2]}`, message: messageOf(blockFrom(lines, index + 1, (next) => !/^\s+\S/.test(next))) }]
      : [];
  });
  const total = lines
    .map((line) => /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/.exec(line))
    .filter((match) => match !== null);
  if (total.length === 0) return undefined;
  const sum = (group: number) => total.reduce((all, match) => all + Number(match[group] ?? 0), 0);
  return { passed: sum(1) - sum(2) - sum(3), failed: sum(2), skipped: sum(3), failures };
};

/** The three closing forms of `dotnet test`: one line an assembly, the older list, the terminal logger's summary. */
function dotnetTotals(lines: readonly string[]): { passed: number; failed: number; skipped: number } | undefined {
  const line = /^(?:Passed|Failed|Skipped)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+), Total:\s+\d+/;
  const summary = /^Test summary: total: \d+, failed: (\d+), succeeded: (\d+), skipped: (\d+)/;
  for (const form of [line, summary]) {
    const found = lines.map((text) => form.exec(text)).filter((match) => match !== null);
    const sum = (group: number) => found.reduce((all, match) => all + Number(match[group]), 0);
    if (found.length > 0) return { failed: sum(1), passed: sum(2), skipped: sum(3) };
  }
  if (!lines.some((text) => /^Total tests: \d+$/.test(text))) return undefined;
  return {
    passed: sumOf(lines, /^ +Passed: (\d+)$/),
    failed: sumOf(lines, /^ +Failed: (\d+)$/),
    skipped: sumOf(lines, /^ +Skipped: (\d+)$/),
  };
}

export const readDotnet: ReportReader = (lines) => {
  const totals = dotnetTotals(lines);
  if (totals === undefined) return undefined;
  const failures = lines.flatMap((line, index) => {
    const name = /^\s+(?:Failed|X) (\S.*?) \[[^\]]+\]$/.exec(line)?.[1];
    if (name === undefined) return [];
    const block = blockFrom(lines, index + 1, (next) => /^\s+(Stack Trace:|Failed |Passed |X )/.test(next));
    return [{ name, message: messageOf(block.filter((entry) => !/^\s+Error Message:$/.test(entry))) }];
  });
  return { ...totals, failures };
};

/** Counts of JUnit XML files (Gradle says nothing about tests that passed). */
export function readJunitXml(files: readonly string[]): { passed: number; failed: number; skipped: number } {
  const suites = files.flatMap(
    (text) =>
      text
        .slice(0, 4000)
        .match(/<testsuite\s[^>]*>/)
        ?.slice(0, 1) ?? [],
  );
  const sum = (name: string) => sumOf(suites, new RegExp(`\\s${name}="(\\d+)"`));
  const failed = sum('failures') + sum('errors');
  return { passed: sum('tests') - failed - sum('skipped'), failed, skipped: sum('skipped') };
}
