/** Messages out of what servers write, whatever they write. */
import { expect, it } from 'vitest';
import { createFrameReader, FrameFault, isTooDeep } from '../../../src/code/lsp/frames.js';

const frame = (body: string, header = 'Content-Length: ') => Buffer.from(`${header}${Buffer.byteLength(body)}\r\n\r\n${body}`);
const read = (...chunks: Buffer[]) => {
  const reader = createFrameReader(() => 0);
  return chunks.flatMap((chunk) => reader.push(chunk)).map(String);
};

it('reads messages cut anywhere, several at once, and empty ones', () => {
  const all = Buffer.concat([frame('{"a":"é"}'), frame(''), frame('{"b":2}')]);
  expect(read(all)).toEqual(['{"a":"é"}', '', '{"b":2}']);
  for (let cut = 1; cut < all.length; cut++)
    expect(read(all.subarray(0, cut), all.subarray(cut))).toEqual(['{"a":"é"}', '', '{"b":2}']);
  expect(read(...[...all].map((byte) => Buffer.from([byte])))).toEqual(['{"a":"é"}', '', '{"b":2}']);
});

it('takes further headers, other spellings, line feeds alone, and passes over noise', () => {
  expect(read(Buffer.from('Content-Type: x\r\ncontent-length:2\r\nX: y\r\n\r\n{}'))).toEqual(['{}']);
  expect(read(Buffer.from('Content-Length: 2\n\n{}'))).toEqual(['{}']);
  expect(read(Buffer.from('Welcome!\nwarming up\n\n'), frame('{}'), Buffer.from('done'), frame('[]'))).toEqual(['{}', '[]']);
});

it('gives up on endless headers, wrong or huge lengths, endless noise and floods', () => {
  const bad = (...chunks: Buffer[]) => expect(() => read(...chunks)).toThrow(FrameFault);
  bad(Buffer.from('x'.repeat(9000)));
  bad(Buffer.from(`Content-Length: 2\r\nX: ${'x'.repeat(9000)}\r\n\r\n{}`));
  bad(Buffer.from(`Content-Length: 2\r\n${'X: y\r\n'.repeat(3000)}\r\n{}`));
  bad(Buffer.from('Content-Length: -2\r\n\r\n{}'));
  bad(Buffer.from('Content-Length: 2x\r\n\r\n{}'));
  bad(Buffer.from('Content-Length: 99999999999\r\n\r\n'));
  bad(Buffer.from('noise\n'.repeat(60_000)));
  bad(Buffer.concat(Array.from({ length: 30_000 }, () => frame('{}'))));
});

it('nesting is seen before anything is made of a body, quotes and braces in strings are not', () => {
  expect(isTooDeep(Buffer.from('['.repeat(15_000_000)))).toBe(true);
  expect(isTooDeep(Buffer.from('{"a":'.repeat(300)))).toBe(true);
  const flat = JSON.stringify({ a: ['['.repeat(500), '\\"'.repeat(300), '{"'.repeat(300)], b: [[[1]]] });
  expect(isTooDeep(Buffer.from(flat))).toBe(false);
  expect(isTooDeep(Buffer.from(`[${'[],'.repeat(1000)}1]`))).toBe(false);
  expect(() => read(Buffer.from('Content-Length: 60000000\r\n\r\n'))).toThrow(FrameFault);
});
