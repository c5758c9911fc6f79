/** What lies beside the files of an undo, and is none of its business. */
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeUndoBench, type UndoBench } from './bench.js';

let bench: UndoBench;
beforeEach(async () => {
  bench = await makeUndoBench();
});
afterEach(() => bench.remove());

it('never removes a backup the user made of a file that is gone again', async () => {
  await bench.turn('t', { b: '1' });
  bench.put('b.bak', 'mine');
  await bench.undoing.undo();
  expect([bench.text('b'), bench.text('b.bak')]).toEqual([undefined, 'mine']);
});

it('a folder that is a link to another one in the workspace now is not written through', async () => {
  bench.put('d/b', '1');
  await bench.turn('t', { 'd/b': '2' });
  renameSync(join(bench.ws, 'd'), join(bench.ws, 'moved'));
  bench.put('other/b', '2');
  symlinkSync('other', join(bench.ws, 'd'));
  expect((await bench.undoing.undo({ force: true })).kept).toMatchObject([{ why: 'refused' }]);
  expect([bench.text('other/b'), bench.text('moved/b')]).toEqual(['2', '2']);
});
