/** Rust: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('Rust', () => {
  test.each(['rust/awkward.rs'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('rust/awkward.rs')).links)).toEqual([
      '3 std::collections {HashMap}',
      '3 std {fmt}',
      '3 std::fmt {Debug as D}',
      '4 reexport crate::a::b {*}',
      '5 serde {* as s}',
      '21 self::file {}',
      '27 super {*}',
    ]);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('rust/awkward.rs')).links;
    for (const name of ['Future', 'Error', 'vec2']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('rust/broken.rs');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['First', 'a', 'after', 'Third', 'tail']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `mod a { ${'mod a { '.repeat(400)}${'}'.repeat(401)}\n`;
    const { outline } = await readText('deep.rs', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.rs', text)).outline.symbols).toEqual([]);
    },
  );
});
