/** `test` on the other ecosystems: real Go projects; wrapper scripts and stand-ins that print what real runners printed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testTool } from '../../../src/tools/coder/test.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { ToolResult } from '../../../src/types/tool.js';
import { type PlainContext, plainContext } from './plain-context.js';

const RECORDED = resolve(import.meta.dirname, '../runners/outputs');

function project(files: Record<string, string>, env: Record<string, string> = {}): PlainContext {
  const plain = plainContext({ env });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(plain.root, path)), { recursive: true });
    writeFileSync(join(plain.root, path), text);
  }
  return plain;
}

const run = (plain: PlainContext, args: JsonObject = {}): Promise<ToolResult> =>
  testTool.run({ timeout: 100, ...args }, plain.context);
const counts = ({ display }: ToolResult) => (display?.kind === 'tests' ? [display.passed, display.failed, display.skipped] : []);

/** A script that notes its words and prints a recorded output. */
function standIn(path: string, output: string, code: number, noteFile: string): void {
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${noteFile}'\ncat '${output}'\nexit ${code}\n`);
  chmodSync(path, 0o755);
}

/** An environment whose PATH holds only stand-ins and the basics. */
function withStandIn(name: string, output: string, code: number) {
  const bin = realpathSync(mkdtempSync(join(tmpdir(), 'stand-in-')));
  const note = join(bin, 'words');
  standIn(join(bin, name), join(RECORDED, output), code, note);
  return { env: { PATH: `${bin}:/usr/bin:/bin` }, words: () => readFileSync(note, 'utf8').trimEnd().split('\n') };
}

describe('Go', () => {
  const cache = mkdtempSync(join(tmpdir(), 'go-cache-'));
  const go = (files: Record<string, string>) =>
    project(
      { 'go.mod': 'module x\n\ngo 1.18\n', ...files },
      { GOCACHE: cache, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
    );
  const need = (context: { skip(reason: string): void }) => {
    if (spawnSync('go', ['version']).status !== 0) context.skip('go is not installed');
  };
  const GOOD = 'package x\nimport "testing"\nfunc TestGood(t *testing.T) {}\nfunc TestSkip(t *testing.T) { t.Skip("later") }\n';
  const BAD =
    'package x\nimport "testing"\nfunc TestBad(t *testing.T) { t.Run("with space é", func(t *testing.T) { t.Fatal("sub is off") }) }\nfunc TestParent(t *testing.T) { t.Run("fine", func(t *testing.T) {}); t.Error("only the parent") }\n';

  it('red, green, chosen files, none, not to be built', { timeout: 180_000 }, async (context) => {
    need(context);
    const plain = go({ 'good_test.go': GOOD, 'bad_test.go': BAD });
    const red = await run(plain);
    expect(red).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(counts(red)).toEqual([2, 2, 1]);
    expect(red.output).toMatch(
      /1\. x TestBad\/with_space_é\n {3}bad_test\.go:3: sub is off\n2\. x TestParent\n {3}bad_test\.go:4: only the parent\n/,
    );
    const green = await run(plain, { pattern: 'good_*' });
    expect(green.isError).toBe(false);
    expect(counts(green)).toEqual([1, 0, 1]);
    await expect(run(plain, { pattern: 'nothing*' })).rejects.toMatchObject({ code: 'NotFound' });
    expect(await run(go({ 'a.go': 'package x\n' }))).toMatchObject({ isError: true, code: 'NotFound' });

    const broken = await run(
      go({ 'good/g_test.go': GOOD, 'broken/b_test.go': 'package b\nimport "testing"\nfunc TestB(t *testing.T) { missing() }\n' }),
    );
    expect(broken.isError).toBe(true);
    expect(broken.output).toMatch(
      /1\. x\/broken.* \((build failed|setup failed).*\)\n {3}broken\/b_test\.go:3:28: undefined: missing/,
    );
  });
});

describe('Maven and Gradle through their wrapper scripts', () => {
  const javaFiles = { 'src/test/java/My1Test.java': 'class My1Test {}', 'src/test/java/OtherTest.java': 'class OtherTest {}' };

  it('Maven: red, chosen, and not to be built', async () => {
    const plain = project({ 'pom.xml': '<project/>', ...javaFiles });
    const note = join(plain.root, 'words');
    standIn(join(plain.root, 'mvnw'), join(RECORDED, 'maven.txt'), 1, note);
    const red = await run(plain);
    expect(red).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(counts(red)).toEqual([26, 2, 1]);
    expect(red.output).toMatch(
      /^mvnw test: 26 passed, 2 failed, 1 skipped.*\nFailing tests:\n1\. My1Test\.fails:34\n {3}Always fails\n/,
    );
    await run(plain, { pattern: 'My1*' });
    expect(readFileSync(note, 'utf8').trim().split('\n')).toEqual([
      '-B',
      '-ntp',
      '-Dstyle.color=never',
      '-Dtest=My1Test',
      '-Dsurefire.failIfNoSpecifiedTests=false',
      'test',
    ]);
    const said = join(plain.root, 'compile.txt');
    writeFileSync(
      said,
      "[INFO] Scanning for projects...\n[ERROR] COMPILATION ERROR : \n[ERROR] /p/src/main/java/App.java:[3,5] ';' expected\n[ERROR] BUILD FAILURE\n",
    );
    standIn(join(plain.root, 'mvnw'), said, 1, note);
    // A checkout that lost the permission to run.
    chmodSync(join(plain.root, 'mvnw'), 0o644);
    const broken = await run(plain);
    expect(broken).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(broken.output).toMatch(
      /\nThe build failed, so that no test could run:\n1\. \/p\/src\/main\/java\/App\.java:\[3,5\]\n {3}';' expected\n/,
    );
  });
  it('Gradle: red, and green by its reports', async () => {
    const plain = project({ 'build.gradle.kts': '', ...javaFiles });
    const note = join(plain.root, 'words');
    standIn(join(plain.root, 'gradlew'), join(RECORDED, 'gradle.txt'), 1, note);
    const red = await run(plain);
    expect(red).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(counts(red)).toEqual([86, 2, 1]);
    expect(red.output).toContain('1. PathParameterTest > testOutput_notWritable_throws()\n');
    const results = join(plain.root, 'build/test-results/test');
    mkdirSync(results, { recursive: true });
    const suite = '<testsuite name="T" tests="3" skipped="1" failures="0" errors="0" time="0.1">';
    writeFileSync(join(results, 'TEST-old.xml'), suite);
    utimesSync(join(results, 'TEST-old.xml'), 1, 1);
    writeFileSync(
      join(plain.root, 'gradlew'),
      `#!/bin/sh\nprintf '%s' '${suite}' > '${results}/TEST-new.xml'\necho 'BUILD SUCCESSFUL in 1s'\n`,
    );
    const green = await run(plain, { pattern: 'OtherTest.java' });
    expect(green.isError).toBe(false);
    expect(counts(green)).toEqual([2, 0, 1]);
  });
});

describe('stand-ins for other runners', () => {
  it.each([
    [
      'dotnet',
      { 'a.csproj': '', 'AddTests.cs': '' },
      'dotnet.txt',
      [4, 1, 2],
      ['test', '--nologo', '--filter', 'FullyQualifiedName~AddTests'],
    ],
    [
      'phpunit',
      { 'phpunit.xml': '', 'tests/AddTest.php': '' },
      'phpunit.txt',
      [1, 2, 1],
      ['--colors=never', '--filter', '(AddTest)::'],
    ],
    ['rspec', { '.rspec': '', 'spec/add_spec.rb': '' }, 'rspec.txt', [1, 1, 1], ['--no-color', 'spec/add_spec.rb']],
    ['mix', { 'mix.exs': '', 'test/add_test.exs': '' }, 'mix.txt', [10, 1, 0], ['test', '--no-color', 'test/add_test.exs']],
  ] as const)('%s', async (name, files, output, expected, words) => {
    const standing = withStandIn(name, output, 1);
    const result = await run(project({ ...files }, standing.env), { pattern: '*{add,Add}*' });
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(counts(result)).toEqual(expected);
    expect(result.output).toMatch(/^.+\nFailing tests:\n1\. \S/);
    expect(standing.words()).toEqual(words);
  });
  it('names a runner that is missing', async () => {
    const plain = project({ 'mix.exs': '' }, { PATH: '/nowhere' });
    await expect(run(plain)).rejects.toMatchObject({ code: 'Failed', message: expect.stringContaining('mix is not installed') });
  });
});

describe('crashes and strange names', () => {
  it('node:test: a file that fails before its first test, a name with spaces', async () => {
    const plain = project({ 'a b ü.test.js': "throw new Error('crash before');" });
    const result = await run(plain, { pattern: 'a b*' });
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(result.output).toMatch(/1\. .*a b ü\.test\.js\n[\s\S]*Error: crash before/);
    expect(existsSync(join(plain.root, 'a b ü.test.js'))).toBe(true);
  });
});
