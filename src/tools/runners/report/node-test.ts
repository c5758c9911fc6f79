/** Reads node:test, in its TAP and its spec form, and other TAP producers. */
import { blockFrom, messageOf, NOTHING, type ReportReader, sumOf, type TestFailure, type TestReport } from './report.js';

function counts(lines: readonly string[], mark: string): TestReport {
  const of = (word: string) => sumOf(lines, new RegExp(`^${mark} ${word}\\s+(\\d+)$`));
  return { ...NOTHING, passed: of('pass'), failed: of('fail') + of('cancelled'), skipped: of('skipped') + of('todo') };
}

const plainName = (name: string): string => name.replace(/\\(.)/g, '$1').trim();

/** The YAML block below a "not ok" line: `failureType`, and `error` in its quoted or its `|-` form. */
function diagnosis(lines: readonly string[], start: number, indent: number): { readonly kind: string; readonly message: string } {
  const pad = ' '.repeat(indent + 2);
  if (lines[start] !== `${pad}---`) return { kind: '', message: '' };
  const block = blockFrom(lines, start + 1, (line) => line === `${pad}...`).map((line) => line.slice(pad.length));
  const value = (key: string) =>
    block
      .find((line) => line.startsWith(`${key}: `))
      ?.slice(key.length + 2)
      .replace(/^'(.*)'$/, '$1') ?? '';
  const at = block.indexOf('error: |-');
  const error = at === -1 ? [value('error')] : blockFrom(block, at + 1, (line) => line !== '' && !line.startsWith('  '));
  const where = value('location');
  return { kind: value('failureType'), message: messageOf([...error, ...(where === '' ? [] : [`at ${where}`])]) };
}

/** What a file printed that crashed before its tests: the comments above its subtest. */
function crashText(lines: readonly string[], subtest: number): readonly string[] {
  let start = subtest;
  while (start > 0 && /^# (?!Subtest: )/.test(lines[start - 1] ?? '')) start--;
  return lines.slice(start, subtest).map((line) => line.slice(2));
}

function tapFailures(lines: readonly string[]): TestFailure[] {
  const failures: TestFailure[] = [];
  const path: string[] = [];
  let begun = 0;
  lines.forEach((line, index) => {
    const subtest = /^(\s*)# Subtest: (.*)$/.exec(line);
    if (subtest) {
      begun = index;
      const depth = Math.floor((subtest[1] ?? '').length / 4);
      path.length = Math.min(path.length, depth);
      path[depth] = plainName(subtest[2] ?? '');
    }
    const failed = /^(\s*)not ok \d+(?: -)? ?(.*)$/.exec(line);
    if (!failed || /(^|[^\\])# (TODO|SKIP)\b/i.test(failed[2] ?? '')) return;
    const indent = (failed[1] ?? '').length;
    const { kind, message } = diagnosis(lines, index + 1, indent);
    if (kind === 'subtestsFailed') return;
    const parents = path.slice(0, Math.floor(indent / 4)).filter((name) => name !== undefined);
    const crash = /^test failed\b/.test(message) && indent === 0 ? crashText(lines, begun) : [];
    const name = [...parents, plainName(failed[2] ?? '')].join(' > ');
    failures.push({ name, message: crash.length === 0 ? message : messageOf(crash) });
  });
  return failures;
}

/** TAP with the closing counts that node:test and its relatives print. */
export const readTap: ReportReader = (lines) => {
  if (!lines.some((line) => /^# (pass|tests)\s+\d+$/.test(line))) return undefined;
  return { ...counts(lines, '#'), failures: tapFailures(lines) };
};

/** The spec reporter: counts after "ℹ", failures repeated at the end. */
export const readSpec: ReportReader = (lines) => {
  if (!lines.some((line) => /^ℹ tests \d+$/.test(line))) return undefined;
  const failures: TestFailure[] = [];
  const start = lines.indexOf('✖ failing tests:');
  for (let index = start; index !== -1 && index < lines.length; index++) {
    const entry = /^✖ (.*?)(?: \([\d.]+ms\))?( # TODO.*)?$/.exec(lines[index] ?? '');
    if (!entry || index === start || entry[2] !== undefined) continue;
    const where = /^test at (.+)$/.exec(lines[index - 1] ?? '')?.[1];
    const block = blockFrom(lines, index + 1, (line) => /^(test at |✖ |\S)/.test(line));
    failures.push({ name: where === undefined ? (entry[1] ?? '') : `${entry[1]} (${where})`, message: messageOf(block) });
  }
  return { ...counts(lines, 'ℹ'), failures };
};
