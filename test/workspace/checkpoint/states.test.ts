/** The recorded states that undo builds on. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { faultFrom } from '../temp.js';
import { ENV, noSignal, type Setup, setup } from './setup.js';

let s: Setup;
beforeEach(() => {
  s = setup();
});
afterEach(() => s.remove());

it('gives equal ids for equal states, what differs between two, and the bytes', async () => {
  const store = s.checkpoints.states(s.ws);
  s.put('a.txt', Buffer.from([0xff, 0x0a]));
  s.put('gone.txt', 'gone\n');
  s.put('run.sh', 'x\n', 0o644);
  const one = (await store.tree()) ?? '';
  expect(await store.tree()).toBe(one);
  s.put('a.txt', 'text\n');
  rmSync(join(s.ws, 'gone.txt'));
  rmSync(join(s.ws, 'run.sh'));
  s.put('run.sh', 'x\n', 0o755);
  s.link('link', 'a.txt');
  const two = (await store.tree()) ?? '';
  const changes = await store.changesBetween(one, two);
  expect(changes.map(({ path, before, after }) => `${path} ${before === 'absent'} ${after === 'absent'}`)).toEqual([
    'a.txt false false',
    'gone.txt false true',
    'link true false',
    'run.sh false false',
  ]);
  expect(changes.map((change) => [change.beforeMode, change.afterMode])).toEqual([
    [0o100644, 0o100644],
    [0o100644, 0],
    [0, 0o120000],
    [0o100644, 0o100755],
  ]);
  expect(await store.bytesOf(changes[0]?.before ?? '')).toEqual(Buffer.from([0xff, 0x0a]));
  expect((await store.bytesOf(changes[2]?.after ?? '')).toString()).toBe('a.txt');
  expect(await store.changesBetween(two, two)).toEqual([]);
});

it('makes no snapshot, and the next snapshot still holds the state', async () => {
  const store = s.checkpoints.states(s.ws);
  s.put('a.txt', 'v1\n');
  const tree = await store.tree();
  expect(await s.checkpoints.list(noSignal())).toEqual([]);
  const { snapshot, fresh } = await s.create();
  expect(fresh).toBe(true);
  expect(
    s
      .look(['rev-parse', `${snapshot?.hash}^{tree}`])
      .toString()
      .trim(),
  ).toBe(tree);
});

it('keeps states alive although nothing else refers to them', async () => {
  const store = s.checkpoints.states(s.ws);
  s.put('a.txt', 'only here\n');
  const one = (await store.tree()) ?? '';
  rmSync(join(s.ws, 'a.txt'));
  s.put('b.txt', 'b\n');
  const two = (await store.tree()) ?? '';
  s.look(['repack', '-a', '-d', '-q']);
  s.look(['prune', '--expire=now']);
  const changes = await store.changesBetween(one, two);
  expect((await store.bytesOf(changes[0]?.before ?? '')).toString()).toBe('only here\n');
});

it('is undefined where nothing is covered, and refuses what is no id', async () => {
  expect(await s.checkpoints.states(s.home).tree()).toBeUndefined();
  expect(
    await setup({ env: { ...ENV, CHATCLI_CODER_CHECKPOINTS: 'off' } }, s)
      .checkpoints.states(s.ws)
      .tree(),
  ).toBeUndefined();
  expect(
    await setup({ env: { PATH: '' } }, s)
      .checkpoints.states(s.ws)
      .tree(),
  ).toBeUndefined();
  expect(await s.checkpoints.states(s.ws).tree(AbortSignal.abort())).toBeUndefined();
  const store = s.checkpoints.states(s.ws);
  s.put('a.txt', 'v1\n');
  const tree = (await store.tree()) ?? '';
  expect((await faultFrom(store.changesBetween('--output=x', tree))).code).toBe('InvalidArgs');
  expect((await faultFrom(store.bytesOf('0'.repeat(40)))).code).toBe('NotFound');
});
