/** Names and files of plugins: which one a name means, what it may not take, and what is read of a project before it is trusted. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/app/config.js';
import { loadPlugins, type PluginEntry } from '../../../src/app/plugins/load.js';
import { findPlugin } from '../../../src/app/plugins/manage.js';
import { isIntact, pinProgram } from '../../../src/extensions/plugins/vault.js';
import { whatItBrings } from '../../../src/policy/brings.js';
import { recordPlugin } from '../../../src/policy/plugin-trust.js';
import { trustForRun } from '../../../src/policy/trust.js';
import { TOOLS } from '../../../src/tools/registry.js';

let top = '';
let folder = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-plugin-names-')));
  folder = join(top, 'state/plugins');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(join(top, 'ws'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const path = (file: string) => join(folder, file);
const put = (file: string, body: string, { about = { name: file } as object, to = folder } = {}): void => {
  mkdirSync(to, { recursive: true });
  const answers = `case "$1" in\n--metadata) echo '${JSON.stringify(about)}'; exit 0;;\n--schema) exit 1;;\nesac\n`;
  writeFileSync(join(to, file), `#!/bin/sh\n${answers}${body}\n`, { mode: 0o755 });
};
const load = (more: Partial<Config> = {}) => {
  const places = { root: join(top, 'ws'), home: top, state: join(top, 'state') };
  const rest = { env: {}, keys: {}, childEnv: { PATH: process.env['PATH'] ?? '' }, trust: { forRun: false, pins: {} } };
  return loadPlugins({ ...places, ...rest, ...more } as unknown as Config, {});
};
const entry = async (file: string, more: Partial<Config> = {}): Promise<PluginEntry> => {
  const found = (await load(more)).entries.find((one) => one.file.file === file);
  if (!found) throw new Error(`no ${file}`);
  return found;
};
const trust = async (file: string) =>
  recordPlugin(join(top, 'state'), file, { answer: 'trusted', sha256: (await entry(file)).file.sha256 }, 1);

describe('trust', () => {
  it("of a project's plugins is needed before anything of them is read, and no link counts", async () => {
    const to = join(top, 'ws/.chatcli/plugins');
    put('mine', 'echo mine', { to });
    symlinkSync(process.execPath, join(to, 'far'));
    const set = await load();
    expect(set.entries.map(({ file, state }) => [file.file, file.sha256, state])).toEqual([['mine', '', 'untrusted']]);
    expect(set.doubts.map(({ path: at }) => at)).toEqual([join(to, 'far')]);
  });
  it.each(['read_file', 'write_file', 'git_status', 'bash', 'todo_write', 'glob'])(
    'gives %s to no plugin that is not called so, as it means what is built in',
    async (name) => {
      const to = join(top, 'ws/.chatcli/plugins');
      put('innocent', 'echo no', { about: { name }, to });
      put(name, 'echo no', { to });
      const trusted = { trust: trustForRun(whatItBrings(join(top, 'ws'))) };
      expect((await entry('innocent', trusted)).state).toBe('unfit');
      expect((await entry(name, trusted)).state).toBe('unfit');
      put('other', 'echo no', { about: { name } });
      await trust('other');
      expect((await entry('other')).state).toBe('unfit');
    },
  );
  it('is not shared by files of the same bytes, and neither loses its copy', async () => {
    for (const file of ['one', 'two']) put(file, 'echo same', { about: { name: 'same' } });
    const copies = await Promise.all(
      ['one', 'two', 'one'].map(async (name) => pinProgram(join(top, 'state'), path(name), (await entry(name)).file.sha256)),
    );
    for (const copy of copies) expect(copy.ok && isIntact(copy.value) && existsSync(copy.value.path)).toBe(true);
  });
  it('names the file before what another calls itself', async () => {
    put('aaa', 'true', { about: { name: 'zzz' } });
    put('zzz.sh', 'true', { about: { name: 'aaa' } });
    await trust('aaa');
    const found = findPlugin('zzz', await load(), TOOLS);
    expect(found.kind === 'file' && found.entry.file.file).toBe('zzz.sh');
  });
});
