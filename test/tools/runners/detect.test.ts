/** Which runner is found where, and the exact words it is started with. Programs in PATH are empty stand-ins. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectRunners } from '../../../src/tools/runners/detect.js';
import { findTestFiles } from '../../../src/tools/runners/find-test-files.js';
import { nodeTestWords, scriptRunner } from '../../../src/tools/runners/node-script.js';
import { readProject } from '../../../src/tools/runners/project.js';

const bin = mkdtempSync(join(tmpdir(), 'bin-'));
for (const name of [
  'go',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'node',
  'cargo',
  'mvn',
  'gradle',
  'dotnet',
  'phpunit',
  'bundle',
  'rspec',
  'mix',
  'make',
]) {
  writeFileSync(join(bin, name), '#!/bin/sh\n');
  chmodSync(join(bin, name), 0o755);
}

function folder(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'detect-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    if (/gradlew$|mvnw$|\.bin\/|vendor\/bin/.test(path)) chmodSync(join(root, path), 0o755);
  }
  return root;
}

/** The words a call would start, programs without their folder. */
async function words(
  files: Record<string, string>,
  options: { readonly dir?: string; readonly pattern?: string; readonly path?: string } = {},
): Promise<string> {
  const root = folder(files);
  const at = join(root, options.dir ?? '');
  const project = readProject(at, root, { env: { PATH: options.path ?? bin }, signal: new AbortController().signal });
  const [runner] = detectRunners(project);
  const selection =
    options.pattern === undefined ? undefined : await findTestFiles(at, options.pattern, (path) => runner.isTestFile(path));
  const plan = await runner.plan(selection === undefined ? { kind: 'all' } : { kind: 'files', files: selection });
  const where = plan.cwd === root ? '' : ` in ${plan.cwd.slice(root.length + 1)}`;
  return `${plan.file.replace(`${bin}/`, '').replace(`${root}/`, '')} ${plan.args.join(' ')}${where}`.replaceAll(root, 'ROOT');
}

const script = (test: string, more: object = {}): string => JSON.stringify({ scripts: { test }, ...more });
const T = 'test("x", () => {});';

describe('JavaScript', () => {
  it.each([
    ['npm', { 'package.json': script('vitest run') }, 'npm test'],
    ['the manager of the lock file', { 'package.json': script('x'), 'pnpm-lock.yaml': '' }, 'pnpm run test'],
    [
      'the manager named',
      { 'package.json': script('x', { packageManager: 'yarn@4.1.0' }), 'package-lock.json': '' },
      'yarn run test',
    ],
    ['bun', { 'package.json': script('x'), 'bun.lock': '' }, 'bun run test'],
    ['bun without a script', { 'package.json': '{}', 'bun.lock': '', 'a.test.ts': T }, 'bun test '],
    [
      'vitest without a script',
      { 'package.json': '{"devDependencies":{"vitest":"1"}}', 'node_modules/.bin/vitest': '' },
      'node_modules/.bin/vitest run',
    ],
    ['jest without a script', { 'package.json': '{"jest":{}}', 'node_modules/.bin/jest': '' }, 'node_modules/.bin/jest '],
    [
      'mocha without a script',
      { 'package.json': '{}', '.mocharc.json': '{}', 'node_modules/.bin/mocha': '' },
      'node_modules/.bin/mocha ',
    ],
    [
      'node:test without a script',
      { 'package.json': '{}', 'a.test.js': T, 'test/b.js': T, 'lib/c.js': '' },
      'node --test --test-reporter=tap a.test.js test/b.js',
    ],
    [
      'the script of npm init is none',
      { 'package.json': script('echo "Error: no test specified" && exit 1'), 'a.test.mjs': T },
      'node --test --test-reporter=tap a.test.mjs',
    ],
    [
      'no package.json',
      { 'sub/a.test.js': T, 'node_modules/x/x.test.js': T, '.hidden/y.test.js': T },
      'node --test --test-reporter=tap sub/a.test.js',
    ],
    ['a broken package.json', { 'package.json': '{', 'a.test.js': T }, 'node --test --test-reporter=tap a.test.js'],
    ['a byte order mark', { 'package.json': `\ufeff${script('x')}` }, 'npm test'],
  ])('%s', async (_, files, expected) => {
    expect((await words(files as Record<string, string>)).trim()).toBe(expected.trim());
  });
  it.each([
    ['vitest', { 'package.json': script('tsc && vitest run --coverage') }, 'npm test -- t/a.test.ts'],
    [
      'jest',
      { 'package.json': script('NODE_OPTIONS=--x npx jest --ci'), 'yarn.lock': '' },
      'yarn run test --runTestsByPath t/a.test.ts',
    ],
    [
      'vitest in a pipe',
      { 'package.json': script('vitest run | tee log'), 'node_modules/.bin/vitest': '' },
      'node_modules/.bin/vitest run t/a.test.ts',
    ],
    [
      'node:test with its files',
      { 'package.json': script('node --import tsx --test "t/**/*.ts"') },
      'node --import tsx --test t/a.test.ts',
    ],
    [
      'node:test in a shell construct',
      { 'package.json': script('node --test $(ls t)') },
      'node --test --test-reporter=tap t/a.test.ts',
    ],
    ['an unknown script', { 'package.json': script('./run-tests.sh') }, 'npm test -- t/a.test.ts'],
  ])('a pattern goes to %s', async (_, files, expected) => {
    expect(
      await words(
        { ...(files as Record<string, string>), 't/a.test.ts': T, 't/b.spec.ts': T, 't/a.ts': '' },
        { pattern: 'a.test.*' },
      ),
    ).toBe(expected);
  });
  it('a folder below is run by the package above', async () => {
    const files = { 'package.json': script('vitest run'), 'pkg/x/a.test.ts': T, 'b.test.ts': T };
    expect(await words(files, { dir: 'pkg' })).toBe('npm test -- pkg/x/a.test.ts');
    await expect(words({ ...files, 'empty/readme': '' }, { dir: 'empty' })).rejects.toMatchObject({ code: 'NotFound' });
  });
  it('says what is missing', async () => {
    await expect(words({ 'package.json': '{"devDependencies":{"vitest":"1"}}' })).rejects.toThrow('run npm install');
    await expect(words({ 'package.json': script('x') }, { path: '/nowhere' })).rejects.toThrow('npm is not installed');
  });
  it('reads scripts', () => {
    expect(scriptRunner('cross-env CI=1 npx vitest')).toBe('vitest-last');
    expect(scriptRunner('node ./node_modules/jest/bin/jest.js')).toBe('jest-last');
    expect(scriptRunner('jest && echo ok')).toBe('other');
    expect(scriptRunner('node build.js && node --test')).toBe('node');
    expect(scriptRunner('node --test-only-typo-free.js')).toBe('node');
    expect(scriptRunner('')).toBe('other');
    expect(nodeTestWords('node --test --test-reporter spec test/*.js')).toEqual(['--test', '--test-reporter', 'spec']);
    expect(nodeTestWords('node --require "./a b.js" --test')).toBeUndefined();
  });
});

describe('other families', () => {
  const gradle = { 'build.gradle.kts': '', 'src/test/java/x/FooTest.java': '', 'src/main/java/x/Foo.java': '' };
  const maven = { 'pom.xml': '', 'src/test/java/x/FooTest.java': '' };
  it.each([
    ['Go', { 'go.mod': '', 'package.json': script('x') }, {}, 'go test -json ./...'],
    ['Go below', { 'go.mod': '', 'a/x_test.go': '' }, { dir: 'a' }, 'go test -json ./... in a'],
    ['Go, a whole package', { 'go.mod': '', 'a/x_test.go': '', 'b/y_test.go': '' }, { pattern: 'x_*.go' }, 'go test -json ./a'],
    [
      'Go, part of a package',
      { 'go.mod': '', 'x_test.go': 'func TestA(t *testing.T) {}\nfunc TestÉ(t) {}\nfunc help() {}', 'y_test.go': '' },
      { pattern: 'x_test.go' },
      'go test -json -run ^(TestA|TestÉ)$ .',
    ],
    ['Cargo', { 'Cargo.toml': '', 'src/lib.rs': '' }, {}, 'cargo test --no-fail-fast'],
    [
      'Cargo, integration',
      { 'Cargo.toml': '', 'tests/api.rs': '', 'tests/deep/main.rs': '' },
      { pattern: 'tests/**' },
      'cargo test --no-fail-fast --test api --test deep',
    ],
    [
      'Cargo, unit',
      { 'Cargo.toml': '', 'src/lib.rs': 'x', 'src/a/b.rs': '#[test]', 'src/c.rs': '' },
      { pattern: '*.rs' },
      'cargo test --no-fail-fast --lib --bins -- a::b::',
    ],
    ['Gradle', gradle, {}, 'gradle --console=plain test'],
    ['the Gradle wrapper first', { ...gradle, gradlew: '', 'go.mod': '' }, {}, 'gradlew --console=plain test'],
    ['the Gradle wrapper above', { gradlew: '', 'app/build.gradle': '' }, { dir: 'app' }, 'gradlew --console=plain -p app test'],
    ['Gradle, one class', gradle, { pattern: 'Foo*.java' }, 'gradle --console=plain test --tests FooTest'],
    ['Maven', maven, {}, 'mvn -B -ntp -Dstyle.color=never test'],
    ['the Maven wrapper', { ...maven, mvnw: '' }, {}, 'mvnw -B -ntp -Dstyle.color=never test'],
    [
      'Maven, one class',
      maven,
      { pattern: '*Test.java' },
      'mvn -B -ntp -Dstyle.color=never -Dtest=FooTest -Dsurefire.failIfNoSpecifiedTests=false test',
    ],
    ['.NET', { 'x.sln': '', 'T/FooTests.cs': '' }, {}, 'dotnet test --nologo'],
    [
      '.NET, one class',
      { 'x.csproj': '', 'FooTests.cs': '' },
      { pattern: 'Foo*' },
      'dotnet test --nologo --filter FullyQualifiedName~FooTests',
    ],
    [
      'PHPUnit',
      { 'composer.json': '{"require-dev":{"phpunit/phpunit":"^9"}}', 'vendor/bin/phpunit': '' },
      {},
      'vendor/bin/phpunit --colors=never',
    ],
    [
      'PHPUnit, chosen',
      { 'phpunit.xml': '', 'tests/ATest.php': '', 'tests/BTest.php': '' },
      { pattern: '*Test.php' },
      'phpunit --colors=never --filter (ATest|BTest)::',
    ],
    [
      'RSpec',
      { Gemfile: "gem 'rspec'", 'spec/a_spec.rb': '' },
      { pattern: 'a_*' },
      'bundle exec rspec --no-color spec/a_spec.rb',
    ],
    ['RSpec alone', { '.rspec': '' }, {}, 'rspec --no-color'],
    ['Mix', { 'mix.exs': '', 'test/a_test.exs': '' }, { pattern: 'a_test.exs' }, 'mix test --no-color test/a_test.exs'],
    ['Make', { Makefile: 'all:\n\ntest: all\n\ttrue\n' }, {}, 'make -f ROOT/Makefile test'],
    ['Make check', { Makefile: 'test := x\ncheck:\n\ttrue\n' }, {}, 'make -f ROOT/Makefile check'],
  ])('%s', async (_, files, options, expected) => {
    expect(await words(files as unknown as Record<string, string>, options)).toBe(expected);
  });
  it('Make cannot choose files', async () => {
    await expect(words({ Makefile: 'test:\n', 'a.c': '' }, { pattern: '*.c' })).rejects.toMatchObject({ code: 'InvalidArgs' });
  });
  it('nothing found is said, with what was looked for', async () => {
    await expect(words({ 'readme.md': '', Makefile: 'all:\n' })).rejects.toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('No tests were run'),
    });
  });
  it('a missing toolchain is named', async () => {
    await expect(words({ 'go.mod': '' }, { path: '/nowhere' })).rejects.toThrow('this is a Go module, but go is not installed');
  });
  it('the folder itself counts before those above it', async () => {
    expect(await words({ 'go.mod': '', 'web/package.json': script('x') }, { dir: 'web' })).toBe('npm test in web');
  });
});

describe('patterns', () => {
  const files = {
    'package.json': '{}',
    'a.test.js': T,
    'sub/b.test.js': T,
    'sub/deep/c.test.js': T,
    'lib.js': '',
    'sub/odd.js': '',
  };
  const find = async (pattern: string): Promise<string[]> => {
    const root = folder(files);
    return (await findTestFiles(root, pattern.replace('ROOT', root), (path) => /\.test\.js$/.test(path))).map((file) =>
      file.slice(root.length + 1),
    );
  };
  it('match names, or paths when they have a slash', async () => {
    expect(await find('*.test.js')).toEqual(['a.test.js', 'sub/b.test.js', 'sub/deep/c.test.js']);
    expect(await find('{a,c}.test.js')).toEqual(['a.test.js', 'sub/deep/c.test.js']);
    expect(await find('sub/*.js')).toEqual(['sub/b.test.js']);
    expect(await find('./sub/**')).toEqual(['sub/b.test.js', 'sub/deep/c.test.js']);
    expect(await find('ROOT/a.test.js')).toEqual(['a.test.js']);
    expect(await find('b.test.js')).toEqual(['sub/b.test.js']);
  });
  it('find a file by its plain path although its name is none of a test', async () => {
    expect(await find('sub/odd.js')).toEqual(['sub/odd.js']);
  });
  it('that match nothing are NotFound, with what there is', async () => {
    await expect(find('*.py')).rejects.toMatchObject({
      code: 'NotFound',
      message: expect.stringMatching(/a\.test\.js.*No tests were run/),
    });
    await expect(find('../*')).rejects.toMatchObject({ code: 'NotFound' });
    await expect(find('lib*')).rejects.toMatchObject({ code: 'NotFound' });
    await expect(find('*'.repeat(400))).rejects.toMatchObject({ code: 'InvalidArgs' });
  });
  it('are literal where they only look like more', async () => {
    const root = folder({ '[x].test.js': T, 'a$(b).test.js': T });
    expect(await findTestFiles(root, '[x].test.js', () => true)).toEqual([join(root, '[x].test.js')]);
    expect(await findTestFiles(root, 'a$(b).test.js', () => true)).toEqual([join(root, 'a$(b).test.js')]);
  });
});
