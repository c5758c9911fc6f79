/** Ruby: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('Ruby', () => {
  test.each(['ruby/awkward.rb'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('ruby/awkward.rb')).links)).toEqual(['1 json {}', '2 ../lib/foo {}']);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('ruby/awkward.rb')).links;
    for (const name of ['Forwardable', 'Foo', 'Bar']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('ruby/broken.rb');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['First', 'ok', 'Third']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `class A; ${'class A; '.repeat(400)}${' end;'.repeat(401)}\n`;
    const { outline } = await readText('deep.rb', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.rb', text)).outline.symbols).toEqual([]);
    },
  );
});
