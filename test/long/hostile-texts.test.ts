/** Texts that bring a parser down or take gigabytes: each is answered in time and memory, and the next text is read as if nothing had been. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../../src/code/aside/thread.js';
import { builtWorker as build, type builtWorker } from '../code/aside/built-worker.js';

let built: Awaited<ReturnType<typeof builtWorker>>;
beforeAll(async () => {
  built = await build('code/aside/worker.ts');
});
afterAll(() => built.remove());

const K = 1024;
const TEXTS: readonly (readonly [language: string, piece: string, chars: number])[] = [
  ['java', 'a<', 50 * K],
  ['c', 'a=>', 20 * K],
  ['c', 'a=>', 200 * K],
  ['go', 'r#"', 200 * K],
  ['go', 'f(){', 200 * K],
  ['python', '${', 200 * K],
  ['rust', 'fn a(){', 200 * K],
  ['c', 'def a\n', 200 * K],
  ['swift', '{', 100 * K],
  ['swift', 'func f@(a Int -> { let if ', 1100 * K],
  ['swift', '\n', 200 * K],
  ['typescript', '\n', 1000 * K],
  ['typescript', ' \n', 1000 * K],
  ['typescript', 'a as ', 200 * K],
  ['scala', '{', 100 * K],
  ['kotlin', 'fun a(', 200 * K],
  ['kotlin', 'a ', 200 * K],
  ['cpp', 'a<', 100 * K],
  ['csharp', 'a<', 100 * K],
  ['tsx', '<a>', 100 * K],
  ['php', '<?php "{$', 100 * K],
  ['ruby', 'def a(', 100 * K],
  ['shell', '$(', 100 * K],
];

describe('hostile texts in a thread', () => {
  it.each(TEXTS)('%s: %j up to %i characters', { timeout: 60_000 }, async (language, piece, chars) => {
    const text = `${piece.repeat(Math.ceil(chars / piece.length))}\n}}} let = (\n`;
    let turns = 0;
    const clock = setInterval(() => turns++, 20);
    const start = performance.now();
    await read('outline', { language, text }, { program: built.program });
    clearInterval(clock);
    const ms = Math.round(performance.now() - start);
    const rss = Math.round(process.resourceUsage().maxRSS / 1024);
    // This thread got its turn all the while.
    expect(turns * 200).toBeGreaterThan(ms - 600);
    expect(ms).toBeLessThan(20_000);
    const next = await read(
      'outline',
      { language: 'c', text: `int main(void) { return 0; }\n${' \n'.repeat(20_000)}` },
      { program: built.program },
    );
    expect(next?.symbols.map(({ name }) => name)).toEqual(['main']);
    expect(rss).toBeLessThan(1_200);
  });
});
