/** The sample project of the demo: one red test, and the one word that mends it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runQuiet } from '../../scripts/lib/spawn.mjs';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatcli-sample-'));
  cpSync(resolve(import.meta.dirname, '../../demo/sample'), folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function counts() {
  const { code, output } = await runQuiet(process.execPath, ['--test', '--test-reporter=tap'], { cwd: folder });
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1]);
  return { code, pass: count('pass'), fail: count('fail'), output };
}

it('has exactly one failing test, and is green when the largest tier that fits is taken', async () => {
  const red = await counts();
  expect(red).toMatchObject({ code: 1, pass: 10, fail: 1 });
  expect(red.output).toContain('not ok 3 - twelve pieces get 10 % off');
  const file = join(folder, 'src/discounts.js');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.replace('TIERS.find(', 'TIERS.findLast('));
  expect(await counts()).toMatchObject({ code: 0, pass: 11, fail: 0 });
});
