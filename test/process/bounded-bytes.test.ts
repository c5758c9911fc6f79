/** Both ends of any stream are kept byte by byte, and no letter is cut in half. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedBytes } from '../../src/process/bounded-bytes.js';

const fill = (keep: number, chunks: readonly Uint8Array[]): BoundedBytes => {
  const kept = new BoundedBytes(keep);
  for (const chunk of chunks) kept.push(chunk);
  return kept;
};

describe('BoundedBytes', () => {
  it('keeps the same bytes however they are cut into chunks', () => {
    const data = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 });
    fc.assert(
      fc.property(data, fc.integer({ min: 2, max: 200 }), (chunks, keep) => {
        const all = Buffer.concat(chunks);
        const { head, tail, omitted } = fill(keep, chunks).bytes();
        expect(head.equals(all.subarray(0, head.length))).toBe(true);
        expect(tail.equals(all.subarray(all.length - tail.length))).toBe(true);
        expect(omitted).toBe(all.length - head.length - tail.length);
        expect(head.length + tail.length).toBe(Math.min(all.length, Math.ceil(keep / 2) + Math.floor(keep / 2)));
      }),
    );
  });
  it('never cuts a letter', () => {
    const letters = fc.array(fc.constantFrom('a', 'é', '日', '🙂'), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(letters, fc.integer({ min: 8, max: 60 }), fc.integer({ min: 1, max: 7 }), (list, keep, size) => {
        const text = list.join('');
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, i * size + size),
        );
        const { head, tail, omittedBytes } = fill(keep, chunks).text();
        expect(head + tail).not.toContain('\ufffd');
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head + tail) + omittedBytes).toBe(bytes.length);
      }),
    );
  });
  it('replaces bytes that are not UTF-8 and keeps a byte order mark', () => {
    expect(fill(100, [Buffer.from([0x61, 0xff, 0x80, 0x62])]).text().head).toBe('a\ufffd\ufffdb');
    expect(fill(100, [Buffer.from('\ufeffx')]).text().head).toBe('\ufeffx');
  });
  it('cuts at line ends where one is near', () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('');
    const { head, tail } = fill(1000, [Buffer.from(lines)]).text();
    expect(head.endsWith('\n')).toBe(true);
    expect(tail.startsWith('line ')).toBe(true);
  });
});
