/** Hundreds of real files against the parsers of the languages themselves. */
import { describe, expect, it } from 'vitest';
import { compareGo, goSources } from '../code/languages/go-reference.js';
import { comparePython, pythonSources } from '../code/languages/python-reference.js';
import { compareTypescript } from '../code/languages/typescript-compare.js';

/** Source that is wrong on purpose. */
const onPurpose = (path: string) => /testdata|badsyntax|bad_coding|lib2to3/.test(path);
/** One test of CPython 3.11 breaks calls over lines in a way the grammar cannot read; a fault is told, and part of it is lost. */
const beyondGrammar = (path: string) => /\/test\/test_compile\.py/.test(path);

describe('the same declarations, kinds and lines', () => {
  it('as go/ast finds in its whole library', async ({ skip }) => {
    const sources = goSources();
    if ('missing' in sources) return skip(sources.missing);
    const { files, declarations, different, faulty } = await compareGo(sources.folder, 1500);
    expect(different).toEqual([]);
    expect(faulty.filter((path) => !onPurpose(path))).toEqual([]);
    expect(files).toBeGreaterThan(1000);
    expect(declarations).toBeGreaterThan(30_000);
  }, 600_000);

  it('as ast of Python finds in its whole library', async ({ skip }) => {
    const sources = pythonSources();
    if ('missing' in sources) return skip(sources.missing);
    const { files, declarations, different, faulty } = await comparePython(sources.folder, 2000);
    expect(different.filter((path) => !beyondGrammar(path))).toEqual([]);
    expect(faulty.filter((path) => !onPurpose(path) && !beyondGrammar(path))).toEqual([]);
    expect(files).toBeGreaterThan(500);
    expect(declarations).toBeGreaterThan(20_000);
  }, 600_000);

  it('as the TypeScript compiler finds in all installed packages and here', async () => {
    for (const [folder, name, least] of [
      ['node_modules', /\.d\.[mc]?ts$/, 800],
      ['node_modules', /\.[mc]?js$/, 800],
      ['src', /\.ts$/, 300],
      ['test', /\.ts$/, 200],
    ] as const) {
      const { files, different, faulty } = await compareTypescript(folder, name, 100_000);
      expect(different).toEqual([]);
      // The grammar does not know every new word; what it lists is right all the same.
      expect(faulty.length).toBeLessThan(files / 100);
      expect(files).toBeGreaterThan(least);
    }
  }, 600_000);
});
