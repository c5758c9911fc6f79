/** C: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('C', () => {
  test.each(['c/awkward.c'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('c/awkward.c')).links)).toEqual(['1 <stdio.h> {}', '2 foo/bar.h {}']);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('c/awkward.c')).links;
    for (const name of ['PyObject', 'MODULE_LICENSE', 'node']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('c/broken.c');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['first', 'ok', 'after', 'half']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `struct a { ${'struct a { '.repeat(400)}${'} x;'.repeat(401)}\n`;
    const { outline } = await readText('deep.c', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.c', text)).outline.symbols).toEqual([]);
    },
  );
});
