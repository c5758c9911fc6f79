/** C#: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('C#', () => {
  test.each(['csharp/awkward.cs', 'csharp/program.cs'])(
    '%s: names, kinds, visibility, lines, nesting and signatures',
    async (path) => {
      const { outline } = await readFixture(path);
      expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
    },
  );

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('csharp/awkward.cs')).links)).toEqual([
      '1 System {*}',
      '2 System.Math {*}',
      '3 System.Collections.Generic {List as Alias}',
      '4 System.Linq {*}',
    ]);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('csharp/awkward.cs')).links;
    for (const name of ['IRepo', 'EventHandler', 'IEnumerable']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('csharp/broken.cs');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['A', 'First', 'Ok', 'Second', 'After', 'Third', 'Tail']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `class A { ${'class A { '.repeat(400)}${'}'.repeat(401)}\n`;
    const { outline } = await readText('deep.cs', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.cs', text)).outline.symbols).toEqual([]);
    },
  );
});
