/** Reading what runners print: counts, names and messages, and nothing where there is nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBuildErrors } from '../../../src/tools/runners/report/build-errors.js';
import { readJunitXml } from '../../../src/tools/runners/report/compiled.js';
import { readReport } from '../../../src/tools/runners/report/read-report.js';
import { messageOf, type TestReport } from '../../../src/tools/runners/report/report.js';

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'outputs', name), 'utf8');

function reportOf(text: string): TestReport {
  const { report } = readReport(text);
  if (report === undefined) throw new Error('no report was read');
  return report;
}

const counts = ({ passed, failed, skipped }: TestReport) => [passed, failed, skipped];
const names = ({ failures }: TestReport) => failures.map((failure) => failure.name);

describe('recorded outputs', () => {
  it('Jest', () => {
    const report = reportOf(recorded('jest-29.txt'));
    expect(counts(report)).toEqual([1, 2, 1]);
    expect(names(report)).toEqual(['suite › fails', 'throws']);
    expect(report.failures[1]?.message).toMatch(/^boom\nsecond line\n/);
  });
  it('Jest that could not load a file, or found none', () => {
    const broken =
      'FAIL ./b.test.js\n  ● Test suite failed to run\n\n    load\n\nTest Suites: 1 failed, 1 total\nTests:       0 total\n';
    expect(reportOf(broken)).toMatchObject({
      failed: 1,
      failures: [{ name: './b.test.js (the file could not be loaded)', message: 'load' }],
    });
    expect(counts(reportOf('No tests found, exiting with code 1\n'))).toEqual([0, 0, 0]);
  });
  it('Mocha', () => {
    const report = reportOf(recorded('mocha-11.txt'));
    expect(counts(report)).toEqual([1, 2, 1]);
    expect(names(report)).toEqual(['throws', 'suite > fails']);
    expect(report.failures[1]?.message).toContain('1 !== 2');
  });
  it('go test -json', () => {
    const { report, text } = readReport(`go: downloading x v1.0.0\n${recorded('go.jsonl')}`);
    expect(report && counts(report)).toEqual([1, 2, 1]);
    expect(report?.failures).toEqual([
      { name: 'example.com/m TestTable/two', message: 'm_test.go:12: got 3, want 2' },
      {
        name: 'example.com/m/broken (build failed)',
        message: expect.stringContaining('undefined: missing'),
      },
    ]);
    expect(text).toMatch(/^go: downloading x v1\.0\.0\n# example\.com\/m\/broken/);
    expect(text).toContain('FAIL\texample.com/m\t0.003s\n');
  });
  it('go test without -v', () => {
    const report = reportOf(recorded('go-plain.txt'));
    expect(report.uncounted).toBe('1 packages ok; go test names passed tests only with -v');
    expect(report.failures).toEqual([
      { name: 'TestTable/two', message: 'm_test.go:12: got 3, want 2' },
      { name: 'TestAlone', message: 'm_test.go:30: boom\n    second line' },
      { name: 'example.com/m/broken', message: 'build failed' },
    ]);
    expect(counts(reportOf('?   \tm\t[no test files]\n'))).toEqual([0, 0, 0]);
  });
  it('go test that was killed names what ran', () => {
    const event = (Action: string, Test: string) => JSON.stringify({ Action, Package: 'm', Test });
    const events = [event('run', 'TestA'), event('pass', 'TestA'), event('run', 'TestB'), event('run', 'TestB/sub')];
    expect(reportOf(`${events.join('\n')}\n`).running).toEqual(['TestB/sub']);
  });
  it('Gradle', () => {
    const report = reportOf(recorded('gradle.txt'));
    expect(counts(report)).toEqual([86, 2, 1]);
    expect(report.failures[0]).toEqual({
      name: 'PathParameterTest > testOutput_notWritable_throws()',
      message: 'org.opentest4j.AssertionFailedError at PathParameterTest.java:146',
    });
    expect(report.failures[1]?.message).toMatch(/^org\.opentest4j\.AssertionFailedError: expected: <false> but was: <true>\n/);
  });
  it('JUnit XML', () => {
    const suite = '<?xml version="1.0"?>\n<testsuite name="T" tests="5" skipped="1" failures="1" errors="0" time="0.1">';
    expect(readJunitXml([suite, suite])).toEqual({ passed: 6, failed: 2, skipped: 2 });
  });
  it('Maven', () => {
    const report = reportOf(recorded('maven.txt'));
    expect(counts(report)).toEqual([26, 2, 1]);
    expect(report.failures).toEqual([
      { name: 'My1Test.fails:34', message: 'Always fails' },
      { name: 'My1Test.breaks:40', message: '» IllegalState boom' },
    ]);
  });
  it('.NET', () => {
    const report = reportOf(recorded('dotnet.txt'));
    expect(counts(report)).toEqual([4, 1, 2]);
    expect(report.failures[0]?.name).toBe('Sample.UnitTest1.Bad');
    expect(report.failures[0]?.message).toContain('Expected: 2\nActual:   3');
    expect(counts(reportOf('Total tests: 3\n     Passed: 1\n     Failed: 1\n    Skipped: 1\n'))).toEqual([1, 1, 1]);
    expect(counts(reportOf('Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s'))).toEqual([4, 1, 0]);
  });
  it('PHPUnit', () => {
    const report = reportOf(recorded('phpunit.txt'));
    expect(counts(report)).toEqual([1, 2, 1]);
    expect(names(report)).toEqual(['SampleTest::testBreaks', 'SampleTest::testEqual with data set #0 (1, 2)']);
    expect(report.failures[1]?.message).toContain("-'bar'\n+'baz'");
    expect(counts(reportOf('OK (3 tests, 5 assertions)'))).toEqual([3, 0, 0]);
    expect(counts(reportOf('No tests executed!'))).toEqual([0, 0, 0]);
  });
  it('RSpec', () => {
    const report = reportOf(recorded('rspec.txt'));
    expect(counts(report)).toEqual([1, 1, 1]);
    expect(report.failures).toEqual([
      { name: 'Calculator adds two numbers', message: expect.stringMatching(/expected: 3\n\s+got: 2/) },
    ]);
  });
  it('ExUnit', () => {
    const report = reportOf(recorded('mix.txt'));
    expect(counts(report)).toEqual([10, 1, 0]);
    expect(report.failures[0]).toMatchObject({
      name: 'greets the world (FooTest)',
      message: expect.stringContaining('right: :world!'),
    });
  });
  it('Bun', () => {
    const report = reportOf(recorded('bun.txt'));
    expect(counts(report)).toEqual([1, 1, 1]);
    expect(report.failures[0]).toMatchObject({
      name: 'math > fails',
      message: expect.stringContaining('Expected: 2\nReceived: 1'),
    });
  });
});

describe('builds that failed', () => {
  it.each([
    ["[ERROR] /p/App.java:[3,5] ';' expected", '/p/App.java:[3,5]', "';' expected"],
    ["/p/src/App.java:3: error: ';' expected", '/p/src/App.java:3', "';' expected"],
    ['e: file:///p/App.kt:3:5 Unresolved reference: x', '/p/App.kt:3:5', 'Unresolved reference: x'],
    ['/p/A.cs(3,5): error CS1002: ; expected [/p/a.csproj]', '/p/A.cs(3,5)', 'CS1002: ; expected'],
    ["src/a.ts(3,5): error TS2322: Type 'x'", 'src/a.ts(3,5)', "TS2322: Type 'x'"],
    ['** (CompileError) lib/a.ex:3: undefined function x/0', 'lib/a.ex:3', 'undefined function x/0'],
    ['PHP Parse error:  syntax error, unexpected "}" in /p/a.php on line 7', '/p/a.php:7', 'syntax error, unexpected "}"'],
  ])('%s', (line, name, message) => {
    expect(readBuildErrors(['noise', line, line, 'more'])).toEqual([{ name, message }]);
  });
  it('Cargo', () => {
    const lines =
      'error[E0308]: mismatched types\n --> src/lib.rs:1:21\n  |\n\nerror: could not compile `sums` (lib) due to 1 previous error';
    expect(readBuildErrors(lines.split('\n'))).toEqual([{ name: 'src/lib.rs:1:21', message: 'mismatched types' }]);
    expect(readBuildErrors(['error: no such command: `tset`'])).toEqual([]);
  });
  it('reads hostile lines in time', () => {
    const hostile = ['[ERROR] ', 'a.java:', '(1,', 'e: ', '.cs', 'PHP Parse error: in '].map((part) =>
      part.repeat(300).slice(0, 2000),
    );
    expect(readBuildErrors(Array.from({ length: 2000 }, () => hostile).flat())).toEqual([]);
  });
});

describe('any text', () => {
  it('gives no report where there is none', () => {
    for (const text of [
      '',
      'all fine\n',
      '3 failed attempts\n',
      'ok 1 - x',
      'tests: 5',
      '{"a":1}\n',
      'FAIL\n',
      'Ran out of memory',
    ])
      expect(readReport(text).report).toBeUndefined();
  });
  it('adds up several runners of one script', () => {
    const both = `${recorded('jest-29.txt')}\n${recorded('mocha-11.txt')}`;
    expect(counts(reportOf(both))).toEqual([2, 4, 2]);
  });
  it('reads hostile lines in time, and never throws', () => {
    const words = fc.constantFrom(
      '--- FAIL: ',
      ' FAIL  ',
      '  ● ',
      'not ok 1 - ',
      '# Subtest: ',
      '# fail 1',
      'Tests:  ',
      '=====',
      '____ x ____',
      '{"Action":"fail","Test":"a/b"}',
      '\n',
      '  1) ',
      ' (',
      '1ms)',
      ' [',
      ']',
      'ERROR: ',
      '\\',
      'FAILED ',
      '::',
      ' - ',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 80 }), (list) => void readReport(list.join(''))),
      { numRuns: 300 },
    );
    const long = ['not ok 1 - ', '✖ ', ' FAIL  ', 'FAILED ', '  Failed ', '', '1 failed, ']
      .map((start) => start + '( [1 ms, '.repeat(200_000))
      .join('\n');
    readReport(long);
  });
  it('keeps messages short', () => {
    const block = Array.from({ length: 100 }, (_, index) => `    line ${index} ${'x'.repeat(50)}`);
    expect(messageOf(block).split('\n').length).toBeLessThanOrEqual(15);
    expect(messageOf(['  a', '', '', '    b', '      at x (y:1)', '      at x (y:2)', '      at x (y:3)'])).toBe(
      'a\n  b\n    at x (y:1)\n    at x (y:2)',
    );
  });
});
