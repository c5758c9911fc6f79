/** Three-way merges: what is apart is joined, what meets is refused, no line is lost or doubled. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLines } from '../../src/base/merge-lines.js';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');

describe('mergeLines', () => {
  it('joins changes that are apart, also among equal lines', async () => {
    const base = text('a', 'x', 'b', 'x', 'c', 'x', 'd');
    const mine = text('a', 'x', 'b', 'mine', 'c', 'x', 'd');
    const theirs = text('new', 'a', 'x', 'b', 'x', 'c', 'x', 'D');
    expect(await mergeLines(base, mine, theirs)).toEqual({ ok: true, text: text('new', 'a', 'x', 'b', 'mine', 'c', 'x', 'D') });
  });

  it('refuses changes that overlap, touch, or insert at one place', async () => {
    const base = text('a', 'b', 'c');
    expect(await mergeLines(base, text('a', 'B', 'c'), text('a', 'β', 'c'))).toEqual({
      ok: false,
      from: 2,
      to: 2,
      mine: 'B\n',
      theirs: 'β\n',
    });
    expect(await mergeLines(base, text('A', 'b', 'c'), text('a', 'B', 'c'))).toMatchObject({ ok: false });
    expect(await mergeLines(base, text('a', 'x', 'b', 'c'), text('a', 'y', 'b', 'c'))).toMatchObject({ ok: false });
    expect(await mergeLines(base, '', text('a', 'b', 'c', 'd'))).toMatchObject({ ok: false });
  });

  it('takes the same change of both once', async () => {
    const base = text('a', 'b', 'c');
    expect(await mergeLines(base, text('a', 'B', 'c'), text('a', 'B', 'c', ''))).toMatchObject({ ok: true });
    expect(await mergeLines(base, text('X', 'b', 'c'), text('X', 'b', 'c'))).toEqual({ ok: true, text: text('X', 'b', 'c') });
  });

  it('keeps endings and a missing last one', async () => {
    const merged = await mergeLines('a\r\nb\nc\nd\ne', 'a\r\nb\nc\nd\nE', 'A\r\nb\nc\nd\ne');
    expect(merged).toEqual({ ok: true, text: 'A\r\nb\nc\nd\nE' });
  });

  it('equals one change when the other side is as before, and never depends on the side', async () => {
    const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 12 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(lines, lines, lines, async (base, one, two) => {
        expect(await mergeLines(base, one, base)).toEqual({ ok: true, text: one });
        expect(await mergeLines(base, base, two)).toEqual({ ok: true, text: two });
        const there = await mergeLines(base, one, two);
        const back = await mergeLines(base, two, one);
        expect(back.ok).toBe(there.ok);
        if (there.ok && back.ok) expect(back.text).toBe(there.text);
      }),
      { numRuns: 300 },
    );
  });
});
