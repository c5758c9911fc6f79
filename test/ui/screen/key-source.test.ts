/** Keys from an input: what many lines in one read are, and what the first turns of a start put right. */
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createKeySource } from '../../../src/ui/screen/key-source.js';
import type { Key } from '../../../src/ui/screen/port.js';

function source(righted?: (bytes: Uint8Array) => Uint8Array) {
  const input = new PassThrough();
  const keys: Key[] = [];
  const from = createKeySource(input, {
    now: () => performance.now(),
    onReply: () => undefined,
    ...(righted ? { righted } : {}),
  });
  from.onKey((key) => keys.push(key));
  from.start();
  const until = async (holds: () => boolean) => {
    while (!holds()) await wait(2);
  };
  return { input, keys, until, from };
}

const shown = (key: Key) => (key.kind === 'key' ? (key.name ?? key.letter) : `${key.kind}:${key.text}`);

it('takes four lines in one read for a paste without marks, and what follows at once for its rest', async () => {
  const { input, keys, until, from } = source();
  input.write('one\rtwo\rthree\rfo');
  input.write('ur\r!five é'.slice(0, 5));
  await until(() => keys.length > 0);
  expect(keys.map(shown)).toEqual(['paste:one\ntwo\nthree\nfour\n!f']);
  input.write('a\r');
  await until(() => keys.length > 2);
  expect(keys.slice(1).map(shown)).toEqual(['text:a', 'enter']);
  from.stop();
});

it('takes fewer lines, and sequences, for keys', async () => {
  const { input, keys, until, from } = source();
  input.write('a\rb\rc\r');
  await until(() => keys.length === 6);
  expect(keys.map(shown)).toEqual(['text:a', 'enter', 'text:b', 'enter', 'text:c', 'enter']);
  input.write('\x1b[A\r\x1b[A\r\x1b[A\r\x1b[A\r');
  await until(() => keys.length === 14);
  expect(keys.some(({ kind }) => kind === 'paste')).toBe(false);
  from.stop();
});

it('gives what came in lines before the start as keys, however many lines', async () => {
  const { input, keys, until, from } = source((bytes) => bytes.map((byte) => (byte === 0x0a ? 0x0d : byte)));
  input.write('a\nb\nc\nd\n');
  await until(() => keys.length === 8);
  expect(keys.filter(({ kind }) => kind === 'key').map(shown)).toEqual(['enter', 'enter', 'enter', 'enter']);
  from.stop();
});
