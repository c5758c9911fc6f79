/** What is typed while a run works: its turn, and what it names. */
import { expect, it } from 'vitest';
import { createTypedAhead } from '../../../src/app/shell/typed-ahead.js';

it('gives a run all up to the first command', () => {
  const typed = createTypedAhead();
  for (const line of ['one', 'two', '/mode plan', 'three']) typed.add(line);
  expect(typed.forRun(never).map(({ line }) => line)).toEqual(['one', 'two']);
  expect(typed.forRun(never)).toEqual([]);
  expect(typed.next()?.line).toBe('/mode plan');
  expect(typed.forRun(never).map(({ line }) => line)).toEqual(['three']);
});

it('holds a line that names something, and those behind it, until that is there', async () => {
  const typed = createTypedAhead();
  for (const line of ['first', 'look at @a.txt', 'last']) typed.add(line);
  const asked: string[] = [];
  let bring = (_text: string | undefined): void => undefined;
  const fetch = (line: string): Promise<string | undefined> => {
    asked.push(line);
    return new Promise((resolve) => {
      bring = resolve;
    });
  };
  expect(typed.forRun(fetch).map(({ line }) => line)).toEqual(['first']);
  expect(typed.forRun(fetch)).toEqual([]);
  expect(typed.lines).toEqual(['last']);
  bring('text of a: ');
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(typed.forRun(fetch).map(({ line, context = '' }) => context + line)).toEqual(['text of a: look at @a.txt', 'last']);
  expect(asked).toEqual(['look at @a.txt']);
});

it('hands over what was begun when the run has ended before, and nothing of a run that was stopped', async () => {
  const typed = createTypedAhead();
  typed.add('see @b.txt');
  typed.forRun(() => Promise.resolve(undefined));
  await new Promise(setImmediate);
  expect(typed.forRun(never)).toEqual([]);
  const next = typed.next();
  expect(next?.line).toBe('see @b.txt');
  expect(await next?.fetched).toBeUndefined();
});

function never(): Promise<string | undefined> {
  throw new Error('nothing is to be fetched');
}
