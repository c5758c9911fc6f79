/** Which folders programs are looked for in: what a folder brings never decides what a command's name means. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { safePath } from '../../src/process/safe-path.js';
import { which, whichSystem } from '../../src/process/which.js';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'safe-path-')));
  for (const folder of ['ws/bin', 'ws/.venv/bin', 'sys/bin', 'sys/node_modules/.bin', 'ws2'])
    mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'ws/.venv/pyvenv.cfg'), '');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const at = (...names: string[]) => names.map((name) => join(base, name)).join(':');

describe('safePath', () => {
  it('leaves out relative entries and those of the workspace, by any name; a Python environment stays', () => {
    symlinkSync(join(base, 'ws/bin'), join(base, 'alias'));
    const path = `:.:bin:./x:${at('ws/bin', 'alias', 'ws/.venv/bin', 'sys/bin', 'ws2')}:`;
    expect(safePath(path, { roots: [join(base, 'ws')], trusted: false, env: { VIRTUAL_ENV: join(base, 'ws/.venv') } })).toBe(
      at('ws/.venv/bin', 'sys/bin', 'ws2'),
    );
  });
  it('takes no folder for a Python environment because it looks like one', () => {
    const path = at('ws/.venv/bin', 'sys/bin');
    const roots = [join(base, 'ws')];
    const others: Record<string, string>[] = [
      {},
      { VIRTUAL_ENV: '' },
      { VIRTUAL_ENV: '.venv' },
      { VIRTUAL_ENV: join(base, 'ws2') },
    ];
    for (const env of others) expect(safePath(path, { roots, trusted: false, env })).toBe(at('sys/bin'));
    expect(safePath(path, { roots, trusted: false, env: { CONDA_PREFIX: join(base, 'ws/.venv/') } })).toBe(path);
  });
  it('knows every folder worked in', () => {
    const roots = [join(base, 'ws2'), join(base, 'ws')];
    expect(safePath(at('ws/bin', 'ws2', 'sys/bin'), { roots, trusted: false, env: {} })).toBe(at('sys/bin'));
  });
  it('puts those of a trusted workspace last', () => {
    expect(safePath(`.:${at('ws/bin', 'sys/bin')}`, { roots: [join(base, 'ws')], trusted: true, env: {} })).toBe(
      at('sys/bin', 'ws/bin'),
    );
  });
});

describe('whichSystem', () => {
  it('never takes a program a project installed for itself', () => {
    for (const name of ['ws/.venv/bin/git', 'sys/node_modules/.bin/git', 'sys/bin/git']) {
      writeFileSync(join(base, name), '');
      chmodSync(join(base, name), 0o755);
    }
    const env = { PATH: at('ws/.venv/bin', 'sys/node_modules/.bin', 'sys/bin') };
    expect(which('git', env)).toBe(at('ws/.venv/bin/git'));
    expect(whichSystem('git', env)).toBe(at('sys/bin/git'));
    expect(whichSystem('git', { PATH: at('ws/.venv/bin', 'sys/node_modules/.bin') })).toBeUndefined();
  });
});
