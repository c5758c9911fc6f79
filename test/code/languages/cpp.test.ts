/** C++: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('C++', () => {
  test.each(['cpp/awkward.cpp'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('cpp/awkward.cpp')).links)).toEqual(['1 <vector> {}']);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('cpp/awkward.cpp')).links;
    for (const name of ['Base', 'ostream', 'Exp']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('cpp/broken.cpp');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['First', 'ok', 'Second', 'after', 'third', 'tail']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `namespace a { ${'namespace a { '.repeat(400)}${'}'.repeat(401)}\n`;
    const { outline } = await readText('deep.cpp', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.cpp', text)).outline.symbols).toEqual([]);
    },
  );
});
