/** Shell: the outlines of the fixtures are checked by hand, line for line. */
import { describe, expect, test } from 'vitest';
import { checkedOutline, importLines, namesOf, outlineLines, readFixture, readText } from './outline-lines.js';

describe('Shell', () => {
  test.each(['shell/awkward.sh'])('%s: names, kinds, visibility, lines, nesting and signatures', async (path) => {
    const { outline } = await readFixture(path);
    expect(outlineLines(outline.symbols)).toBe(checkedOutline(path));
  });

  test('what is imported from where', async () => {
    expect(importLines((await readFixture('shell/awkward.sh')).links)).toEqual(['3 ./lib.sh {}', '4 ./other.sh {}']);
  });

  test('names that may be of other files are counted', async () => {
    const { references } = (await readFixture('shell/awkward.sh')).links;
    for (const name of ['bar', 'baz', 'PATH']) expect(references.get(name), name).toBeGreaterThan(0);
  });

  test('a broken file still has its other declarations', async () => {
    const { outline } = await readFixture('shell/broken.sh');
    expect(outline.errorLine).toBeGreaterThan(0);
    expect(namesOf(outline.symbols)).toEqual(expect.arrayContaining(['first', 'third']));
  });

  test('hundreds of levels neither crash nor hang', async () => {
    const text = `a() { ${'a() { '.repeat(400)}${'; }'.repeat(401)}\n`;
    const { outline } = await readText('deep.sh', text);
    expect(namesOf(outline.symbols).length).toBeLessThan(110);
  });

  test.each(['', '\n', '\uFEFF', '\0\0', '} ) ] end', '"', '/*', '#', '{'.repeat(500)])(
    'odd text %j has an outline',
    async (text) => {
      expect((await readText('odd.sh', text)).outline.symbols).toEqual([]);
    },
  );
});
