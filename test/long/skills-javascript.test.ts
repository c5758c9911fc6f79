/** The scripts on a real JavaScript project: npm against a registry on the loopback, Node's own runner, Biome from this repository. */

import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDeps } from '../../src/skills/audit-deps.js';
import { buildCheck } from '../../src/skills/build-check.js';
import { checkDeps } from '../../src/skills/check-deps.js';
import { findUntested } from '../../src/skills/find-untested.js';
import { fixImports } from '../../src/skills/fix-imports.js';
import { formatCode } from '../../src/skills/format-code.js';
import { mapProject } from '../../src/skills/map-project.js';
import { runCoverage } from '../../src/skills/run-coverage.js';
import { runTests } from '../../src/skills/run-tests.js';
import { scanLint } from '../../src/skills/scan-lint.js';
import { updateDeps } from '../../src/skills/update-deps.js';
import { whyDep } from '../../src/skills/why-dep.js';
import { type Bench, listIn, makeBench, sections } from '../skills/harness.js';

/** Speaks as much of a registry's protocol as `outdated` and `audit` need. */
function registry(): Promise<{ server: Server; url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const send = (body: unknown, code = 200) => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    request.resume();
    if (request.url === '/left-thing') {
      const version = (number: string) => ({
        name: 'left-thing',
        version: number,
        dist: { tarball: `http://x/left-thing-${number}.tgz`, integrity: 'sha512-x' },
      });
      return send({
        name: 'left-thing',
        'dist-tags': { latest: '2.1.0' },
        versions: { '1.0.0': version('1.0.0'), '1.0.5': version('1.0.5'), '2.1.0': version('2.1.0') },
      });
    }
    if (request.url === '/-/npm/v1/security/advisories/bulk')
      return send({
        'left-thing': [
          {
            id: 7,
            url: 'http://x/7',
            title: 'It leaks <things>',
            severity: 'high',
            vulnerable_versions: '<1.0.5',
            cwe: [],
            cvss: { score: 7, vectorString: null },
          },
        ],
      });
    send({ error: 'not found' }, 404);
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () =>
      done({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }),
    );
  });
}

const FILES = {
  'package.json': JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    type: 'module',
    scripts: { test: 'node --test', build: 'node build.js' },
    dependencies: { 'left-thing': '^1.0.0' },
  }),
  'package-lock.json': JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'shop', version: '1.0.0', dependencies: { 'left-thing': '^1.0.0' } },
      'node_modules/left-thing': { version: '1.0.0', resolved: 'http://x/left-thing-1.0.0.tgz', integrity: 'sha512-x' },
    },
  }),
  'node_modules/left-thing/package.json': JSON.stringify({ name: 'left-thing', version: '1.0.0' }),
  'build.js': 'console.log("built");\n',
  'src/total.js':
    'export function total(list) {\n  return list.reduce((a, b) => a + b, 0);\n}\n\nexport const twice = (x) => x * 2;\n\nexport class Basket {}\n',
  'src/total.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { total } from './total.js';\n\ntest('adds twice', () => assert.equal(total([1, 2]), 3));\n",
};

describe('an npm project', () => {
  let bench: Bench;
  let closed: Bench;
  let source: Awaited<ReturnType<typeof registry>>;
  beforeAll(async () => {
    source = await registry();
    bench = await makeBench({
      files: FILES,
      env: { npm_config_registry: source.url, npm_config_update_notifier: 'false', npm_config_fetch_retries: '0' },
    });
    // A port nobody listens on.
    closed = await makeBench({
      files: FILES,
      env: { npm_config_registry: 'http://127.0.0.1:9/', npm_config_update_notifier: 'false', npm_config_fetch_retries: '0' },
    });
  });
  afterAll(async () => {
    await Promise.all([bench.close(), closed.close()]);
    source.server.close();
  });

  it('update-deps lists newer versions and updates nothing', async () => {
    const before = bench.read('package-lock.json');
    const { data, text, status } = await bench.run(updateDeps, {});
    expect(text).toContain('left-thing 1.0.0 -> 2.1.0 (1.0.5 within the range)');
    expect([status, sections(data)[0]?.['updates']]).toMatchObject([
      'ok',
      [{ name: 'left-thing', current: '1.0.0', wanted: '1.0.5', latest: '2.1.0' }],
    ]);
    expect(bench.read('package-lock.json')).toBe(before);
  });

  it('audit-deps names the vulnerability; NOT AVAILABLE without the registry', async () => {
    const { data, text } = await bench.run(auditDeps, {});
    expect(source.asked).toContain('POST /-/npm/v1/security/advisories/bulk');
    expect(sections(data)[0]).toMatchObject({
      state: 'issues',
      findings: [{ rule: 'left-thing', severity: 'high', message: expect.stringContaining('It leaks <things>') }],
    });
    expect(text).toMatch(/^\*\*audit-deps: 1 issue/);
    for (const script of [auditDeps, updateDeps]) {
      const outcome = await closed.run(script, {});
      expect(outcome.status, outcome.text).toBe('not-available');
      expect(outcome.text).toContain('ECONNREFUSED');
      expect(outcome.text).not.toMatch(/CLEAN|UP TO DATE/);
    }
  });

  it('check-deps and why-dep tell what npm knows', async () => {
    expect(sections((await bench.run(checkDeps, {})).data)[0]).toMatchObject({ state: 'clean' });
    const why = await bench.run(whyDep, { module: 'left-thing' });
    expect(sections(why.data)[0]).toMatchObject({ needed: true, chains: ['left-thing@1.0.0 <- [prod ^1.0.0] the project'] });
    expect(sections((await bench.run(whyDep, { module: '--version' })).data)[0]?.['needed']).not.toBe(true);
    bench.put('node_modules/left-thing/package.json', JSON.stringify({ name: 'left-thing', version: '3.0.0' }));
    expect(sections((await bench.run(checkDeps, {})).data)[0]).toMatchObject({
      state: 'issues',
      findings: [{ message: expect.stringContaining('invalid: left-thing@3.0.0') }],
    });
    bench.put('node_modules/left-thing/package.json', JSON.stringify({ name: 'left-thing', version: '1.0.0' }));
  });

  it('runs, builds, covers and maps', async () => {
    expect(await bench.run(runTests, {})).toMatchObject({ status: 'ok', data: { passed: 1, failed: 0 } });
    expect((await bench.run(buildCheck, {})).text).toMatch(/^\*\*build-check: npm run build OK/);
    const coverage = await bench.run(runCoverage, {});
    expect(coverage.status, coverage.text).toBe('ok');
    const [first] = sections(coverage.data);
    expect(first?.['total']).toBeGreaterThan(20);
    expect(listIn(first, 'files').map(({ file }) => file)).toContain('src/total.js');
    const map = await bench.run(mapProject, {});
    expect(listIn(map.data, 'structs')[0]).toMatchObject({ file: 'src/total.js', text: 'export class Basket {}' });
    const untested = await bench.run(findUntested, {});
    expect(listIn(untested.data, 'untested').map(({ name }) => name)).toEqual(['twice', 'Basket']);
  });

  it('has no linter and no formatter, and says so', async () => {
    expect(await bench.run(scanLint, {})).toMatchObject({ status: 'not-available' });
    expect(await bench.run(formatCode, {})).toMatchObject({ status: 'not-available' });
  });
});

describe('a TypeScript project with its own copies', () => {
  let bench: Bench;
  beforeAll(async () => {
    const modules = resolve(import.meta.dirname, '../../node_modules');
    const launch = (path: string) => `#!/usr/bin/env node\nimport(${JSON.stringify(`file://${join(modules, path)}`)});\n`;
    bench = await makeBench({
      files: {
        'package.json': JSON.stringify({
          name: 'kit',
          version: '1.0.0',
          devDependencies: { '@biomejs/biome': '*', typescript: '*' },
        }),
        'biome.json': '{}',
        'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] }, include: ['src'] }),
        'node_modules/.bin/tsc': launch('typescript/bin/tsc'),
        'node_modules/.bin/biome': launch('@biomejs/biome/bin/biome'),
        'src/b.ts': "import { z } from './z.js';\nimport { a } from './a.js';\nexport const   sum = a+z\n",
        'src/a.ts': 'export const a = 1;\n',
        'src/z.ts': 'export const z = 1;\n',
        'packages/in/c.ts': 'export const c = 1;\n',
      },
    });
    for (const name of ['tsc', 'biome']) chmodSync(join(bench.root, 'node_modules/.bin', name), 0o755);
  });
  afterAll(() => bench.close());

  it('type-checks and lints by place', async () => {
    expect((await bench.run(buildCheck, {})).text).toMatch(/^\*\*build-check: tsc --noEmit OK/);
    bench.put('src/bad.ts', 'export const n: number = "x";\nvar unused = 1;\nif (n == 1) debugger;\n');
    const build = await bench.run(buildCheck, {});
    expect(sections(build.data)[0]).toMatchObject({
      state: 'issues',
      findings: [{ file: 'src/bad.ts', line: 1, rule: 'TS2322' }],
    });
    const lint = await bench.run(scanLint, {});
    const biome = sections(lint.data).find(({ title }) => title === 'biome lint');
    expect(biome, lint.text).toMatchObject({ state: 'issues' });
    expect(listIn(biome, 'findings').map(({ file }) => file)).toContain('src/bad.ts');
    expect(bench.read('src/bad.ts')).toContain('debugger');
    bench.put('src/bad.ts', 'export const n = 1;\n');
  });

  it('fix-imports sorts imports only, format-code formats, a part of the project included', async () => {
    const imports = await bench.run(fixImports, {});
    expect(imports.data['changed'], imports.text).toEqual(['src/b.ts']);
    expect(bench.read('src/b.ts')).toBe("import { a } from './a.js';\nimport { z } from './z.js';\nexport const   sum = a+z\n");
    const format = await bench.run(formatCode, { file: 'src/b.ts' });
    expect(format.data['changed'], format.text).toEqual(['src/b.ts']);
    expect(bench.read('src/b.ts')).toContain('export const sum = a + z;');
    expect((await bench.run(formatCode, { dir: 'packages/in' })).status).toBe('ok');
  });
});
