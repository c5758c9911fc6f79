/** A stranger's first minute: clone, one command. Twice at once, then again without a network. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runQuiet } from '../../scripts/lib/spawn.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatcli-clone-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function npm(args: string[], extra: Record<string, string> = {}) {
  const outer = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|INIT_CWD|CHATCLI_)/i.test(name));
  return runQuiet('npm', args, { cwd: join(folder, 'clone'), env: { ...Object.fromEntries(outer), ...extra } });
}

it('installs, builds and runs by one command, also when two are started at once', { timeout: 300_000 }, async (context) => {
  const clone = await runQuiet('git', ['-c', 'safe.directory=*', 'clone', '-q', '--no-hardlinks', ROOT, join(folder, 'clone')]);
  expect(clone).toMatchObject({ code: 0 });

  const both = await Promise.all([npm(['run', 'demo']), npm(['run', 'demo'])]);
  const unreachable = both.find((run) => run.output.includes('registry could not be reached'));
  if (unreachable) return context.skip(`the package registry cannot be reached here: ${unreachable.output.slice(-300)}`);
  for (const run of both) expect(run.code, run.output).toBe(0);
  const all = both.map((run) => run.output).join('\n');
  expect(all.match(/installing dependencies/g)).toHaveLength(1);
  expect(all.match(/building dist/g)).toHaveLength(1);

  const again = await npm(['run', 'demo'], { npm_config_registry: 'http://127.0.0.1:9/' });
  expect(again.code, again.output).toBe(0);
  expect(again.output).not.toMatch(/installing|building/);

  const status = await runQuiet('git', ['status', '--porcelain'], { cwd: join(folder, 'clone') });
  expect(status.output, 'the first run leaves the clone clean').toBe('');
});
