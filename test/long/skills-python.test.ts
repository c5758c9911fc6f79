/** The scripts on a real Python project; what is not installed is said to be missing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';
import { auditDeps } from '../../src/skills/audit-deps.js';
import { buildCheck } from '../../src/skills/build-check.js';
import { checkDeps } from '../../src/skills/check-deps.js';
import { findUntested } from '../../src/skills/find-untested.js';
import { formatCode } from '../../src/skills/format-code.js';
import { mapProject } from '../../src/skills/map-project.js';
import { runCoverage } from '../../src/skills/run-coverage.js';
import { runTests } from '../../src/skills/run-tests.js';
import { scanLint } from '../../src/skills/scan-lint.js';
import { updateDeps } from '../../src/skills/update-deps.js';
import { whyDep } from '../../src/skills/why-dep.js';
import { type Bench, listIn, makeBench, sections } from '../skills/harness.js';

const noPython = which('python3', { PATH: process.env['PATH'] ?? '' }) === undefined ? 'python3 is not installed' : undefined;

const FILES = {
  'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\ndependencies = ["pytest"]\n\n[tool.ruff]\nline-length = 100\n',
  'shop/__init__.py': '',
  'shop/cart.py':
    'from typing import Protocol\n\n\nclass Priced(Protocol):\n    def price(self) -> int: ...\n\n\nclass Item:\n    def price(self):\n        def inner():\n            return 1\n        return inner()\n\n    def _hidden(self):\n        pass\n\n\nclass Gift:\n    def price(self):\n        return 0\n\n\ndef total(items):\n    return sum(one.price() for one in items)\n\n\ndef forgotten():\n    pass\n',
  'tests/test_cart.py':
    'from shop.cart import Item, total\n\n\ndef test_total():\n    assert total([Item()]) == 1\n    assert Item().price() == 1\n',
};

describe.skipIf(noPython !== undefined)(`a Python project${noPython === undefined ? '' : ` (skipped: ${noPython})`}`, () => {
  let bench: Bench;
  let closed: Bench;
  let index: ReturnType<typeof createServer>;
  beforeAll(async () => {
    index = createServer((request, response) => {
      request.resume();
      const isKnown = request.url === '/simple/pytest/';
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html' });
      response.end(
        isKnown ? '<!DOCTYPE html><a href="/files/pytest-9999.0-py3-none-any.whl">pytest-9999.0-py3-none-any.whl</a>' : '',
      );
    });
    await new Promise<void>((done) => index.listen(0, '127.0.0.1', done));
    const env = { PIP_CONFIG_FILE: '/dev/null', PIP_EXTRA_INDEX_URL: '', PIP_FIND_LINKS: '', PYTHONDONTWRITEBYTECODE: '1' };
    const url = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple/`;
    bench = await makeBench({ files: FILES, env: { ...env, PIP_INDEX_URL: url } });
    // A port nobody listens on.
    closed = await makeBench({ files: FILES, env: { ...env, PIP_INDEX_URL: 'http://127.0.0.1:9/simple/' } });
  });
  afterAll(async () => {
    await Promise.all([bench.close(), closed.close()]);
    index.close();
  });

  it('build-check parses every file and names the broken line', async () => {
    expect((await bench.run(buildCheck, {})).text).toMatch(/^\*\*build-check: syntax OK\*\*/);
    bench.put('shop/bad.py', 'x = 1\ndef f(:\n    pass\n');
    bench.put("shop/odd '$(touch planted).py", 'def g(:\n');
    const { data, status } = await bench.run(buildCheck, {});
    expect(status).toBe('failed');
    expect(listIn(sections(data)[0], 'findings').map(({ file, line }) => [file, line])).toEqual([
      ['shop/bad.py', 2],
      ["shop/odd '$(touch planted).py", 1],
    ]);
    bench.put('shop/bad.py', '');
    bench.put("shop/odd '$(touch planted).py", '');
  });

  it('runs the tests and tells which failed', async () => {
    expect(await bench.run(runTests, {})).toMatchObject({ status: 'ok', data: { passed: 1, failed: 0 } });
    bench.put('tests/test_bad.py', 'def test_bad():\n    assert 1 == 2, "it is one"\n');
    const red = await bench.run(runTests, {});
    expect(red).toMatchObject({ status: 'failed', data: { failed: 1 } });
    expect(JSON.stringify(red.data['failures'])).toContain('test_bad');
    bench.put('tests/test_bad.py', '');
  });

  it('finds what no test mentions, methods by class', async () => {
    const { data } = await bench.run(findUntested, {});
    expect(listIn(data, 'untested').map(({ owner, name }) => [owner, name])).toEqual([
      ['Priced', 'price'],
      ['Gift', 'price'],
      [null, 'forgotten'],
    ]);
    const map = await bench.run(mapProject, {});
    expect(listIn(map.data, 'interfaces').map(({ text }) => text)).toEqual(['class Priced(Protocol):']);
  });

  it('never calls clean what did not run', async () => {
    for (const [script, word] of [
      [scanLint, 'ruff'],
      [formatCode, 'ruff'],
      [auditDeps, 'pip'],
    ] as const) {
      const outcome = await bench.run(script, {});
      if (outcome.status === 'not-available') {
        expect(outcome.text, script.name).toContain('NOT AVAILABLE');
        expect(outcome.text).toContain(`pip install ${word}`);
      } else expect(sections(outcome.data).some(({ exitCode }) => exitCode !== null)).toBe(true);
    }
    const coverage = await bench.run(runCoverage, {});
    expect(['ok', 'not-available'], coverage.text).toContain(coverage.status);
    const updates = await closed.run(updateDeps, {});
    expect(updates.status, updates.text).toBe('not-available');
    expect(updates.text).not.toContain('UP TO DATE');
  });

  it('update-deps lists what the index has', async (context) => {
    const { data, text, status } = await bench.run(updateDeps, {});
    if (status === 'not-available') context.skip(`pip cannot be asked here: ${text}`);
    const pytest = listIn(sections(data)[0], 'updates').find(({ name }) => name === 'pytest');
    if (pytest === undefined) context.skip('pytest is not installed for this interpreter');
    expect(pytest).toMatchObject({ latest: '9999.0' });
  });

  it('asks pip about the installed', async (context) => {
    const deps = await bench.run(checkDeps, {});
    if (deps.status === 'not-available') context.skip(`pip is not installed: ${deps.text}`);
    expect(['clean', 'issues']).toContain(sections(deps.data)[0]?.['state']);
    const why = await bench.run(whyDep, { module: 'no-such-thing-here' });
    expect(sections(why.data)[0]).toMatchObject({ needed: false });
    expect(sections((await bench.run(whyDep, { module: 'pytest' })).data)[1]?.['summary']).toContain(
      "the project's own files name it",
    );
    expect(sections((await bench.run(whyDep, { module: '--files' })).data)[0]?.['needed']).not.toBe(true);
  });
});
