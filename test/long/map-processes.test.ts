/** Maps of the built program in processes of their own: two at once, and ones that are killed while they write their cache. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makePlace, runProgram } from '../helpers/run-program.js';

const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `m${i % 5}/f${i}.py`,
    `from m${(i + 1) % 5} import f${(i * 7) % 60}\ndef f${i}(): pass\n${'# x\n'.repeat(2000)}`,
  ]),
);

it('two at once and killed ones leave a cache that is whole, and the same map', async () => {
  const place = makePlace({ files: FILES });
  const folder = join(place.home, '.chatcli', 'cache', 'map');
  const map = (onStart?: Parameters<typeof runProgram>[1]['onStart']) =>
    runProgram(['tool', '@coder', 'map', '--', '{"budget":60000}'], { place, ...(onStart ? { onStart } : {}) });
  const [one, two] = await Promise.all([map(), map()]);
  expect([one?.code, two?.stdout]).toEqual([0, one?.stdout]);
  for (let round = 0; round < 3; round++) {
    await map((child) => {
      // As soon as it writes, or a little later.
      const drafts = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.tmp'));
      const timer = setInterval(() => drafts() && child.kill('SIGKILL'), 1);
      setTimeout(() => child.kill('SIGKILL'), 300 + round * 150);
      child.on('exit', () => clearInterval(timer));
    });
    for (const name of readdirSync(folder).filter((each) => /\.(?:map|graph)$/.test(each))) {
      const bytes = readFileSync(join(folder, name));
      const body = bytes.subarray(14 + 32);
      expect(
        createHash('sha256')
          .update(body)
          .digest()
          .equals(bytes.subarray(14, 14 + 32)),
      ).toBe(true);
    }
  }
  expect((await map()).stdout).toBe(one?.stdout);
  place.remove();
});
