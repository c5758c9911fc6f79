/** The pure parts: which rules count, how they become arguments and profiles, which paths can be trusted. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { accessAt, arrange } from '../../../src/process/sandbox/arrange.js';
import { bubblewrapArguments } from '../../../src/process/sandbox/bubblewrap.js';
import { createScanner } from '../../../src/process/sandbox/scan-workspace.js';
import { seatbeltArguments, seatbeltProfile } from '../../../src/process/sandbox/seatbelt.js';
import { isBelow, isSystemFolder, stablePath } from '../../../src/process/sandbox/stable-path.js';
import { cachePlaces, makeCaches } from '../../../src/process/sandbox/tool-caches.js';
import type { BubblewrapBackend, PlaceRule, Program, SandboxPlan } from '../../../src/process/sandbox/types.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'rules-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const RULES: readonly PlaceRule[] = [
  { kind: 'write', path: '/tmp' },
  { kind: 'hide-folder', path: '/h/.ssh', passable: false },
  { kind: 'read', path: '/h' },
  { kind: 'write', path: '/h/.cache' },
  { kind: 'write', path: '/h/.cache/npm' },
  { kind: 'write', path: '/h/w', shown: true },
  { kind: 'write', path: '/h/w/.git', pinned: true },
  { kind: 'read', path: '/h/w/.git/hooks', pinned: true },
  { kind: 'hide-file', path: '/h/w/.env', stub: '/s/empty' },
  { kind: 'hide-file', path: '/h/.ssh/agent' },
  { kind: 'hide-folder', path: '/h/.chatcli', passable: true },
  { kind: 'read', path: '/h/.chatcli/cache/scratch/1', shown: true },
  { kind: 'read', path: '/h/.chatcli/unasked' },
  { kind: 'private', path: '/run', mode: '0755' },
  { kind: 'private', path: '/run/user/1', mode: '0700' },
];
const PLAN: SandboxPlan = {
  level: 'workspace',
  network: true,
  rules: arrange(RULES),
  unset: ['TMUX'],
  watched: [],
  awaited: [],
  steps: [],
  loose: [],
  repositories: [],
  present: [],
  scanned: [],
  notes: [],
  home: '/h',
};
const BACKEND: BubblewrapBackend = {
  kind: 'bubblewrap',
  file: '/usr/bin/bwrap',
  userNamespace: false,
  perms: true,
  handles: true,
  network: true,
};
const PROGRAM: Program = { file: '/bin/sh', args: ['-c', '--', "echo '$HOME'\n"], cwd: '/h/w', ownSession: true };

describe('arrange', () => {
  it('orders by depth and drops what changes nothing', () => {
    expect(PLAN.rules.map((rule) => rule.path)).toEqual([
      '/run',
      '/tmp',
      '/h/.cache',
      '/h/.chatcli',
      '/h/.ssh',
      '/h/w',
      '/h/w/.env',
      '/h/w/.git',
      '/run/user/1',
      '/h/w/.git/hooks',
      '/h/.chatcli/cache/scratch/1',
    ]);
  });
  it('lets the later rule for a path count, and keeps home read-only below a temporary folder', () => {
    expect(arrange([...RULES, { kind: 'read', path: '/h/w' }]).some((rule) => rule.path === '/h/w')).toBe(false);
    const odd = arrange([
      { kind: 'write', path: '/tmp' },
      { kind: 'read', path: '/tmp/x/home' },
      { kind: 'write', path: '/tmp/x/home/.npm' },
      { kind: 'write', path: '/tmp/x/ws', shown: true },
    ]);
    expect(odd.map((rule) => `${rule.kind} ${rule.path}`)).toEqual(['write /tmp', 'read /tmp/x/home', 'write /tmp/x/home/.npm']);
  });
  it('says what can be done at a place', () => {
    const answers = Object.entries({
      '/': 'read',
      '/etc/x': 'read',
      '/tmp/a/b': 'write',
      '/tmpx': 'read',
      '/h/.bashrc': 'read',
      '/h/.ssh/id': 'hidden',
      '/h/.sshx': 'read',
      '/h/w/src': 'write',
      '/h/w/.env': 'hidden',
      '/h/w/.git/index': 'write',
      '/h/w/.git/hooks/a': 'read',
      '/h/.chatcli/config.json': 'hidden',
      '/h/.chatcli/cache/scratch/1/a': 'read',
      '/run/user/1/x': 'write',
    });
    for (const [path, access] of answers) expect(accessAt(PLAN, path), path).toBe(access);
  });
});

describe('bubblewrap', () => {
  const args = (extra: Partial<Parameters<typeof bubblewrapArguments>[0]> = {}) =>
    bubblewrapArguments({ plan: PLAN, backend: BACKEND, program: PROGRAM, uid: 1000, ...extra });
  const has = (list: readonly string[], ...words: string[]) => ` ${list.join(' ')} `.includes(` ${words.join(' ')} `);

  it('writes the whole of it', () => {
    expect(args({ handles: ['/h/w/.git', '/h/w/.git/hooks'] })).toEqual(
      [
        '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --ro-bind / / --dev /dev --proc /proc',
        '--perms 0755 --tmpfs /run --bind /tmp /tmp --bind /h/.cache /h/.cache --perms 0111 --tmpfs /h/.chatcli',
        '--perms 0000 --tmpfs /h/.ssh --bind /h/w /h/w --ro-bind /s/empty /h/w/.env',
        '--bind-fd 3 /h/w/.git --perms 0700 --tmpfs /run/user/1 --ro-bind-fd 4 /h/w/.git/hooks',
        '--ro-bind /h/.chatcli/cache/scratch/1 /h/.chatcli/cache/scratch/1',
        '--remount-ro /h/.chatcli --remount-ro /h/.ssh --unsetenv TMUX --chdir /h/w -- /bin/sh -c --',
      ]
        .join(' ')
        .split(' ')
        .concat("echo '$HOME'\n"),
    );
  });
  it('takes all rights of root but those over files', () => {
    const root = args({ uid: 0, kernel: ['/proc/sys'] });
    expect(has(root, '--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys')).toBe(true);
    expect(args({ kernel: ['/proc/sys'] })).not.toContain('/proc/sys');
    expect(has(root, '--cap-drop', 'ALL')).toBe(true);
    expect(root.filter((word) => word.startsWith('CAP_'))).not.toContain('CAP_SYS_ADMIN');
    expect(root).not.toContain('CAP_DAC_OVERRIDE');
    expect(args({ uid: 0, foreignOwner: true })).toContain('CAP_DAC_OVERRIDE');
    const inner = args({ uid: 0, backend: { ...BACKEND, userNamespace: true } });
    expect(has(inner, '--unshare-user')).toBe(true);
    expect(inner.some((word) => word.startsWith('CAP_'))).toBe(false);
    expect(args()).not.toContain('--cap-drop');
  });
  it('cuts the network, ends with its parent and makes a session only when asked', () => {
    expect(args({ plan: { ...PLAN, network: false } })).toContain('--unshare-net');
    for (const word of ['--unshare-net', '--die-with-parent', '--new-session']) expect(args()).not.toContain(word);
    const other = args({ program: { ...PROGRAM, tied: true, ownSession: false } });
    expect(other).toContain('--die-with-parent');
    expect(other).toContain('--new-session');
  });
  it('without handles, a place that could be swapped is never made writable by its name', () => {
    const old = args({ handles: [], backend: { ...BACKEND, perms: false } });
    expect(has(old, '--bind', '/h/w/.git', '/h/w/.git')).toBe(false);
    expect(has(old, '--ro-bind', '/h/w/.git/hooks', '/h/w/.git/hooks')).toBe(true);
    expect(old).not.toContain('--perms');
  });
});

describe('seatbelt (text only: not run here)', () => {
  it('writes a profile without a single path in it', () => {
    const { text, parameters } = seatbeltProfile({ ...PLAN, home: '/h' }, true);
    expect(parameters).toEqual(PLAN.rules.map((rule) => rule.path));
    for (const path of parameters) expect(text).not.toContain(`"${path}"`);
    expect(text.split('\n').slice(0, 3)).toEqual(['(version 1)', '(allow default)', '(deny file-write*)']);
    const at = (path: string) => `(subpath (param "P${parameters.indexOf(path)}"))`;
    expect(text).toContain(`(allow file-read* file-write* ${at('/h/w')})`);
    expect(text).toContain(`(deny file-write* ${at('/h/w/.git/hooks')})`);
    expect(text).toContain(`(deny file-read* file-write* ${at('/h/.ssh')})\n(deny network-outbound ${at('/h/.ssh')})`);
    expect(text.indexOf(at('/h/.chatcli'))).toBeLessThan(text.indexOf(at('/h/.chatcli/cache/scratch/1')));
    expect(text.indexOf(at('/h/w'))).toBeLessThan(text.indexOf(at('/h/w/.env')));
    expect(text).not.toContain('(deny network*)');
  });
  it('cuts the network as the last word, and leaves out what an older system does not know', () => {
    const { text } = seatbeltProfile({ ...PLAN, network: false }, false);
    expect(text.trimEnd().endsWith('(deny network*)')).toBe(true);
    expect(text).not.toContain('lsopen');
  });
  it('is balanced, whatever the paths are', () => {
    const rules: PlaceRule[] = ['/a")(allow default)', '/b\nc', "/d'", '/-e', '/f\\'].map((path) => ({ kind: 'write', path }));
    const backend = { kind: 'seatbelt', file: '/usr/bin/sandbox-exec', services: true, network: true } as const;
    const args = seatbeltArguments({ ...PLAN, rules }, backend, PROGRAM);
    const text = args[1] as string;
    expect(text.split('(').length).toBe(text.split(')').length);
    expect(text.match(/\(allow default\)/g)).toHaveLength(1);
    for (const [index, rule] of rules.entries()) expect(args).toContain(`P${index}=${rule.path}`);
    expect(args.slice(args.indexOf('--') + 1)).toEqual(['/usr/bin/env', '-u', 'TMUX', PROGRAM.file, ...PROGRAM.args]);
  });
});

describe('paths', () => {
  it('compares whole components', () => {
    expect(isBelow('/a/b', '/a')).toBe(true);
    expect(isBelow('/ab', '/a')).toBe(false);
    expect(isBelow('/a', '/')).toBe(true);
    expect(isSystemFolder('/usr/lib/x')).toBe(true);
    expect(isSystemFolder('/opt/x')).toBe(false);
  });
  it('follows links only where nobody inside could have made them', () => {
    const at = (...parts: string[]) => join(base, ...parts);
    mkdirSync(at('safe/deep'), { recursive: true });
    mkdirSync(at('open'));
    writeFileSync(at('safe/deep/file'), '');
    symlinkSync(at('safe'), at('link'));
    symlinkSync('../safe/deep/../deep', at('open/planted'));
    symlinkSync(at('open/planted'), at('safe/through'));
    symlinkSync('loop', at('loop'));
    const writable = (place: string) => isBelow(place, at('open'));
    expect(stablePath(at('link/deep/file'), writable)).toBe(at('safe/deep/file'));
    expect(stablePath(at('link/../link/deep/./file'), writable)).toBe(at('safe/deep/file'));
    expect(stablePath(at('open/planted/file'), writable)).toBeUndefined();
    expect(stablePath(at('safe/through'), writable)).toBeUndefined();
    expect(stablePath(at('open/planted/file'), () => false)).toBe(at('safe/deep/file'));
    for (const path of [at('loop'), at('missing'), at('safe/deep/file/x'), 'relative', '', '/a\0b'])
      expect(stablePath(path, writable)).toBeUndefined();
    expect(stablePath('/../..', writable)).toBe('/');
  });
  it('knows caches by place and variable, and never a folder of programs', () => {
    const places = cachePlaces('/h', { GOPATH: '/g1:/g2', CARGO_HOME: '/c', npm_config_cache: 'relative', XDG_CACHE_HOME: '/x' });
    for (const path of ['/h/.npm', '/h/.cargo/registry', '/g1/pkg', '/g2/pkg', '/c/git', '/x']) expect(places).toContain(path);
    for (const path of ['/h/.cargo', '/h/.cargo/bin', '/h/go/bin', '/g1', '/c', '/h/.local/bin', '/h', '/h/.gradle', '/h/.m2'])
      expect(places).not.toContain(path);
    expect(places.some((path) => path.includes('relative'))).toBe(false);
  });
  it('makes the caches of installed tools only', () => {
    const home = join(base, 'home');
    const bin = join(base, 'bin');
    mkdirSync(home);
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), '', { mode: 0o755 });
    expect(makeCaches(home, { PATH: bin })).toEqual([join(home, '.npm')]);
    expect(makeCaches(home, { PATH: bin })).toEqual([]);
    expect(makeCaches(join(base, 'no-home'), { PATH: bin })).toEqual([]);
    expect(makeCaches('/', { PATH: bin })).toEqual([]);
  });
});

describe('looking through a workspace', () => {
  it('finds secrets, repositories and our settings, also new ones, and stops at its bounds', () => {
    const root = join(base, 'scan');
    const put = (path: string) => {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '');
    };
    for (const path of [
      '.env',
      'a/.env.local',
      'a/.env.example',
      'node_modules/x/.env',
      'b/.git/HEAD',
      '.chatcli/config.json',
      'a/coder_policy.json',
      '.git',
      'c/.env/bin/python',
    ])
      put(path);
    symlinkSync('a/.env.local', join(root, '.env.link'));
    const scan = createScanner();
    const names = (list: readonly string[]) => list.map((path) => path.slice(root.length + 1)).sort();
    const seen = scan.now(root);
    expect(names(seen.secrets)).toEqual(['.env', '.env.link', 'a/.env.local']);
    expect(names(seen.repositories)).toEqual(['.git', 'b/.git']);
    expect(names(seen.own)).toEqual(['.chatcli', 'a/coder_policy.json']);
    expect(seen.complete).toBe(true);
    put('a/deep/new/.env');
    rmSync(join(root, '.env'));
    expect(names(scan.now(root).secrets)).toEqual(['.env.link', 'a/.env.local', 'a/deep/new/.env']);
    put(`${'d/'.repeat(70)}.env`);
    expect(scan.now(root).complete).toBe(false);
    expect(scan.now(join(base, 'nowhere'))).toMatchObject({ secrets: [], complete: true });
  });
});
