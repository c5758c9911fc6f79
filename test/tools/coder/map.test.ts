import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mapTool } from '../../../src/tools/coder/map.js';
import { MAP_LIMIT } from '../../../src/tools/shared/map-tool.js';
import { type MapBench, makeMapBench } from '../../code/map/helpers.js';

let bench: MapBench;
beforeEach(async () => {
  bench = await makeMapBench();
});
afterEach(() => bench.remove());

const run = (args: Parameters<MapBench['run']>[1] = {}) => bench.run(mapTool, args);

describe('@coder map', () => {
  it('lists each file with its declarations, the most used first', async () => {
    bench.put('src/util.ts', 'export function helper(a: number): string {\n  return `${a}`;\n}\n');
    for (const name of ['a', 'b', 'c'])
      bench.put(
        `src/${name}.ts`,
        `import { helper } from './util.js';\nexport class ${name.toUpperCase()} {\n  go() { return helper(1); }\n}\nexport const x${name} = 1;\n`,
      );
    const { output, isError } = await run();
    expect(isError).toBe(false);
    expect(output.split('\n').slice(0, 3)).toEqual([
      'Map of the workspace: 4 source files, 10 declarations; most used first',
      'src/util.ts',
      '  L1 export function helper(a: number): string (to L3)',
    ]);
    expect(output).toContain('src/a.ts\n  L2 export class A (to L4)\n    L3 go()\n');
    expect(output).not.toContain('left out');
  });

  it('has the order of the seed where nothing refers to anything: more declarations first, then the path', async () => {
    bench.put('z.py', 'def a(): pass\ndef b(): pass\n');
    bench.put('b.py', 'def a(): pass\n');
    bench.put('a.py', 'def c(): pass\n');
    expect(await bench.order()).toEqual(['z.py', 'a.py', 'b.py']);
  });

  it('leaves out the list of the seed and what ignore files name', async () => {
    for (const dir of ['.git', 'node_modules/x', 'vendor', 'dist', 'build', '.hidden', 'out', 'gen', 'secret'])
      bench.put(`${dir}/a.go`, 'package a\nfunc A() {}\n');
    bench.put('.dot.go', 'package a\nfunc A() {}\n');
    bench.put('x_test.go', 'package a\nfunc TestA() {}\n');
    bench.put('x.go', 'package a\nfunc A() {}\n');
    bench.put('.gitignore', 'out/\n');
    bench.put('.ignore', 'gen/\n');
    bench.put('.chatignore', 'secret/\n');
    expect(await bench.order()).toEqual(['x.go']);
    expect(await bench.order({ dir: 'vendor' })).toEqual(['vendor/a.go']);
  });

  it('says so when there is nothing to map', async () => {
    expect((await run()).output).toBe('Map of the workspace: no source files of a language with a parser.');
    bench.put('notes.md', '# x\n');
    expect((await run()).output).toContain('no source files');
  });

  it('never exceeds its budget, and says what it left out', async () => {
    for (let i = 0; i < 40; i++)
      bench.put(`pkg/file${i}.py`, Array.from({ length: 12 }, (_, n) => `def f${i}_${n}(first, second):\n    pass\n`).join('\n'));
    const usual = (await run()).output;
    for (let budget = 1; budget < 700; budget += budget < 120 ? 1 : 23) {
      const { output } = await run({ budget });
      expect(output.length, `budget ${budget}`).toBeLessThanOrEqual(budget);
      expect(output, `budget ${budget}`).toMatch(/…|left out/);
      expect(output.length).toBeGreaterThan(0);
    }
    expect((await run({ budget: 50 })).output).toBe('… 40 files, budget too small');
    expect(usual.length).toBeLessThanOrEqual(8000);
    expect(usual).toMatch(/\n {2}… \d+ more\n/);
    expect((await run({ budget: 2000 })).output).toMatch(/\.\.\. \[\d+ of 40 files left out for the budget; .*\] \.\.\.$/);
    for (const budget of [0, -5]) expect((await run({ budget })).output).toBe(usual);
    const all = (await run({ budget: 10_000_000 })).output;
    expect(all.length).toBeLessThanOrEqual(MAP_LIMIT);
    expect(all).toContain(`(a budget of 10000000 is more than is given at once: ${MAP_LIMIT})`);
    expect(all).not.toContain('left out');
    expect(mapTool.limit).toBe(MAP_LIMIT);
  });

  describe('of files that are one class, or stand in one namespace', () => {
    const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('\n');
    const TREES: readonly (readonly [
      name: string,
      wrapped: (methods: string) => string,
      type: string,
      line: (i: number) => string,
    ])[] = [
      ['java', (text) => `package a.b;\npublic class T0 {\n${text}\n}\n`, 'T0', (i) => `  public int m${i}(int a) { return a; }`],
      [
        'rb',
        (text) => `module Shop\nclass T0\n${text}\nend\nclass T1\n${text}\nend\nend\n`,
        'T1',
        (i) => `  def m${i}(a)\n  end`,
      ],
      [
        'cs',
        (text) => `namespace Shop { class T0 {\n${text}\n}\nclass T1 {\n${text}\n} }\n`,
        'T1',
        (i) => `  public int M${i}(int a) { return a; }`,
      ],
      [
        'cpp',
        (text) => `namespace shop { class T0 {\npublic:\n${text}\n};\nclass T1 {\npublic:\n${text}\n}; }\n`,
        'T1',
        (i) => `  int m${i}(int a);`,
      ],
      [
        'php',
        (text) => `<?php\nnamespace A\\B {\nclass T0 {\n${text}\n}\nclass T1 {\n${text}\n}\n}\n`,
        'T1',
        (i) => `  public function m${i}(int $a): int { return $a; }`,
      ],
      ['py', (text) => `class T0:\n${text}\nclass T1:\n${text}\n`, 'T1', (i) => `    def m${i}(self, a):\n        return a`],
      [
        'ts',
        (text) => `export namespace N {\nexport class T0 {\n${text}\n}\nexport class T1 {\n${text}\n} }\n`,
        'T1',
        (i) => `  m${i}(a: number): number { return a; }`,
      ],
    ];
    for (const [ext, wrapped, type, line] of TREES)
      it(`uses its budget level by level: ${ext}`, async () => {
        for (const [i, count] of [60, 200, 5, 30].entries()) bench.put(`f${i}.${ext}`, wrapped(many(count, line)));
        let before = 0;
        for (let budget = 500; budget <= 20_000; budget += budget < 2000 ? 250 : 1500) {
          const { output } = await run({ budget });
          expect(output.length).toBeLessThanOrEqual(budget);
          const shown = output.match(/^ +L\d/gm)?.length ?? 0;
          expect(shown).toBeGreaterThanOrEqual(before);
          before = shown;
          expect(shown >= 300 || /… \d+ more/.test(output)).toBe(true);
          if (budget >= 1500) expect(output).toMatch(new RegExp(`\\b${type}\\b`));
          if (budget === 8_000) {
            expect(output.length).toBeGreaterThan(7_500);
            expect(output).toMatch(/\b[mM]4\(/);
            expect((await run({ budget })).output).toBe(output);
          }
        }
      });
  });

  it('keeps to its budget with every note there is', async () => {
    for (let i = 0; i < 6; i++) bench.put(`f${i}.py`, `def f${i}(): pass\n`);
    bench.put('g.ts', '// Code generated by x. DO NOT EDIT.\nexport const g = 1;\n');
    for (let budget = 60; budget < 500; budget += 3) {
      const { output } = await run({ budget, focus: ['nothing-like-this', 'nor-this'] });
      expect(output.length, `budget ${budget}`).toBeLessThanOrEqual(budget);
    }
    const all = (await run({ focus: 'nothing-like-this' })).output;
    expect(all).toMatch(/\(nothing here has to do with "nothing-like-this"\)\n\(not outlined: 1 generated\)$/);
  });

  it('shows the top of a file that is larger than the whole budget', async () => {
    bench.put(
      'big.go',
      `package p\n${Array.from({ length: 190 }, (_, n) => `func Function${n}(a int, b string) error { return nil }`).join('\n')}\n`,
    );
    const { output } = await run({ budget: 1000 });
    expect(output.length).toBeLessThanOrEqual(1000);
    expect(output).toMatch(/big\.go\n {2}L2 func Function0.*\n(?:.*\n)+ {2}… \d+ more/);
  });

  it('brings files and words in focus first, with what they use, and says what is unknown', async () => {
    bench.put('src/core.ts', 'export function used() {}\n');
    bench.put('src/special.ts', "import { tiny } from './tiny.js';\nexport function special() { tiny(); }\n");
    bench.put('src/tiny.ts', 'export function tiny() {}\n');
    for (let i = 0; i < 8; i++)
      bench.put(`src/u${i}.ts`, `import { used } from './core.js';\nexport const v${i} = used();\nexport const w${i} = 1;\n`);
    expect((await bench.order())[0]).toBe('src/core.ts');
    expect((await bench.order({ focus: ['src/special.ts'] })).slice(0, 2)).toEqual(['src/special.ts', 'src/tiny.ts']);
    expect((await bench.order({ focus: ['./src/special.ts'] }))[0]).toBe('src/special.ts');
    expect((await bench.order({ focus: ['SPECIAL'] }))[0]).toBe('src/special.ts');
    const { output } = await run({ focus: 'special.missing, tiny' });
    expect(output).toContain('(nothing here has to do with "special.missing")');
    expect(output.split('\n')[1]).toBe('src/tiny.ts');
  });

  it('counts what it passed over: generated, minified, binary, huge, guarded', async () => {
    bench.put('a.ts', 'export const a = 1;\n');
    bench.put('g.ts', '// Code generated by x. DO NOT EDIT.\nexport const g = 1;\n');
    bench.put('m.js', `var m=1;${'function f(){};'.repeat(1000)}`);
    bench.put('b.c', Buffer.from([1, 0, 2, 0, 0, 9]));
    bench.put('h.py', `x = 1\n${'# x\n'.repeat(300_000)}`);
    bench.put('.env', 'KEY=very-secret-value\n');
    const { output } = await run();
    expect(output).toContain('(not outlined: 1 over 1 MiB, 1 generated, 1 minified, 1 binary, 1 guarded)');
    expect(output).not.toContain('very-secret');
    expect(await bench.order()).toEqual(['a.ts']);
  });

  it('follows no links and never leaves the workspace', async () => {
    bench.put('../outside/o.ts', 'export const outsideName = 1;\n');
    bench.put('a.ts', 'export const a = 1;\n');
    bench.link('linked', join(bench.base, 'outside'));
    bench.link('o.ts', join(bench.base, 'outside', 'o.ts'));
    symlinkSync('.', join(bench.ws, 'circle'));
    expect(await bench.order()).toEqual(['a.ts']);
    for (const dir of ['linked', '../outside']) expect((await run({ dir })).code).toBe('OutsideWorkspace');
  });

  it('refuses what is no folder', async () => {
    bench.put('a.ts', 'export const a = 1;\n');
    const file = await run({ dir: 'a.ts' });
    expect([file.code, file.output.includes('use outline')]).toEqual(['ENOTDIR', true]);
    expect((await run({ dir: 'missing' })).isError).toBe(true);
    expect((await run({ dir: '' })).isError).toBe(true);
    mkdirSync(join(bench.ws, '.git/hooks'), { recursive: true });
    expect((await run({ dir: '.git' })).code).toBe('InvalidArgs');
  });

  it('shows odd names on one line', async () => {
    bench.put('two\nlines.py', 'def a(): pass\n');
    bench.put('Übersicht 日本.py', 'def b(): pass\n');
    const { output } = await run();
    expect(output).toContain('two\\nlines.py\n  L1 def a()');
    expect(output).toContain('Übersicht 日本.py\n');
    expect((await bench.map()).output).toBe(output);
  });

  it('goes on where a folder or a file cannot be read', async (context) => {
    if (process.getuid?.() === 0) return context.skip('the superuser reads everything');
    bench.put('a.ts', 'export const a = 1;\n');
    bench.put('locked/b.ts', 'export const b = 1;\n');
    const file = bench.put('c.ts', 'export const c = 1;\n', 0o000);
    chmodSync(join(bench.ws, 'locked'), 0o000);
    const { output } = await run();
    chmodSync(join(bench.ws, 'locked'), 0o700);
    rmSync(file);
    expect(output).toContain('(1 folder could not be listed)');
    expect(output).toContain('1 not readable');
  });

  it('gives the same text twice, also from the cache, and stops when told', async () => {
    for (let i = 0; i < 30; i++)
      bench.put(
        `p${i % 4}/m${i}.py`,
        `from p${(i + 1) % 4}.m${(i + 1) % 30} import f${(i + 1) % 30}\ndef f${i}(): return f${(i + 1) % 30}()\n`,
      );
    const first = (await run()).output;
    expect((await run()).output).toBe(first);
    rmSync(join(bench.state, 'cache'), { recursive: true });
    expect((await run()).output).toBe(first);
    const stopped = await mapTool.run({}, { ...bench.context, signal: AbortSignal.abort() });
    expect(stopped.code).toBe('Aborted');
  });

  it('keeps the shape of a real folder: this one', async () => {
    const text = readFileSync(new URL('../../../src/types/code.ts', import.meta.url), 'utf8');
    bench.put('code.ts', text);
    expect((await run()).output).toContain('export interface CodeSymbol');
  });
});
