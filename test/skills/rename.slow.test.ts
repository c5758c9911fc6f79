/** The script `rename-symbol` on real projects: what it leaves compiles and runs. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renameSymbol } from '../../src/skills/rename-symbol.js';
import { type Bench, makeBench } from './harness.js';

const TSC = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

async function inside(files: Record<string, string>, work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await makeBench({ files, allow: ['@rename'] });
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

function has(program: string): boolean {
  try {
    execFileSync(program, ['version']);
    return true;
  } catch {
    return false;
  }
}

describe('rename-symbol', () => {
  it('on a TypeScript project that compiles afterwards', async () => {
    const files = {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","target":"es2022","types":[]},"include":["src"]}',
      'package.json': '{"type":"module"}',
      'src/price.ts':
        'export interface Item { price: number }\n/** total of all */\nexport function total(items: readonly Item[]): number {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\nexport const text = (items: readonly Item[]): string => `total: ${total(items)}`;\n',
      'src/index.ts': "export * from './price.js';\n",
      'src/app.ts':
        "import { total, type Item } from './index.js';\nimport * as all from './price.js';\nconst list: Item[] = [{ price: 1 }];\nexport const report = { total, label: 'total', n: total(list) + all.total(list) };\nexport const t = report.total(list);\n",
    };
    await inside(files, async (bench) => {
      const outcome = await bench.run(renameSymbol, { old: 'total', new: 'sumOf' });
      expect(outcome.status, outcome.text).toBe('ok');
      expect(bench.read('src/app.ts')).toContain("{ total: sumOf, label: 'total', n: sumOf(list) + all.sumOf(list) }");
      expect(bench.read('src/price.ts')).toContain('`total: ${sumOf(items)}`');
      expect(execFileSync(process.execPath, [TSC, '-p', bench.root], { encoding: 'utf8' })).toBe('');
      expect(await bench.run(renameSymbol, { old: 'sumOf', new: 'delete' })).toMatchObject({ status: 'failed' });
    });
  });

  it('on a Python project that runs afterwards', async () => {
    const files = {
      'shop/__init__.py': '',
      'shop/price.py': 'def total(items, rate=1):\n    """total of all"""\n    return sum(items) * rate\n',
      'main.py':
        'from shop.price import total\nimport shop.price as p\n\nprint(f"total {total([1, 2], rate=2)} {p.total([3])}")\n',
    };
    await inside(files, async (bench) => {
      const outcome = await bench.run(renameSymbol, { old: 'total', new: 'sum_of' });
      expect(outcome.status, outcome.text).toBe('ok');
      expect(execFileSync('python3', ['main.py'], { cwd: bench.root, encoding: 'utf8' })).toBe('total 6 3\n');
      expect(bench.read('shop/price.py')).toBe(
        'def sum_of(items, rate=1):\n    """total of all"""\n    return sum(items) * rate\n',
      );
    });
  });

  it('on a Go project whose tests pass afterwards', async (context) => {
    if (!has('go')) context.skip('go is not installed');
    const files = {
      'go.mod': 'module shop\n\ngo 1.19\n',
      'price/price.go':
        'package price\n\n// Total of all.\nfunc Total(items []int) int {\n\tsum := 0\n\tfor _, one := range items {\n\t\tsum += one\n\t}\n\treturn sum\n}\n',
      'price/price_test.go':
        'package price\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total([]int{1, 2}) != 3 {\n\t\tt.Fatal("Total")\n\t}\n}\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\n\t"shop/price"\n)\n\nfunc main() { fmt.Println("Total", price.Total([]int{1})) }\n',
    };
    await inside(files, async (bench) => {
      const outcome = await bench.run(renameSymbol, { old: 'Total', new: 'Sum' });
      expect(outcome.status, outcome.text).toBe('ok');
      expect(bench.read('main.go')).toContain('"Total", price.Sum(');
      execFileSync('go', ['vet', './...'], { cwd: bench.root, stdio: 'pipe' });
      const byFile = await bench.run(renameSymbol, { old: 'Sum', new: 'All', file: 'price/price.go' });
      expect(byFile.status, byFile.text).toBe('ok');
      execFileSync('go', ['vet', './...'], { cwd: bench.root, stdio: 'pipe' });
    });
  }, 60_000);
});
