/** Java: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('Java', () => {
  test.each(['java/Shape.java'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('java/Shape.java')).links)).toEqual(['4 java.util {*}', '5 java.lang.Math {max}']);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('java/Shape.java')).links;
    for (const name of ['Comparable', 'Visitor', 'HashMap']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('java/Broken.java');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['First', 'ok', 'Second', 'after', 'Third', 'tail']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `class A { ${'class A { '.repeat(400)}${'}'.repeat(401)}\n`;
    const { outline } = await readText('deep.java', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.java', text)).outline.symbols).toEqual([]);
    },
  );
});
