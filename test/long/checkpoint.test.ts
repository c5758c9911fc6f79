/** Checkpoints under kills, beside another process, on a full disk, without rights, and over many files. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateTree } from '../../bench/generate-tree.mjs';
import { checkpointTool } from '../../src/tools/coder/checkpoint.js';
import { createAutomatic } from '../../src/workspace/checkpoint/automatic.js';
import { diskUse } from '../../src/workspace/checkpoint/upkeep.js';
import { makeBench } from '../tools/context.js';
import { bundle } from '../workspace/bundle.js';
import { noSignal, type Setup, setup } from '../workspace/checkpoint/setup.js';
import { faultFrom } from '../workspace/temp.js';

const MIB = 1024 * 1024;
const FILES = 300;
let out: string;
let modules: string[];
let s: Setup;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'chatcli-out-'));
  modules = await bundle(out, ['workspace/checkpoint/checkpoints', 'workspace/checkpoint/automatic']);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));
beforeEach(() => {
  s = setup();
});
afterEach(() => s.remove());

/** A process of its own that runs `body` with `checkpoints` opened; prints `ready` before it. */
function other(body: string, options: { readonly uid?: number } = {}): ChildProcess {
  const opened = { roots: [s.ws], home: s.home, state: s.state, env: { PATH: process.env['PATH'] ?? '' } };
  const script = `
    const [c, a] = await Promise.all(${JSON.stringify(modules)}.map((file) => import(file)));
    const checkpoints = c.openCheckpoints(${JSON.stringify(opened)});
    const signal = new AbortController().signal;
    console.log('ready');
    ${body}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

function ended(child: ChildProcess): Promise<{ code: number | null; text: string; errors: string }> {
  let text = '';
  let errors = '';
  child.stdout?.on('data', (part) => (text += part));
  child.stderr?.on('data', (part) => (errors += part));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text, errors })));
}

/** Kills the process `ms` after it began to work. */
async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill('SIGKILL');
  await new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve(0) : child.once('exit', resolve),
  );
}

function fill(version: string): void {
  for (let i = 0; i < FILES; i++) s.put(`d${i % 7}/f${i}.txt`, `${version} of ${i}\n`.repeat(50));
}

const versions = () => {
  const found = new Set<string>();
  for (let i = 0; i < FILES; i++) found.add((s.read(`d${i % 7}/f${i}.txt`) ?? 'gone').split(' ')[0] ?? '');
  return [...found].sort();
};

const strays = () => readdirSync(s.ws, { recursive: true }).filter((name) => String(name).includes('.chatcli-'));

describe('a killed process', () => {
  it('in the middle of create: the next call works at once and is whole', { timeout: 200_000 }, async () => {
    let whole = 0;
    for (let ms = 0; ms <= 240; ms += 12) {
      fill(`v${ms}`);
      await killAfter(other(`await checkpoints.create(${JSON.stringify(s.ws)}, 'killed', signal); console.log('done');`), ms);
      const { snapshot, fresh } = await s.create('after');
      if (!fresh) whole++;
      const held = s
        .look(['ls-tree', '-r', '--name-only', snapshot?.hash ?? ''])
        .toString()
        .trim()
        .split('\n');
      expect(held.length, `after ${ms} ms`).toBe(FILES);
      expect(s.look(['show', `${snapshot?.hash}:d0/f0.txt`]).toString()).toBe(s.read('d0/f0.txt'));
    }
    s.look(['fsck', '--strict', '--no-dangling']);
    // The kills really came before the end, most of them.
    expect(whole).toBeLessThan(18);
  });

  it('in the middle of restore: every file is old or new, the next call finishes, and the state before is kept', {
    timeout: 200_000,
  }, async () => {
    fill('old');
    const hash = await s.hash('old');
    const seen = new Set<string>();
    for (let ms = 40; ms <= 400; ms += 15) {
      fill('new');
      await killAfter(
        other(`await checkpoints.restore(${JSON.stringify(hash)}, { exact: true, signal }); console.log('done');`),
        ms,
      );
      const now = versions();
      seen.add(now.join('+'));
      expect(
        now.every((version) => version === 'old' || version === 'new'),
        `after ${ms} ms: ${now}`,
      ).toBe(true);
      const done = await s.restore(hash, true);
      expect(done.refused).toEqual([]);
      expect(versions()).toEqual(['old']);
      expect(strays().length, 'left beside the files').toBeLessThanOrEqual(1);
      for (const name of strays()) rmSync(join(s.ws, String(name)));
    }
    expect([...seen]).toContain('new+old');
    const all = await s.checkpoints.list(noSignal());
    await s.restore(all.find((entry) => entry.subject.includes('restore'))?.hash ?? '');
    expect(versions()).not.toContain('gone');
  });
});

describe('two processes', () => {
  it('at once: every snapshot is whole, none is lost', async () => {
    fill('v0');
    const body = (name: string) => `
      import { writeFileSync } from 'node:fs';
      for (let i = 0; i < 8; i++) {
        writeFileSync(${JSON.stringify(s.ws)} + '/${name}.txt', '${name}' + i);
        const made = await checkpoints.create(${JSON.stringify(s.ws)}, '${name}' + i, signal);
        if (!made.snapshot) throw new Error('nothing');
      }
      console.log('done');`;
    const results = await Promise.all(['one', 'two', 'three'].map((name) => ended(other(body(name)))));
    for (const result of results) expect(result, result.errors).toMatchObject({ code: 0, text: 'ready\ndone\n' });
    const all = await s.checkpoints.list(noSignal());
    expect(all.length).toBeGreaterThan(8);
    for (const { hash } of all) {
      const held = s.look(['ls-tree', '-r', '--name-only', hash]).toString().trim().split('\n');
      expect(held.filter((name) => name.startsWith('d')).length).toBe(FILES);
    }
    s.look(['fsck', '--strict', '--no-dangling']);
  });

  it('one restores while the other takes snapshots: nobody fails', async () => {
    fill('old');
    const hash = await s.hash('old');
    fill('new');
    const taking = ended(
      other(
        `for (let i = 0; i < 10; i++) await checkpoints.create(${JSON.stringify(s.ws)}, 'n' + i, signal); console.log('done');`,
      ),
    );
    const done = await s.restore(hash);
    expect(done.refused).toEqual([]);
    expect(await taking).toMatchObject({ code: 0, text: 'ready\ndone\n' });
    expect(versions()).toEqual(['old']);
  });
});

it('on a full disk the snapshot fails with the reason, the edit does not, and the next one works', async (context) => {
  const small = join(s.base, 'small');
  mkdirSync(small);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'none', small]).status !== 0)
    context.skip('cannot mount a tmpfs here');
  try {
    const full = setup({ state: join(small, 'state') }, { ...s, state: join(small, 'state') });
    s.put('a.txt', 'v1\n');
    const hash = await full.hash();
    writeFileSync(join(small, 'ballast'), randomBytes(15 * MIB));
    s.put('random.bin', randomBytes(8 * MIB));
    s.put('a.txt', 'v2\n');
    expect((await faultFrom(full.create())).code).toBe('ENOSPC');
    // A disk that is fuller than it says: git itself finds out.
    const written = spawnSync('sh', ['-c', `dd if=/dev/urandom of=${small}/more bs=1M count=30 2>/dev/null; true`]);
    expect(written.status).toBe(0);
    const fault = await faultFrom(full.create());
    expect(fault.code).toBe('ENOSPC');
    expect((await faultFrom(full.restore(hash))).code).toBe('ENOSPC');
    expect(s.read('a.txt')).toBe('v2\n');
    await createAutomatic(full.checkpoints).before('write', [], noSignal());
    rmSync(join(small, 'ballast'));
    rmSync(join(small, 'more'));
    expect((await full.create()).fresh).toBe(true);
    await full.restore(hash);
    expect(s.read('a.txt')).toBe('v1\n');
  } finally {
    spawnSync('umount', [small]);
  }
});

it('files without the right to read are left out and said, the rest is recorded', async (context) => {
  const uid = 65534;
  if (process.getuid?.() !== 0) context.skip('needs root to become another user');
  s.put('open.txt', 'open\n');
  s.put('closed.txt', 'closed\n', 0o600);
  s.put('closed/inner.txt', 'inner\n');
  chmodSync(join(s.ws, 'closed'), 0o700);
  for (const folder of [s.base, s.ws, out]) chmodSync(folder, 0o755);
  for (const folder of [s.home, s.state, join(s.state, 'cache'), join(s.state, 'cache/scratch')]) chownSync(folder, uid, uid);
  const body = `
    const made = await checkpoints.create(${JSON.stringify(s.ws)}, 'x', signal);
    console.log(made.snapshot.hash, made.left.map((entry) => entry.why + ' ' + entry.path).join(','));`;
  const result = await ended(other(body, { uid }));
  expect(result.code, result.errors).toBe(0);
  const [, hash, left] = /ready\n(\S+) (.*)\n/.exec(result.text) ?? [];
  expect(left).toBe('unreadable closed.txt');
  const held = spawnSync('git', [`--git-dir=${s.shadow}`, '-c', 'safe.directory=*', 'ls-tree', '-r', '--name-only', hash ?? '']);
  expect(held.stdout.toString()).toBe('open.txt\n');
});

it('10,000 files: the first snapshot, one change, and back', { timeout: 300_000 }, async () => {
  const { files } = generateTree(s.ws, { files: 10_000, seed: 7 });
  const hash = await s.hash();
  const held = s.look(['ls-tree', '-r', '-z', '--name-only', hash]).toString('latin1').split('\0').filter(Boolean);
  expect(held.length).toBe(files);
  expect((await s.create()).fresh).toBe(false);
  const names = held.filter((_, index) => index % 3 === 0);
  const bytes = names.map((name) => readFileSync(join(s.ws, name)));
  for (const name of names) rmSync(join(s.ws, name));
  const done = await s.restore(hash, true);
  expect([done.restored.length, done.refused, done.stopped]).toEqual([names.length, [], undefined]);
  for (const [index, name] of names.entries())
    expect(readFileSync(join(s.ws, name)).equals(bytes[index] ?? Buffer.alloc(0)), name).toBe(true);
});

it('a deadline in the middle keeps what was done, and leaves nothing behind', { timeout: 300_000 }, async () => {
  for (let i = 0; i < 25; i++) s.put(`big${i}.bin`, randomBytes(8 * MIB));
  const hurried = setup({ env: { PATH: process.env['PATH'] ?? '', CHATCLI_CODER_CHECKPOINT_TIMEOUT: '2' } }, s);
  let tries = 0;
  for (; tries < 20; tries++) {
    const fault = await hurried.create().then(
      () => undefined,
      (error: unknown) => (error as { code: string }).code,
    );
    if (fault === undefined) break;
    expect(fault).toBe('Timeout');
    const stray = readdirSync(s.shadow, { recursive: true }).filter((name) => /tmp_|\.lock$/.test(String(name)));
    expect(stray).toEqual([]);
  }
  // Several attempts were needed, and each got further.
  expect(tries).toBeLessThan(20);
  expect((await hurried.checkpoints.list(noSignal())).length).toBe(1);
});

it('over the quota the oldest snapshots and their content go, the newest stay', async () => {
  const quota = 3 * MIB;
  const small = setup({ quota }, s);
  const hashes: string[] = [];
  for (let i = 0; i < 8; i++) {
    s.put('random.bin', randomBytes(MIB));
    hashes.push(await small.hash(`n${i}`));
  }
  // Twice the quota is never passed, without any upkeep in the background.
  expect(diskUse(s.shadow)).toBeLessThan(2 * quota + 2 * MIB);
  await small.checkpoints.tidy(s.ws, noSignal());
  expect(diskUse(s.shadow)).toBeLessThan(quota);
  const left = (await small.checkpoints.list(noSignal())).map((entry) => entry.hash);
  expect(left.length).toBeGreaterThan(0);
  expect(left).toEqual(hashes.slice(-left.length).reverse());
  s.put('random.bin', 'other');
  expect((await small.restore(left[0] ?? '')).refused).toEqual([]);
  expect((await faultFrom(small.restore(hashes[0] ?? ''))).code).toBe('NotFound');
});

describe('the tool', () => {
  it('shows the 30 newest', async () => {
    const bench = await makeBench();
    const call = (args: Parameters<typeof checkpointTool.facts>[0]) => bench.run(checkpointTool, args);
    for (let i = 0; i < 32; i++) {
      bench.put('a.txt', `${i}\n`);
      await call({ create: true, label: `n${i}` });
    }
    const lines = (await call({})).output.trim().split('\n');
    expect(lines.length).toBe(31);
    expect(lines[0]).toContain('before n31 ');
    expect(lines[29]).toContain('before n2 ');
    expect(lines[30]).toBe('(2 older ones are not shown; restore knows them too)');
    bench.remove();
  });
});
