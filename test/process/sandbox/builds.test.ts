/** The daily work of package managers, compilers and test runners in a real bubblewrap, all of it offline. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { which } from '../../../src/process/which.js';
import { type Confinement, makeConfinement, runIn, whyNot } from './confined.js';

const reason = await whyNot();
const places: Confinement[] = [];
afterAll(() => {
  for (const place of places) place.remove();
});

/** A place for one build, or a skip that says what is missing. */
function placeFor(context: TestContext, ...programs: string[]): Confinement {
  if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
  const missing = programs.find((name) => which(name, { PATH: process.env['PATH'] ?? '' }) === undefined);
  if (missing !== undefined) context.skip(`${missing} is not installed`);
  const place = makeConfinement();
  places.push(place);
  return place;
}

describe('node', () => {
  it('npm installs a local package, builds and tests', async (context) => {
    const place = placeFor(context, 'npm', 'node');
    place.write(join(place.home, '.npmrc'), '//registry.example.invalid/:_authToken=TOKEN\n');
    place.write('lib/package.json', '{"name":"lib","version":"1.0.0","main":"index.js","bin":{"libtool":"tool.js"}}');
    place.write('lib/index.js', 'module.exports = () => 42;\n');
    place.write('lib/tool.js', '#!/usr/bin/env node\nconsole.log("tool");\n');
    const scripts = {
      build: "node -e \"require('fs').writeFileSync('built.txt', String(require('lib')()))\"",
      test: 'node --test',
    };
    place.write(
      'package.json',
      JSON.stringify({ name: 'app', version: '1.0.0', private: true, scripts, dependencies: { lib: 'file:./lib' } }),
    );
    place.write(
      'app.test.js',
      "const t=require('node:test');t('answer',()=>{if(require('lib')()!==42)throw new Error('no')});\nt('temporary files',()=>{const fs=require('fs');fs.rmdirSync(fs.mkdtempSync(require('os').tmpdir()+'/x-'))});\n",
    );
    for (const mode of ['workspace'] as const) {
      const ran = await runIn(
        place,
        place.sandbox({ mode }),
        'npm install --no-audit --no-fund --offline && npm run --silent build && cat built.txt && npm test --silent && npx --offline libtool && rm -rf node_modules built.txt',
      );
      expect(ran.code, ran.output).toBe(0);
      expect(ran.output).toMatch(/42[\s\S]*pass 2[\s\S]*tool\n$/);
      expect(ran.output).not.toMatch(/EROFS|EACCES|TOKEN/);
    }
    expect(existsSync(join(place.home, '.npm/_logs'))).toBe(true);
  });
});

describe('python', () => {
  it('makes an environment, compiles and tests', async (context) => {
    const place = placeFor(context, 'python3');
    place.write('calc.py', 'def answer():\n    return 42\n');
    place.write(
      'test_calc.py',
      'import unittest, calc\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(calc.answer(), 42)\n',
    );
    const ran = await runIn(
      place,
      place.sandbox(),
      'python3 -m unittest -q && python3 -m compileall -q . && python3 -c "import multiprocessing as m; m.Lock(); print(m.get_context().Queue is not None)"',
      {
        env: { PYENV_ROOT: process.env['PYENV_ROOT'] ?? '' },
      },
    );
    expect(ran.code, ran.output).toBe(0);
    expect(ran.output).toMatch(/OK\s+True\n$/);
    expect(readdirSync(place.workspace)).toContain('__pycache__');
  });
});
