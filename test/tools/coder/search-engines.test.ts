/** Both searches, ripgrep and our own, asked the same: every difference in their words is a fault. All questions: test/long. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsPattern } from '../../../src/tools/shared/search-pattern.js';
import type { Bench } from '../context.js';
import {
  answer,
  differences,
  makeCorpus,
  PATTERNS,
  patternQuestions,
  placeQuestions,
  REFUSED,
  textQuestions,
} from './search-corpus.js';

let bench: Bench;
beforeAll(async () => {
  bench = await makeCorpus();
});
afterAll(() => bench.remove());

/** A program that does as a shell script says. */
function program(script: string): string {
  return bench.put(`../bin/rg-${script.length}`, `#!/bin/sh\n${script}\n`, 0o755);
}

/** Every nth question. */
const some = <T>(all: readonly T[], n: number) => all.filter((_, i) => i % n === 0);

it('finds the same texts, patterns, places and globs', async () => {
  expect(await differences(bench, some(textQuestions, 12))).toEqual([]);
  expect(await differences(bench, some(patternQuestions, 12), true)).toEqual([]);
  expect(await differences(bench, some(placeQuestions, 12))).toEqual([]);
});

it('refuses only patterns that have no JavaScript form, and says so', () => {
  const refused = PATTERNS.filter((term) => {
    try {
      jsPattern({ term, regex: true, caseSensitive: true });
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'InvalidArgs', message: expect.stringContaining('regular expression') });
      return true;
    }
  });
  expect(refused).toEqual(REFUSED);
});

it('falls to its own search when ripgrep breaks, crashes, or is something else', async () => {
  const right = await answer(bench, { term: 'one' }, 'none');
  for (const script of [
    'exit 0',
    'exit 3',
    'kill -SEGV $$',
    'echo "{}"; exit 1',
    'echo unrecognized flag >&2; exit 2',
    'echo \'{"type":"begin"',
  ])
    expect([script, await answer(bench, { term: 'one' }, program(script))]).toEqual([script, right]);
});

it('never takes a file with a late zero byte for text, however many matches stand before it', async () => {
  for (const ripgrep of [undefined, 'none'] as const) {
    expect(await answer(bench, { term: 'one line', max_results: 5 }, ripgrep)).toMatch(/^No matches/);
    expect(await answer(bench, { term: 'one', dir: 'late.dat', max_results: 5 }, ripgrep)).toMatch(/^No matches/);
  }
});
