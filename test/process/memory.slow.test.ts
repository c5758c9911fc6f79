/** A gigabyte of output passes through bounded memory. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build, folder, parent } from './node-parent.js';

it('keeps memory flat', async () => {
  const log = join(folder, 'gigabyte.log');
  const started = await parent(
    await build(),
    `const o = await run('head -c 1000000000 /dev/zero | tr "\\\\0" "x"', { logFile: ${JSON.stringify(log)}, logCap: 50_000_000, onOutput: () => {} });
say([o.totalBytes, Math.round(process.resourceUsage().maxRSS / 1024)]);`,
  );
  const [bytes, megabytes] = started.pids;
  expect(bytes).toBe(1_000_000_000);
  expect(megabytes).toBeLessThan(200);
  expect(statSync(log).size).toBeLessThan(50_000_100);
});
