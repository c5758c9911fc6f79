import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAtom } from '../../../src/tools/atoms/read.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { gif, jpeg, pdf, png, webp } from '../../helpers/images.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

it('attaches pictures and documents by their bytes, whatever their names, and says what they are', async () => {
  for (const [bytes, mediaType, words] of [
    [png(64, 3), 'image/png', 'PNG image, 64 x 3 pixels'],
    [jpeg(1920, 1080), 'image/jpeg', 'JPEG image, 1920 x 1080 pixels'],
    [gif(300, 7), 'image/gif', 'GIF image, 300 x 7 pixels'],
    [webp('VP8 ', 640, 480), 'image/webp', 'WebP image, 640 x 480 pixels'],
    [webp('VP8L', 1000, 999), 'image/webp', 'WebP image, 1000 x 999 pixels'],
    [webp('VP8X', 5000, 2), 'image/webp', 'WebP image, 5000 x 2 pixels'],
    [pdf(), 'application/pdf', 'PDF document'],
  ] as const) {
    bench.put('notes.txt', bytes);
    const result = await bench.run(readAtom, { file: 'notes.txt' });
    expect(result.output).toBe(`notes.txt is a ${words}, ${bytes.length} bytes.\n`);
    expect(result).toMatchObject({ isError: false, attachment: { mediaType, data: bytes.toString('base64') } });
  }
  bench.put('logo.png', 'only text\n');
  expect(await bench.run(readTool, { file: 'logo.png' })).not.toHaveProperty('attachment');
});

it('attaches nothing that services would refuse, and says why', async () => {
  for (const [bytes, words] of [
    [png(64, 3).subarray(0, -6), 'damaged or cut off'],
    [png(0, 3), 'damaged or cut off'],
    [png(9000, 1), 'more than 8000 pixels'],
    [jpeg(10, 10).subarray(0, -2), 'damaged or cut off'],
    [Buffer.from('ffd8ffe0', 'hex'), 'damaged or cut off'],
    [gif(1, 1).subarray(0, 12), 'damaged or cut off'],
    [webp('VP8X', 5, 5).subarray(0, 20), 'damaged or cut off'],
    [pdf('<</Encrypt 3 0 R>>'), 'encrypted'],
    [pdf().subarray(0, 40), 'damaged or cut off'],
  ] as const) {
    bench.put('x', bytes);
    const result = await bench.run(readTool, { file: 'x' });
    expect([words, result.output]).toEqual([words, expect.stringContaining(words)]);
    expect(result).toMatchObject({ isError: false });
    expect(result).not.toHaveProperty('attachment');
  }
});

it('refuses what is too large to be shown, with its size', async () => {
  bench.put('big.png', Buffer.concat([png(100, 100), Buffer.alloc(4_000_000)]));
  expect(await bench.run(readTool, { file: 'big.png' })).toMatchObject({
    code: 'EFBIG',
    isError: true,
    output: expect.stringMatching(/PNG image, 100 x 100 pixels, 4\d{6} bytes; at most 3932160 bytes can be shown/),
  });
  bench.put('big.pdf', Buffer.concat([pdf(), Buffer.alloc(40_000_000), pdf()]));
  expect(await bench.run(readTool, { file: 'big.pdf' })).toMatchObject({
    code: 'EFBIG',
    output: expect.stringContaining('10485760 bytes can be shown'),
  });
});

it('shows one a call, gives bytes as base64 when asked, and knows a later change', async () => {
  bench.put('a.png', png(1, 1));
  bench.put('b.gif', gif(2, 2));
  bench.put('c.txt', 'text\n');
  const several = await bench.run(readTool, { file: ['c.txt', 'a.png', 'b.gif'] });
  expect(several.attachment?.mediaType).toBe('image/png');
  expect(several.output).toContain('1 | text');
  expect(several.output).toContain('b.gif is a GIF image, 2 x 2 pixels');
  expect(several.output).toContain('one picture or document is shown per call');
  const bytes = await bench.run(readTool, { file: 'a.png', encoding: 'base64' });
  expect(bytes.output).toContain(png(1, 1).toString('base64'));
  expect(bytes).not.toHaveProperty('attachment');
  expect(bench.workspace.lastSeen(`${bench.ws}/a.png`)?.size).toBe(png(1, 1).length);
});
