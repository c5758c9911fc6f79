/** The scripts on a real Go module: the whole of what the seed promises. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';
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
import { whyDep } from '../../src/skills/why-dep.js';
import type { JsonObject } from '../../src/types/json.js';
import { type Bench, listIn, makeBench, sections } from '../skills/harness.js';

const noGo = which('go', { PATH: process.env['PATH'] ?? '' }) === undefined ? 'go is not installed' : undefined;

const FILES = {
  'go.mod': 'module example.com/shop\n\ngo 1.19\n',
  'cart/cart.go':
    'package cart\n\n// Priced has a price.\ntype Priced interface {\n\tPrice() int\n}\n\ntype Item struct{ Cost int }\n\nfunc (i Item) Price() int { return i.Cost }\n\ntype Gift struct{}\n\nfunc (g *Gift) Price() int { return 0 }\n\nfunc Total(list []Priced) int {\n\tsum := 0\n\tfor _, one := range list {\n\t\tif one.Price() > 1000 {\n\t\t\tsum += 1000\n\t\t\tcontinue\n\t\t}\n\t\tsum += one.Price()\n\t}\n\treturn sum\n}\n\nfunc Forgotten() {}\n',
  'cart/cart_test.go':
    'package cart\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total([]Priced{Item{Cost: 2}}) != 2 {\n\t\tt.Fatal("wrong total")\n\t}\n\tif (Item{Cost: 3}).Price() != 3 {\n\t\tt.Fatal("wrong price")\n\t}\n\t_ = "Forgotten() in a string"\n}\n',
  'ugly.go': 'package shop\nfunc  Ugly( )   {   }\n',
  '_odd/-flag.go': 'package shop\nfunc  Flag( )   {   }\n',
};

describe.skipIf(noGo !== undefined)(`a Go module${noGo === undefined ? '' : ` (skipped: ${noGo})`}`, () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await makeBench({ files: FILES });
  });
  afterAll(() => bench.close());

  it('build-check builds and vets, and leaves nothing behind', async () => {
    const good = await bench.run(buildCheck, {});
    expect(good.text).toMatch(/^\*\*build-check: go build OK, go vet OK\*\*/);
    expect(good.status).toBe('ok');
    bench.put('main/main.go', 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Printf("%d\\n", "x") }\n');
    const vet = await bench.run(buildCheck, { dir: 'main' });
    expect(vet.status).toBe('failed');
    expect(sections(vet.data).map(({ title, state }) => [title, state])).toEqual([
      ['go build', 'clean'],
      ['go vet', 'issues'],
    ]);
    expect(sections(vet.data)[1]?.['findings']).toMatchObject([
      { file: 'main/main.go', line: 5, message: expect.stringContaining('Printf') },
    ]);
    bench.put('main/main.go', 'package main\n\nfunc main() { missing() }\n');
    const bad = await bench.run(buildCheck, {});
    expect(sections(bad.data).map(({ state }) => state)).toEqual(['issues', 'skipped']);
    expect(sections(bad.data)[0]?.['findings']).toMatchObject([{ file: 'main/main.go', line: 3, message: 'undefined: missing' }]);
    bench.put('main/main.go', 'package main\n\nfunc main() {}\n');
    expect((await bench.run(buildCheck, { dir: 'main' })).status).toBe('ok');
    expect(readdirSync(join(bench.root, 'main'))).toEqual(['main.go']);
  });

  it('run-tests counts, and names the failing tests with what they said', async () => {
    const green = await bench.run(runTests, {});
    expect(green).toMatchObject({ status: 'ok', data: { passed: 1, failed: 0, failures: [] } });
    bench.put(
      'cart/bad_test.go',
      'package cart\n\nimport "testing"\n\nfunc TestBad(t *testing.T) { t.Run("sub case", func(t *testing.T) { t.Error("it is 3\\nnot 4") }) }\n',
    );
    const red = await bench.run(runTests, {});
    expect(red.status).toBe('failed');
    expect(red.text).toMatch(/^\*\*run-tests: FAILED: go test: 1 passed, \d failed/);
    const failures = red.data['failures'] as JsonObject[];
    expect(failures.map(({ name }) => name)).toContain('example.com/shop/cart TestBad/sub_case');
    expect(JSON.stringify(failures)).toContain('it is 3');
    bench.put('cart/bad_test.go', 'package cart\n');
    expect(await bench.run(runTests, { dir: 'main' })).toMatchObject({ status: 'not-available' });
  });

  it('run-coverage tells each function, without a file of its own', async () => {
    const before = readdirSync(bench.root);
    const [one, two] = await Promise.all([bench.run(runCoverage, { dir: 'cart' }), bench.run(runCoverage, { pkg: './cart' })]);
    for (const outcome of [one, two]) {
      expect(outcome.status).toBe('ok');
      const section = sections(outcome.data)[0] ?? {};
      expect(section['total']).toBeGreaterThan(50);
      expect(section['functions']).toContainEqual({
        file: 'example.com/shop/cart/cart.go',
        line: 16,
        name: 'Total',
        percent: 71.4,
      });
      expect(section['functions']).toContainEqual({ file: 'example.com/shop/cart/cart.go', line: 14, name: 'Price', percent: 0 });
    }
    expect(readdirSync(bench.root)).toEqual(before);
  });

  it('find-untested keeps methods of different types apart, in order', async () => {
    const { data } = await bench.run(findUntested, { dir: 'cart' });
    expect(listIn(data, 'untested').map(({ owner, name, line }) => [owner, name, line])).toEqual([
      ['Gift', 'Price', 14],
      [null, 'Forgotten', 28],
    ]);
    expect(data).toMatchObject({ total: 4, tested: 2, complete: true });
  });

  it('format-code really formats, names what it changed, and takes no path for an option', async () => {
    const check = await bench.run(formatCode, { check: true });
    expect(listIn(check.data, 'sections')[0]).toMatchObject({ state: 'issues' });
    expect(bench.read('ugly.go')).toBe(FILES['ugly.go']);
    const one = await bench.run(formatCode, { file: '_odd/-flag.go' });
    expect(one.data['changed']).toEqual(['_odd/-flag.go']);
    expect(bench.read('_odd/-flag.go')).toBe('package shop\n\nfunc Flag() {}\n');
    const all = await bench.run(formatCode, {});
    expect(all.text).toMatch(/^\*\*format-code: 1 file changed\*\*/);
    expect(all.data['changed']).toEqual(['ugly.go']);
    expect(bench.read('ugly.go')).toBe('package shop\n\nfunc Ugly() {}\n');
    expect((await bench.run(formatCode, {})).text).toMatch(/gofmt DONE/);
    bench.put('broken.go', 'package shop\nfunc {\n');
    const broken = await bench.run(formatCode, { file: 'broken.go' });
    expect(broken.status).not.toBe('not-available');
    expect(broken.data['changed']).toEqual([]);
    bench.put('ugly.go', FILES['ugly.go']);
    const mixed = await bench.run(formatCode, {});
    expect(mixed).toMatchObject({ status: 'failed', changed: [join(bench.root, 'ugly.go')], data: { changed: ['ugly.go'] } });
    expect(bench.read('ugly.go')).toBe('package shop\n\nfunc Ugly() {}\n');
    bench.put('broken.go', 'package shop\n');
  });

  it('says NOT AVAILABLE with a way to get it, and never CLEAN, for what is not installed', async (context) => {
    if (which('staticcheck', { PATH: process.env['PATH'] ?? '' })) context.skip('staticcheck is installed here');
    const lint = await bench.run(scanLint, {});
    expect(sections(lint.data).map(({ title, state }) => [title, state])).toEqual([
      ['go vet', 'clean'],
      ['staticcheck', 'not-available'],
    ]);
    expect(lint.text).toContain('go install honnef.co/go/tools');
    const audit = await bench.run(auditDeps, {});
    if (audit.data['notAvailable'] !== undefined && String(audit.data['notAvailable']).includes('govulncheck'))
      expect([audit.status, sections(audit.data)[0]?.['state']]).toEqual(['not-available', 'clean']);
    if (which('goimports', { PATH: process.env['PATH'] ?? '' })) context.skip('goimports is installed here');
    const imports = await bench.run(fixImports, {});
    expect(imports).toMatchObject({ status: 'not-available' });
    expect(imports.text).toContain('go install golang.org/x/tools/cmd/goimports');
  });

  it('check-deps changes no file', async () => {
    bench.put('dep.go', 'package shop\n\nimport _ "example.com/nowhere/else"\n');
    const before = [bench.read('go.mod'), existsSync(join(bench.root, 'go.sum'))];
    const outcome = await bench.run(checkDeps, {});
    expect([bench.read('go.mod'), existsSync(join(bench.root, 'go.sum'))]).toEqual(before);
    const imports = sections(outcome.data).find(({ title }) => title === 'imports');
    expect(imports).toMatchObject({ state: 'issues' });
    expect(imports?.['summary']).toContain('example.com/nowhere/else');
    bench.put('dep.go', 'package shop\n');
    const good = await bench.run(checkDeps, {});
    expect(sections(good.data).map(({ state }) => state)).not.toContain('issues');
  });

  it('why-dep passes its argument as data', async () => {
    for (const module of ['example.com/none', '-h', "x'; touch planted; '", '$(touch planted)'])
      expect((await bench.run(whyDep, { module })).data).toMatchObject({ module });
    expect(existsSync(join(bench.root, 'planted'))).toBe(false);
  });

  it('map-project finds interfaces, structs and functions', async () => {
    const { text, data } = await bench.run(mapProject, {});
    for (const title of ['## Project Tree', '## Interfaces', '## Structs', '## Functions']) expect(text).toContain(title);
    expect(data['interfaces']).toMatchObject([{ file: 'cart/cart.go', line: 4, text: 'type Priced interface {' }]);
    expect(listIn(data, 'structs').map(({ text: line }) => line)).toEqual(['type Item struct{ Cost int }', 'type Gift struct{}']);
    expect(listIn(data, 'functions').length).toBeGreaterThan(5);
  });
});
