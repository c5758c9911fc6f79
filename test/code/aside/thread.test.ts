/** Parsing beside the main thread: what brings a parser down harms nothing, and can be ended at any moment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AsideOptions, read } from '../../../src/code/aside/thread.js';
import { builtWorker } from './built-worker.js';

let built: Awaited<ReturnType<typeof builtWorker>>;
beforeAll(async () => {
  built = await builtWorker('code/aside/worker.ts');
});
afterAll(() => built.remove());

const outline = (language: string, text: string, options: AsideOptions = {}) =>
  read('outline', { language, text }, { program: built.program, ...options });
/** Too long to be parsed in the main thread. */
const LONG = ' \n'.repeat(20_000);
const names = async (language: string, text: string) => (await outline(language, text + LONG))?.symbols.map(({ name }) => name);

describe('parsing in a thread', () => {
  it('a text that takes gigabytes is given up, and the next ones are read as if nothing had been', async () => {
    let turns = 0;
    const clock = setInterval(() => turns++, 10);
    expect(await outline('java', 'a<'.repeat(25_000))).toBeUndefined();
    clearInterval(clock);
    expect(turns).toBeGreaterThan(5);
    expect(await names('java', 'class A {}\n')).toEqual(['A']);
    expect(await names('typescript', 'const a = 1;\n')).toEqual(['a']);
    expect(process.resourceUsage().maxRSS).toBeLessThan(1_200 * 1024);
  });

  it('a short one too, which the main thread tries first', async () => {
    expect(await outline('c', 'a=>'.repeat(6_600))).toBeUndefined();
    expect((await outline('c', 'int main(void) { return 0; }\n'))?.symbols).toHaveLength(1);
    expect(await names('c', 'int main(void) { return 0; }\n')).toEqual(['main']);
  });

  it('ends with the signal in the middle of a parse', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    expect(await outline('go', 'f(){'.repeat(50_000), { signal: controller.signal })).toBeUndefined();
    expect(controller.signal.aborted).toBe(true);
    expect(await names('go', 'package a\nfunc F() {}\n')).toEqual(['F']);
  });

  it('ends at the hard limit, whatever it is at', async () => {
    expect(await outline('go', 'f(){'.repeat(50_000), { hardMs: 50 })).toBeUndefined();
    expect(await names('go', 'package a\nfunc F() {}\n')).toEqual(['F']);
  });

  it('children by the hundred thousand exhaust no call stack', async () => {
    expect(await outline('go', 'r#"'.repeat(66_666))).toMatchObject({ symbols: [], errorLine: 1 });
  });

  it('many at once each get their own answer', async () => {
    const all = Array.from({ length: 5 }, (_, i) => names('go', `package a\nfunc F${i}() {}\n`));
    expect(await Promise.all(all)).toEqual([['F0'], ['F1'], ['F2'], ['F3'], ['F4']]);
  });
});
