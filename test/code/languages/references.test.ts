/** A sample of real files against the parsers of the languages themselves; all of them in test/long. */
import { describe, expect, it } from 'vitest';
import { compareGo, goSources } from './go-reference.js';
import { comparePython, pythonSources } from './python-reference.js';
import { compareTypescript } from './typescript-compare.js';

describe('the same declarations, kinds and lines', () => {
  it('as go/ast finds', async ({ skip }) => {
    const sources = goSources();
    if ('missing' in sources) return skip(sources.missing);
    const { files, different, faulty } = await compareGo(sources.folder, 20);
    expect(different).toEqual([]);
    expect(faulty.filter((path) => !path.includes('testdata'))).toEqual([]);
    expect(files).toBeGreaterThan(15);
  });

  it('as ast of Python finds', async ({ skip }) => {
    const sources = pythonSources();
    if ('missing' in sources) return skip(sources.missing);
    const { files, different, faulty } = await comparePython(sources.folder, 20);
    expect(different).toEqual([]);
    expect(faulty.filter((path) => !path.includes('testdata'))).toEqual([]);
    expect(files).toBeGreaterThan(15);
  });

  it('as the TypeScript compiler finds', async () => {
    for (const [folder, name] of [
      ['node_modules', /\.d\.[mc]?ts$/],
      ['node_modules', /\.[mc]?js$/],
      ['src', /\.ts$/],
    ] as const) {
      const { files, different } = await compareTypescript(folder, name, 10);
      expect(different).toEqual([]);
      expect(files).toBeGreaterThan(7);
    }
  });
});
