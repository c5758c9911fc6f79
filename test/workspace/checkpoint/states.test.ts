/** The recorded states that undo builds on. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TreeStore } from '../../../src/workspace/checkpoint/types.js';
import { faultFrom } from '../temp.js';
import { ENV, noSignal, type Setup, setup } from './setup.js';

let s: Setup;
beforeEach(() => {
  s = setup();
});
afterEach(() => s.remove());

async function bytesOf(store: TreeStore, id = ''): Promise<Buffer> {
  let found = Buffer.of();
  await store.contents([id], (bytes) => {
    found = Buffer.from(bytes);
  });
  return found;
}

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
  expect(await bytesOf(store, changes[0]?.before)).toEqual(Buffer.from([0xff, 0x0a]));
  expect((await bytesOf(store, changes[2]?.after)).toString()).toBe('a.txt');
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
  expect((await bytesOf(store, changes[0]?.before)).toString()).toBe('only here\n');
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
  expect((await faultFrom(bytesOf(store, '0'.repeat(40)))).code).toBe('NotFound');
});

it('hands over many contents in the order asked for, and those before one that is not there', async () => {
  const store = s.checkpoints.states(s.ws);
  for (const name of ['a', 'b', 'c']) s.put(name, name.repeat(70_000));
  const one = (await store.tree()) ?? '';
  for (const name of ['a', 'b', 'c']) rmSync(join(s.ws, name));
  const ids = (await store.changesBetween(one, (await store.tree()) ?? '')).map((change) => change.before);
  const got: string[] = [];
  const note = (bytes: Buffer, index: number) => void got.push(`${index} ${bytes.length} ${bytes.toString('latin1', 0, 1)}`);
  await store.contents([ids[2] ?? '', ids[0] ?? ''], note);
  expect(got).toEqual(['0 70000 c', '1 70000 a']);
  got.length = 0;
  const fault = await faultFrom(store.contents([ids[1] ?? '', '0'.repeat(40), ids[0] ?? ''], note));
  expect([fault.code, got]).toEqual(['NotFound', ['0 70000 b']]);
});

it('is not tried again at once after a failure; the pause grows, and ends with a success', async () => {
  let time = 1_700_000_000_000;
  const counted = join(s.base, 'bin');
  mkdirSync(counted);
  const runs = join(s.base, 'runs');
  writeFileSync(join(counted, 'git'), `#!/bin/sh\necho x >> '${runs}'\nexit 1\n`, { mode: 0o755 });
  const failing = setup({ env: { PATH: `${counted}:${ENV['PATH']}` }, now: () => time }, s);
  const tries = () => (existsSync(runs) ? readFileSync(runs, 'utf8').length : 0);
  const store = failing.checkpoints.states(s.ws);
  s.put('a.txt', 'x');
  expect(await store.tree()).toBeUndefined();
  const first = tries();
  expect(first).toBeGreaterThan(0);
  time += 29_000;
  expect(await store.tree()).toBeUndefined();
  expect(tries()).toBe(first);
  time += 2000;
  expect(await store.tree()).toBeUndefined();
  const second = tries();
  expect(second).toBeGreaterThan(first);
  time += 31_000;
  expect(await store.tree()).toBeUndefined();
  expect(tries()).toBe(second);
  rmSync(join(counted, 'git'));
  time += 30_000;
  expect(await store.tree()).toBeDefined();
  time += 1;
  expect(await store.tree()).toBeDefined();
});
