/** Caps and the files that hold what did not fit. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openScratch, pruneScratch, spillStore } from '../../../src/app/scratch.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { withHiddenKeys } from '../../../src/tools/wrap/hide-keys.js';
import { withOutputCap } from '../../../src/tools/wrap/output-cap.js';
import type { Tool } from '../../../src/types/tool.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const saying = (output: string, more: Partial<Tool> = {}): Tool => ({
  ...readTool,
  limit: 1000,
  cut: 'ends',
  run: async () => ({ output, isError: false }),
  ...more,
});
const capped = (tool: Tool, folder = bench.scratch) => withOutputCap(tool, spillStore(folder)).run({}, bench.context);
const LINES = Array.from({ length: 500 }, (_, i) => `line ${i} 🎉\n`).join('');

it('keeps head and tail within the limit, and the whole in a private file that read opens', async () => {
  const { output } = await capped(saying(LINES));
  expect(output.length).toBeLessThanOrEqual(1000);
  expect(output).toMatch(/^line 0 🎉\n/);
  expect(output).toMatch(/line 499 🎉\n$/);
  expect(output).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  const path = /The whole output is in (\S+) \(/.exec(output)?.[1] ?? '';
  expect(readFileSync(path, 'utf8')).toBe(LINES);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const omitted = Number(/(\d+) of \d+ characters left out/.exec(output)?.[1]);
  const [head = '', tail = ''] = output.split(/\n\.\.\. \[.*\] \.\.\.\n/);
  expect(head.length + tail.length + omitted).toBe(LINES.length);
  const read = await bench.run(readTool, { file: path, start: 250, end: 250 });
  expect(read.output).toContain('250 | line 249 🎉');
  expect(await bench.workspace.writeFile(path, Buffer.from('x')).catch((error: { code: string }) => error.code)).toBe(
    'OutsideWorkspace',
  );
});

it('leaves alone what fits, and cuts at whole lines where the head counts', async () => {
  expect((await capped(saying('x'.repeat(1000)))).output).toBe('x'.repeat(1000));
  expect(readdirSync(bench.scratch)).toEqual([]);
  const { output } = await capped(saying(LINES, { cut: 'head' }));
  expect(output.length).toBeLessThanOrEqual(1000);
  expect(output).toMatch(/^(line \d+ 🎉\n)+\.\.\. \[\d+ of \d+ characters left out here\..*\] \.\.\.\n$/);
});

it('holds no key, neither the result nor the file', async () => {
  const hidden = withHiddenKeys(saying(`${LINES}KEY-123456-SECRET\n${LINES}`), (text) =>
    text.replaceAll('KEY-123456-SECRET', '[key]'),
  );
  const { output } = await capped(hidden);
  const path = /in (\S+) \(use/.exec(output)?.[1] ?? '';
  expect(readFileSync(path, 'utf8')).toContain('[key]');
  expect(readFileSync(path, 'utf8')).not.toContain('SECRET');
});

it('says why the whole could not be kept, and is capped all the same', async () => {
  writeFileSync(join(bench.base, 'no-folder'), '');
  const { output } = await capped(saying(LINES), join(bench.base, 'no-folder'));
  expect(output.length).toBeLessThanOrEqual(1000);
  expect(output).toMatch(/could not be kept: (EEXIST|ENOTDIR)/);
});

it('leaves nothing half-written on a full disk', async (context) => {
  const small = join(bench.base, 'small');
  mkdirSync(small);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status === 0;
  if (!mounted) context.skip('a small disk cannot be mounted here');
  try {
    const { output } = await capped(saying('long '.repeat(100_000)), small);
    expect(output).toContain('The whole output could not be kept: the disk is full (ENOSPC).');
    expect(output.length).toBeLessThanOrEqual(1000);
    expect(readdirSync(small)).toEqual([]);
    bench.put('a.bin', Buffer.alloc(120_000, 1));
    const scratch = { ...bench.context, host: { ...bench.context.host, scratch: small } };
    const read = await readTool.run({ file: ['a.bin', 'a.bin'], encoding: 'base64' }, scratch);
    expect(read).toMatchObject({ isError: true, code: 'ENOSPC', output: expect.stringContaining('a.bin: no space left') });
    expect(readdirSync(small)).toEqual([]);
  } finally {
    spawnSync('umount', [small]);
  }
});

it('prunes scratch folders by age and by size, never the one in use', async () => {
  const now = Date.now();
  const made = (id: string, days: number, bytes = 10) => {
    const folder = openScratch(bench.state, id);
    const file = join(folder, 'output.txt');
    writeFileSync(file, '');
    // Sparse: it counts by its size.
    truncateSync(file, bytes);
    utimesSync(folder, new Date(now - days * 86_400_000), new Date(now - days * 86_400_000));
    return folder;
  };
  const keep = made('keep', 30);
  made('old', 8);
  made('big-older', 3, 700_000_000);
  made('big-newer', 2, 700_000_000);
  made('fresh-big', 0, 700_000_000);
  await pruneScratch(bench.state, keep, now);
  expect(readdirSync(join(bench.state, 'cache', 'scratch')).sort()).toEqual(['fresh-big', 'keep', 's']);
  // Not at the end of every call: only an hour later.
  made('old-again', 8);
  await pruneScratch(bench.state, keep, now + 60_000);
  expect(readdirSync(join(bench.state, 'cache', 'scratch'))).toContain('old-again');
  await pruneScratch(bench.state, keep, now + 2 * 3_600_000);
  expect(readdirSync(join(bench.state, 'cache', 'scratch'))).not.toContain('old-again');
});
