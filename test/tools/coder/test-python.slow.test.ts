/** `test` on real Python projects: pytest and unittest. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testTool } from '../../../src/tools/coder/test.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { ToolResult } from '../../../src/types/tool.js';
import { type PlainContext, plainContext } from './plain-context.js';

function project(files: Record<string, string>, env: Record<string, string> = {}): PlainContext {
  // Plugins of the machine would only slow the start down.
  const plain = plainContext({ env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', ...env } });
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

describe('Python', () => {
  const tests = {
    'tests/test_a.py': `import unittest
class T(unittest.TestCase):
    def test_ok(self): pass
    def test_bad(self): self.assertEqual(1, 2, 'numbers differ')
    @unittest.skip('later')
    def test_later(self): pass
`,
    'tests/test_b.py': 'import unittest\nclass U(unittest.TestCase):\n    def test_fine(self): pass\n',
  };
  /** A PATH whose only program is a Python that says it has no pytest: the search for it is answered with no. */
  const withoutPytest = (): Record<string, string> => {
    const bin = mkdtempSync(join(tmpdir(), 'python-'));
    const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim();
    writeFileSync(join(bin, 'python3'), `#!/bin/sh\ncase "$*" in *find_spec*) exit 1 ;; esac\nexec '${python}' "$@"\n`);
    chmodSync(join(bin, 'python3'), 0o755);
    return { PATH: bin };
  };
  it('pytest', async (context) => {
    need(context, 'python3', '-m', 'pytest', '--version');
    const plain = project({
      ...tests,
      'pyproject.toml': '[tool.pytest.ini_options]\n',
      'test_func.py': 'import pytest\n@pytest.mark.parametrize("n", [1, 2])\ndef test_n(n):\n    assert n == 1\n',
    });
    const result = await run(plain);
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:1' });
    expect(counts(result)).toEqual([3, 2, 1]);
    expect(result.output).toMatch(/^pytest: 3 passed, 2 failed, 1 skipped - exit code: 1/);
    expect(result.output).toMatch(/tests\/test_a\.py::T::test_bad\n {3}AssertionError: 1 != 2 : numbers differ\n/);
    expect(result.output).toMatch(/test_func\.py::test_n\[2\]\n {3}assert 2 == 1\n/);
    expect(counts(await run(plain, { pattern: 'test_b.py' }))).toEqual([1, 0, 0]);
    expect(counts(await run(plain, { dir: 'tests' }))).toEqual([2, 1, 1]);
  });
  it('pytest that collects nothing or cannot load a file', async (context) => {
    need(context, 'python3', '-m', 'pytest', '--version');
    expect(await run(project({ 'pytest.ini': '[pytest]\n', 'test_none.py': '' }))).toMatchObject({
      isError: true,
      code: 'NotFound',
    });
    const broken = await run(project({ 'pytest.ini': '[pytest]\n', 'test_x.py': 'import nothing_like_this\n' }));
    expect(broken).toMatchObject({ isError: true, code: 'ExitCode:2' });
    expect(broken.output).toMatch(/1\. test_x\.py\n[\s\S]*No module named 'nothing_like_this'/);
  });
  it('unittest, also in folders that are no packages', async (context) => {
    need(context, 'python3', '--version');
    const plain = project(tests, withoutPytest());
    const result = await run(plain);
    expect(result.output).toMatch(/^python -m unittest: 2 passed, 1 failed, 1 skipped - exit code: 1/);
    expect(result.output).toMatch(/1\. test_bad \(.*\)\n[\s\S]*AssertionError: 1 != 2 : numbers differ/);
    expect(counts(await run(plain, { pattern: 'test_b*' }))).toEqual([1, 0, 0]);
  });
  it('a project that means pytest is not run with another', async (context) => {
    need(context, 'python3', '--version');
    await expect(run(project({ ...tests, 'pytest.ini': '' }, withoutPytest()))).rejects.toThrow('pip install pytest');
  });
});
