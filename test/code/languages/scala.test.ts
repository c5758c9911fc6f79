/** Scala: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('Scala', () => {
  test.each(['scala/two.scala', 'scala/three.scala'])(
    '%s: names, kinds, visibility, lines, nesting and signatures',
    async (path) => {
      const { outline } = await readFixture(path);
      expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
    },
  );

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('scala/two.scala')).links)).toEqual([
      '3 scala.collection.mutable {Map as MMap, *}',
      '4 java.util {List}',
      '5 foo {*}',
    ]);
    expect(importLines((await readFixture('scala/three.scala')).links)).toEqual(['18 reexport foo {bar}']);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('scala/two.scala')).links;
    for (const name of ['Base', 'Mix', 'Ord']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('scala/broken.scala');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['First', 'ok', 'Second', 'Third', 'tail']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `object A {\n${'object A {\n'.repeat(400)}${'}\n'.repeat(401)}\n`;
    const { outline } = await readText('deep.scala', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.scala', text)).outline.symbols).toEqual([]);
    },
  );
});
