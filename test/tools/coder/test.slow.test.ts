/** `test` on real projects with real runners: green, red, none, too slow. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testTool } from '../../../src/tools/coder/test.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { ToolResult } from '../../../src/types/tool.js';
import { type PlainContext, plainContext } from './plain-context.js';

const modules = resolve(import.meta.dirname, '../../../node_modules');

function project(files: Record<string, string>, env: Record<string, string> = {}): PlainContext {
  const plain = plainContext({ env });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(plain.root, path)), { recursive: true });
    writeFileSync(join(plain.root, path), text);
  }
  return plain;
}

const run = (plain: PlainContext, args: JsonObject = {}): Promise<ToolResult> =>
  testTool.run({ timeout: 60, ...args }, plain.context);
const counts = ({ display }: ToolResult) => (display?.kind === 'tests' ? [display.passed, display.failed, display.skipped] : []);

/** Skips with its reason where a program is missing. */
function need(context: { skip(reason: string): void }, program: string, ...args: string[]): void {
  if (spawnSync(program, args).status !== 0) context.skip(`${[program, ...args].join(' ')} does not work here`);
}

const NODE_TESTS = {
  'test/math.test.js': `const { describe, it, test } = require('node:test'); const assert = require('node:assert');
describe('math', () => { it('adds', () => {}); it('subtracts', () => { assert.strictEqual(3 - 1, 1, 'difference is off'); }); it.skip('later', () => {}); });
test('throws', () => { throw new Error('boom'); });`,
  'test/good.test.js': "require('node:test').test('good', () => {});",
};

describe('node:test', () => {
  it('leads with counts, names and messages', async () => {
    const result = await run(project(NODE_TESTS));
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(counts(result)).toEqual([2, 2, 1]);
    expect(result.output).toMatch(
      /^node --test: 2 passed, 2 failed, 1 skipped - exit code: 1, \d+\.\d+ s\nFailing tests:\n1\. math > subtracts\n {3}difference is off/,
    );
    expect(result.output).toMatch(/\n2\. throws\n {3}boom\n/);
    expect(result.output).toContain('Output of node --test');
  });
  it('runs what a pattern chooses, and only that', async () => {
    const plain = project({ ...NODE_TESTS, 'package.json': '{"scripts":{"test":"node --test --test-reporter=spec test/"}}' });
    const good = await run(plain, { pattern: 'good.*' });
    expect(good.isError).toBe(false);
    expect(counts(good)).toEqual([1, 0, 0]);
    const bad = await run(plain, { pattern: '**/math.test.js' });
    expect(counts(bad)).toEqual([1, 2, 1]);
    expect(bad.output).toMatch(/1\. subtracts \(test at|1\. subtracts \(test\/math/);
    await expect(run(plain, { pattern: '*.py' })).rejects.toMatchObject({ code: 'NotFound' });
  });
  it('runs the script of package.json', async (context) => {
    need(context, 'npm', '--version');
    const result = await run(project({ ...NODE_TESTS, 'package.json': '{"scripts":{"test":"node --test test/good.test.js"}}' }));
    expect(result.isError).toBe(false);
    expect(result.output).toMatch(/^npm test: 1 passed, 0 failed, 0 skipped - exit code: 0/);
  });
  it('a script that runs no test is no green run', async (context) => {
    need(context, 'npm', '--version');
    const result = await run(project({ 'package.json': '{"scripts":{"test":"node --test none/"}}', 'none/readme': '' }));
    expect(result).toMatchObject({ isError: true });
    const empty = await run(
      project({
        'a.test.js': '',
        'package.json': '{"scripts":{"test":"printf \'TAP version 13\\\\n1..0\\\\n# tests 0\\\\n# pass 0\\\\n# fail 0\\\\n\'"}}',
      }),
    );
    expect(empty).toMatchObject({ isError: true, code: 'NotFound' });
    expect(empty.output).toMatch(/^npm test: no tests were run - exit code: 0.*\nNo tests were run/);
  });
  it('does not take itself for a nested run', async () => {
    const result = await run(project(NODE_TESTS, { NODE_TEST_CONTEXT: 'child-v8' }), { pattern: 'good*' });
    expect(counts(result)).toEqual([1, 0, 0]);
  });
});

describe('vitest', () => {
  const files = {
    'package.json': '{"type":"module","devDependencies":{"vitest":"*"}}',
    'vitest.config.mjs': 'export default { test: { pool: "forks" } };',
    'a.test.js':
      "import { expect, it } from 'vitest'; it('good', () => {}); it('bad', () => { expect(1).toBe(2); }); it.skip('later', () => {});",
    'b.test.js': "import { it } from 'vitest'; it('fine', () => {});",
    'broken.test.js': "throw new Error('cannot load');",
  };
  const plain = project(files);
  symlinkSync(modules, join(plain.root, 'node_modules'));
  it('tells failing tests and files that could not be loaded', async () => {
    const result = await run(plain);
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(counts(result)).toEqual([2, 2, 1]);
    expect(result.output).toMatch(/\d\. a\.test\.js > bad\n {3}AssertionError: expected 1 to be 2/);
    expect(result.output).toMatch(/\d\. broken\.test\.js \(the file could not be loaded\)\n {3}Error: cannot load/);
  });
  it('takes a pattern', async () => {
    const result = await run(plain, { pattern: 'b.test.js' });
    expect(result.isError).toBe(false);
    expect(counts(result)).toEqual([1, 0, 0]);
  });
});

describe('Cargo', () => {
  it('counts all targets', { timeout: 120_000 }, async (context) => {
    // The home of the tests is empty; a toolchain under rustup lies in the real one.
    const rustup = join(userInfo().homedir, '.rustup');
    const env: Record<string, string> = existsSync(rustup) ? { RUSTUP_HOME: rustup } : {};
    if (spawnSync('cargo', ['--version'], { env: { ...process.env, ...env } }).status !== 0)
      context.skip('cargo is not installed');
    const files = {
      'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        '#[cfg(test)]\nmod tests {\n  #[test] fn good() {}\n  #[test] fn bad() { assert_eq!(1, 2, "sums"); }\n  #[test] #[ignore] fn later() {}\n}\n',
      'tests/outer.rs': '#[test] fn outer() {}\n',
    };
    const plain = project(files, { ...env, CARGO_NET_OFFLINE: 'true' });
    const result = await run(plain, { timeout: 110 });
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:101' });
    expect(counts(result)).toEqual([2, 1, 1]);
    expect(result.output).toMatch(
      /1\. tests::bad\n {3}thread 'tests::bad'.* panicked at src\/lib\.rs:4:\d+:\n {3}assertion `left == right` failed: sums/,
    );
    expect(counts(await run(plain, { pattern: 'outer.rs', timeout: 110 }))).toEqual([1, 0, 0]);
    writeFileSync(join(plain.root, 'src/lib.rs'), 'pub fn a() -> i32 { "x" }\n');
    const broken = await run(plain, { timeout: 110 });
    expect(broken).toMatchObject({ isError: true, code: 'ExitCode:101' });
    expect(broken.output).toMatch(
      /\nThe build failed, so that no test could run:\n1\. src\/lib\.rs:1:21\n {3}mismatched types\n/,
    );
  });
});

describe('others', () => {
  it('a Makefile', async (context) => {
    need(context, 'make', '--version');
    const good = await run(project({ Makefile: 'test:\n\t@echo fine\n' }));
    expect(good.isError).toBe(false);
    expect(good.output).toMatch(/^make test: no counts in the output - exit code: 0.*\nOutput of make -f .*\nfine$/);
    expect(await run(project({ Makefile: 'test:\n\t@exit 3\n' }))).toMatchObject({ isError: true, code: 'ExitCode:2' });
  });
  it('a given command, read all the same', async () => {
    const plain = project({});
    const result = await run(plain, {
      cmd: "printf '\\n  3 passing (5ms)\\n  1 failing\\n\\n  1) math adds:\\n     Error: off\\n'; exit 1",
    });
    expect(result).toMatchObject({ code: 'ExitCode:1' });
    expect(result.output).toMatch(
      /^given command: 3 passed, 1 failed, 0 skipped - exit code: 1.*\nFailing tests:\n1\. math adds\n {3}Error: off\n/,
    );
    const hidden = await run(plain, { cmd: "printf '  1 passing\\n  2 failing\\n' || true" });
    expect(hidden).toMatchObject({ isError: true, code: 'Failed' });
    await expect(run(plain, { cmd: 'x', pattern: 'y' })).rejects.toMatchObject({ code: 'InvalidArgs' });
    await expect(run(plain, { cmd: '  ' })).rejects.toMatchObject({ code: 'InvalidArgs' });
  });
  it('kills what takes too long', async () => {
    const result = await run(
      project({ 'slow.test.js': "require('node:test').test('slow', () => new Promise((r) => setTimeout(r, 60000)));" }),
      { timeout: 1 },
    );
    expect(result).toMatchObject({ isError: true, code: 'Timeout' });
    expect(result.output).toContain('killed after 1 s (timeout');
  });
  it('stops on abort', async () => {
    const plain = project({ Makefile: 'test:\n\tsleep 341\n' });
    setTimeout(() => plain.abort.abort(), 300);
    expect(await run(plain)).toMatchObject({ isError: true, code: 'Aborted' });
  });
  it('bounds the output and names the rest', async () => {
    const result = await run(project({}), { cmd: 'seq 1 100000; echo "  1 passing"' });
    expect(result.output.length).toBeLessThan(testTool.limit);
    const log = /whole output is in (\S+)\]/.exec(result.output)?.[1];
    expect(log !== undefined && existsSync(log)).toBe(true);
  });
  it('says which other tests were left alone', async () => {
    const result = await run(
      project({ 'a.test.js': "require('node:test').test('x', () => {});", 'package.json': '{}', Makefile: 'test:\n\ttrue\n' }),
    );
    expect(result.output).toContain('note: other tests here were not run: make test');
  });
  it('has no tests to run', async () => {
    await expect(run(project({ 'readme.md': '' }))).rejects.toMatchObject({ code: 'NotFound' });
    await expect(run(project({}), { dir: '..' })).rejects.toMatchObject({ code: 'OutsideWorkspace' });
  });
  it('is judged by the command it was given, and runs alone', () => {
    expect(testTool.facts({ cmd: 'rm x' })).toMatchObject({ readOnly: false, order: 'alone', command: 'rm x', reads: ['.'] });
    expect(testTool.facts({ dir: 'sub' }).command).toBeUndefined();
  });
});
