import { linkSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockNames, whileLocked } from '../../src/workspace/path-lock.js';
import { faultFrom, makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const target = (name: string) => ({ real: join(place.ws, name), shown: name });
const held = () => readdirSync(join(place.state, 'locks')).filter((name) => !name.includes('.'));

/** Work that goes on until it is told to stop. */
function gate() {
  let open: () => void = () => undefined;
  const wait = new Promise<void>((done) => {
    open = done;
  });
  return { wait, open };
}

it('are taken in one order, whatever order the files are named in', async () => {
  const [first, last] = ['a', 'b']
    .map(target)
    .toSorted((a, b) => ((lockNames(a.real)[0] ?? '') < (lockNames(b.real)[0] ?? '') ? -1 : 1));
  if (!first || !last) throw new Error('two files are needed');
  const { wait, open } = gate();
  const holding = whileLocked(place.state, [first], () => wait);
  await sleep(20);
  const both = whileLocked(place.state, [last, first], async () => held().length);
  await sleep(200);
  // Who waits for the first holds nothing that others may need.
  expect(held()).toEqual(lockNames(first.real));
  open();
  await holding;
  expect(await both).toBe(2);
  expect(held()).toEqual([]);
});

it('of one name keeps away who comes by another name of the same file', async () => {
  linkSync(place.put('h1.txt', 'one'), join(place.ws, 'h2.txt'));
  place.put('alone.txt', 'x');
  const workspace = await place.open();
  const { wait, open } = gate();
  const holding = whileLocked(place.state, [target('h1.txt')], () => wait);
  await sleep(20);
  await workspace.writeFile('alone.txt', Buffer.from('y'));
  let written = false;
  const writing = workspace.writeFile('h2.txt', Buffer.from('two')).then(() => {
    written = true;
  });
  await sleep(200);
  expect([written, readFileSync(join(place.ws, 'h1.txt'), 'utf8')]).toEqual([false, 'one']);
  open();
  await Promise.all([holding, writing]);
  expect(readFileSync(join(place.ws, 'h1.txt'), 'utf8')).toBe('two');
  expect(held()).toEqual([]);
});

it('are all given back when one of them stays taken', async () => {
  const { wait, open } = gate();
  const holding = whileLocked(place.state, [target('b')], () => wait);
  await sleep(20);
  const fault = await faultFrom(whileLocked(place.state, ['a', 'b', 'c'].map(target), async () => undefined, { wait: 50 }));
  expect(fault).toMatchObject({ code: 'Conflict', message: expect.stringContaining('b is being written by process') });
  expect(held()).toEqual(lockNames(target('b').real));
  open();
  await holding;
});
