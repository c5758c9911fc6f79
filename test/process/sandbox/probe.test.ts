/** What is found of sandboxes: by trying, never from a place the model can write, and always with an answer. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSandboxMode, sandboxState } from '../../../src/process/sandbox/mode.js';
import { type ProbeOptions, probeSandbox } from '../../../src/process/sandbox/probe.js';
import { makeConfinement, runIn, whyNot } from './confined.js';

const uid = process.getuid?.() ?? 0;
const base = realpathSync(mkdtempSync(join(tmpdir(), 'probe-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;

/** A folder with a program of that name whose script is `text`. */
function folderWith(text: string, name = 'bwrap'): string {
  const folder = join(base, String(count++));
  mkdirSync(folder);
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return folder;
}

/** Looks only in the folders given. */
function probe(folders: readonly string[], extra: Partial<ProbeOptions> = {}) {
  return probeSandbox({
    platform: 'linux',
    env: { PATH: folders.join(':') },
    uid,
    untrusted: [],
    folders: [],
    attemptMs: 1500,
    ...extra,
  });
}

/** Runs what follows the options, as a sandbox would. */
const PRETEND = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@" 2>&1';

describe('finding the program', () => {
  it('says when there is none', async () => {
    expect(await probe([])).toEqual({ reason: 'bubblewrap (bwrap) is not installed' });
    expect(await probe([join(base, 'missing'), 'relative', '.', ''])).toEqual({ reason: 'bubblewrap (bwrap) is not installed' });
  });
  it('never runs one the model could have written', async () => {
    const planted = folderWith(`touch ${base}/ran; exit 73`);
    const linked = join(base, 'linked');
    mkdirSync(linked);
    symlinkSync(join(planted, 'bwrap'), join(linked, 'bwrap'));
    for (const folders of [[planted], [linked]]) {
      const answer = await probe(folders, { untrusted: [planted] });
      expect(answer.reason).toMatch(/^bubblewrap is not trusted: .*bwrap lies where commands may write$/);
    }
    expect((await probe([planted], { untrusted: [base] })).reason).toContain('lies where commands may write');
  });
  it('never runs one that others can change', async () => {
    const open = folderWith('exit 73');
    chmodSync(join(open, 'bwrap'), 0o777);
    expect((await probe([open])).reason).toContain('can be changed by everybody');
    const folder = folderWith('exit 73');
    chmodSync(folder, 0o777);
    expect((await probe([folder])).reason).toContain('can be changed by everybody');
    const plain = folderWith('exit 73');
    chmodSync(join(plain, 'bwrap'), 0o644);
    expect((await probe([plain])).reason).toContain('is no program');
  });
});

describe('trying it', () => {
  it('believes only a trial that ran and was confined', async () => {
    // It runs the trial without confining: the trial finds / writable, unless we are nobody special.
    const loose = await probe([folderWith(PRETEND)]);
    if (uid === 0) expect(loose.reason).toContain('bubblewrap does not work here');
    expect((await probe([folderWith('exit 0')])).reason).toContain('it ran nothing');
    expect((await probe([folderWith('exit 1')])).reason).toContain('bubblewrap does not work here');
  });
  it('passes on what the program says, and why that may be', async () => {
    const denied = folderWith('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
    expect((await probe([denied])).reason).toBe(
      'bubblewrap does not work here: setting up uid map: Permission denied (the system, a container or an outer sandbox does not let it make namespaces)',
    );
  });
  it('does not wait for one that hangs', async () => {
    const hanging = folderWith('exec sleep 60');
    expect((await probe([hanging], { attemptMs: 200, uid: 1 })).reason).toMatch(/belongs to user|no answer within 0.2 s/);
    expect((await probe([hanging], { attemptMs: 200 })).reason).toContain('no answer within 0.2 s');
  });
  it('does without what an old one does not know, and knows when the network cannot be cut', async () => {
    const old = folderWith(
      `case " $* " in *" --help "*) exit 0;; *" --perms "*) echo "bwrap: Unknown option --perms" >&2; exit 1;; *" --unshare-net "*) echo "bwrap: loopback: Failed RTM_NEWADDR" >&2; exit 1;; esac; exit 73`,
    );
    expect(await probe([old])).toEqual({
      backend: {
        kind: 'bubblewrap',
        file: join(old, 'bwrap'),
        userNamespace: false,
        perms: false,
        handles: false,
        network: false,
      },
    });
  });
  it('asks for a user namespace when root may not mount', async (context) => {
    if (uid !== 0) context.skip('not root');
    const box = folderWith(
      'case " $* " in *" --unshare-user "*) exit 73;; esac; echo "bwrap: Creating new namespace failed: Operation not permitted" >&2; exit 1',
    );
    expect((await probe([box])).backend).toMatchObject({ userNamespace: true });
  });
  it('tries once and remembers', async () => {
    const folder = folderWith(`echo x >> ${base}/tries; exit 73`);
    const first = await probe([folder]);
    rmSync(join(folder, 'bwrap'));
    expect(await probe([folder])).toBe(first);
  });
  it('names systems without a sandbox', async () => {
    expect(await probe([], { platform: 'win32' })).toEqual({ reason: 'there is no sandbox for Windows' });
    expect(await probe([], { platform: 'freebsd' })).toEqual({ reason: 'there is no sandbox for freebsd' });
  });
  it('on macOS reports that sandbox-exec could not be run where it is missing', async (context) => {
    if (process.platform === 'darwin') context.skip('it is there');
    expect((await probe([], { platform: 'darwin' })).reason).toContain('sandbox-exec does not work here');
  });
});

describe('inside other sandboxes', () => {
  const source = resolve(import.meta.dirname, '../../../src/process/sandbox/probe.ts');
  it('says no, with the reason, where namespaces are used up', async (context) => {
    const missing = await whyNot();
    if (missing !== undefined) context.skip(`no sandbox here: ${missing}`);
    const outer = [
      '--unshare-user',
      '--disable-userns',
      '--unshare-pid',
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--',
    ];
    const { build } = await import('vite');
    await build({
      configFile: false,
      logLevel: 'silent',
      root: base,
      build: {
        ssr: source,
        outDir: join(base, 'out'),
        emptyOutDir: false,
        rollupOptions: { output: { entryFileNames: 'probe.mjs' } },
      },
    });
    const script = `import(${JSON.stringify(join(base, 'out/probe.mjs'))}).then((m) => m.probeSandbox({ platform: 'linux', env: { PATH: '/usr/bin:/bin' }, uid: process.getuid(), untrusted: [] })).then((p) => console.log(p.reason))`;
    const said = execFileSync('bwrap', [...outer, process.execPath, '-e', script], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect(said).toMatch(/^bubblewrap does not work here: .*\(.*(namespaces|cannot be mounted)\)\n$/);
  });
  it('inside our own: either it works, or it says why', async (context) => {
    const missing = await whyNot();
    if (missing !== undefined) context.skip(`no sandbox here: ${missing}`);
    const place = makeConfinement();
    const inner = `bwrap --unshare-pid ${uid === 0 ? '--unshare-user' : ''} --ro-bind / / --dev /dev --proc /proc -- sh -c 'touch ~/x; echo nested'`;
    const ran = await runIn(place, place.sandbox(), inner);
    if (ran.code === 0) expect(ran.output).toMatch(/Read-only file system[\s\S]*nested/);
    else expect(ran.refusal?.kind).toBe('setup');
    place.remove();
  });
});

describe('what is asked for', () => {
  const works = {
    backend: { kind: 'bubblewrap', file: '/usr/bin/bwrap', userNamespace: false, perms: true, handles: true, network: true },
  } as const;
  const broken = { reason: 'none is installed' };
  it('reads the variable', () => {
    expect(parseSandboxMode('')).toEqual({ mode: 'auto' });
    expect(parseSandboxMode(' Strict ')).toEqual({ mode: 'strict' });
    for (const old of ['docker', 'podman', 'container']) expect(parseSandboxMode(old)).toEqual({ mode: 'auto', retired: old });
    for (const unknown of ['on', 'true', '1', 'none', 'strict,off']) expect(parseSandboxMode(unknown)).toBeUndefined();
  });
  it('falls back only where that was allowed', () => {
    expect(sandboxState('auto', works)).toMatchObject({ level: 'workspace' });
    expect(sandboxState('strict', works)).toMatchObject({ level: 'strict' });
    expect(sandboxState('off', works)).toEqual({ level: 'none', reason: 'it is switched off' });
    expect(sandboxState('auto', broken)).toEqual({ level: 'none', reason: 'none is installed' });
    expect(sandboxState('workspace', broken)).toEqual({ level: 'none', reason: 'none is installed' });
    expect(sandboxState('strict', broken)).toEqual({ level: 'blocked', reason: 'none is installed' });
    const half = { backend: { ...works.backend, network: false } };
    expect(sandboxState('strict', half)).toEqual({ level: 'blocked', reason: 'the network cannot be cut off here' });
    expect(sandboxState('auto', half)).toMatchObject({ level: 'workspace' });
    expect(sandboxState('auto', works, 'not yours')).toEqual({ level: 'none', reason: 'not yours' });
  });
});
