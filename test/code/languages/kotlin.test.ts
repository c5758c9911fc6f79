/** Kotlin: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('Kotlin', () => {
  test.each(['kotlin/awkward.kt'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('kotlin/awkward.kt')).links)).toEqual([
      '4 java.util {*}',
      '5 kotlin.io {println as p}',
      '6 com.acme {Other}',
    ]);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('kotlin/awkward.kt')).links;
    for (const name of ['Serializable', 'Base', 'lazy']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('kotlin/broken.kt');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['First', 'ok', 'Third', 'tail']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `class A { ${'class A { '.repeat(400)}${'}'.repeat(401)}\n`;
    const { outline } = await readText('deep.kt', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.kt', text)).outline.symbols).toEqual([]);
    },
  );
});
