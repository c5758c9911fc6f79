/** PHP: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('PHP', () => {
  test.each(['php/awkward.php'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('php/awkward.php')).links)).toEqual([
      '5 Foo {Bar as Baz}',
      '5 Q {R}',
      '6 Foo {helper}',
      '7 Foo {A}',
      '7 Foo {B as C}',
      '8 Foo {X}',
      '8 Foo\\Sub {Y as Z}',
      '40 ./a.php {}',
      '40 b.php {}',
    ]);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('php/awkward.php')).links;
    for (const name of ['Base', 'Attribute', 'helper2']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('php/broken.php');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['First', 'ok', 'Second', 'after', 'third']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `<?php if (1) { ${'if (1) { '.repeat(400)}${'}'.repeat(401)}\n`;
    const { outline } = await readText('deep.php', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.php', text)).outline.symbols).toEqual([]);
    },
  );
});
