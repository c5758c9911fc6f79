import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/workspace/file-state.js';
import { faultFrom, makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const text = (path: string) => readFileSync(join(place.ws, path), 'utf8');

describe('rollback', () => {
  it('restores content and keeps the mode, again and again', async () => {
    place.put('r.sh', 'one', 0o755);
    const workspace = await place.open();
    await workspace.writeFile('r.sh', Buffer.from('two'));
    chmodSync(join(place.ws, 'r.sh'), 0o700);
    expect((await workspace.rollback('r.sh')).created).toBe(false);
    expect(text('r.sh')).toBe('one');
    expect(statSync(join(place.ws, 'r.sh')).mode & 0o777).toBe(0o700);
    expect(text('r.sh.bak')).toBe('one');
    expect((await workspace.rollback('r.sh')).notes.join()).toContain('already had');
    expect(text('r.sh')).toBe('one');
  });

  it('brings back a file that was removed, with its mode', async () => {
    place.put('r.sh', 'one', 0o755);
    const workspace = await place.open();
    await workspace.writeFile('r.sh', Buffer.from('two'));
    rmSync(join(place.ws, 'r.sh'));
    expect((await workspace.rollback('r.sh')).created).toBe(true);
    expect(text('r.sh')).toBe('one');
    expect(statSync(join(place.ws, 'r.sh')).mode & 0o777).toBe(0o755);
  });

  it('keeps what it takes away', async () => {
    place.put('a.txt', 'one');
    const workspace = await place.open();
    await workspace.writeFile('a.txt', Buffer.from('two'));
    place.put('a.txt', 'and work of the user');
    const note = (await workspace.rollback('a.txt')).notes.join();
    const kept = /kept in (\S+)/.exec(note)?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).toBe('and work of the user');
  });

  it('restores a .bak of unknown origin with a note, once, without taking it for its own', async () => {
    place.put('a.txt', 'now');
    place.put('a.txt.bak', 'before');
    const workspace = await place.open();
    expect((await workspace.rollback('a.txt')).notes.join()).toContain('origin is unknown');
    expect(text('a.txt')).toBe('before');
    expect(await workspace.isBackup(join(place.ws, 'a.txt.bak'))).toBe(false);
  });

  it('refuses a .bak that is older than the last change', async () => {
    place.put('a.txt', 'one');
    const workspace = await place.open();
    await workspace.writeFile('a.txt', Buffer.from('two'));
    await workspace.writeFile('a.txt', Buffer.from('three'), { backup: false });
    const fault = await faultFrom(workspace.rollback('a.txt'));
    expect(fault.code).toBe('Stale');
    expect(fault.message).toContain('newer state');
    expect(text('a.txt')).toBe('three');
    place.put('b.txt.bak', 'ancient');
    utimesSync(join(place.ws, 'b.txt.bak'), 1, 1);
    await new Promise((done) => setTimeout(done, 20));
    await workspace.writeFile('b.txt', Buffer.from('created'));
    expect((await faultFrom(workspace.rollback('b.txt'))).code).toBe('Stale');
    expect(text('b.txt')).toBe('created');
  });

  it('says when there is none', async () => {
    const workspace = await place.open();
    expect((await faultFrom(workspace.rollback('never.txt'))).code).toBe('NotFound');
    await workspace.writeFile('made.txt', Buffer.from('x'));
    expect((await faultFrom(workspace.rollback('made.txt'))).message).toContain('created it');
    place.put('l.txt', 'x');
    place.link('l.txt.bak', 'made.txt');
    expect((await faultFrom(workspace.rollback('l.txt'))).code).toBe('ELOOP');
    expect(text('l.txt')).toBe('x');
  });
});

describe('what a killed process leaves', () => {
  const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;
  const note = (entry: object) => {
    const folder = join(place.state, 'journal');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `write-${deadPid()}-00.jsonl`),
      `${JSON.stringify({ id: 1, time: Date.now(), ...entry })}\n{"id":2,"ti`,
    );
  };

  it('is restored when a write in place was cut off', async () => {
    const file = place.put('a.txt', 'NEW NEold content');
    linkSync(file, join(place.ws, 'b.txt'));
    const backup = place.put('a.txt.bak', 'the old content!!');
    const temp = `.chatcli-${'a'.repeat(20)}.tmp`;
    place.put(temp, 'half');
    note({
      path: file,
      temps: [temp, '../../evil', 'a.txt'],
      restore: { backup, sha256: sha256(Buffer.from('the old content!!')) },
    });
    const workspace = await place.open();
    expect(text('b.txt')).toBe('the old content!!');
    expect(workspace.recovered.join()).toContain('restored');
    expect(readdirSync(place.ws).sort()).toEqual(['a.txt', 'a.txt.bak', 'b.txt']);
    expect(readdirSync(join(place.state, 'journal'))).toEqual([]);
  });

  it('is left alone when the file was changed since, is not in this workspace, or the process lives', async () => {
    const file = place.put('a.txt', 'edited by hand later');
    utimesSync(file, Date.now() / 1000 + 500, Date.now() / 1000 + 500);
    const backup = place.put('a.txt.bak', 'old');
    note({ path: file, temps: [], restore: { backup, sha256: sha256(Buffer.from('old')) } });
    expect((await place.open()).recovered.join()).toContain('changed since');
    expect(text('a.txt')).toBe('edited by hand later');
    place.put('../outside/x.txt', 'theirs');
    note({ path: join(place.base, 'outside/x.txt'), temps: [], restore: { backup, sha256: sha256(Buffer.from('old')) } });
    expect((await place.open()).recovered).toEqual([]);
    expect(readFileSync(join(place.base, 'outside/x.txt'), 'utf8')).toBe('theirs');
    writeFileSync(
      join(place.state, 'journal', `write-${process.ppid}-00.json`),
      JSON.stringify({ path: file, temps: ['a.txt'] }),
    );
    await place.open();
    expect(text('a.txt')).toBe('edited by hand later');
  });

  it('is told from what a living process of the same number does, by start, boot and token', async () => {
    const workspace = await place.open();
    await workspace.writeFile('z.txt', Buffer.from('z'));
    const folder = join(place.state, 'journal');
    const [own] = readdirSync(folder);
    // The shape of a name where the start of a process is known.
    const parts = /^write-(\d+)-(\d+)-([0-9a-f-]{36})-([0-9a-f]{24})[0-9a-f]+\.jsonl$/.exec(own ?? '');
    if (!parts) return expect(own).toMatch(/^write-\d+-[0-9a-f]+\.jsonl$/);
    const [, pid, ticks, boot, token] = parts;
    const otherBoot = `00000000${(boot ?? '').slice(8)}`;
    const cases: readonly (readonly [name: string, dead: boolean])[] = [
      [`write-${pid}-${ticks}-${boot}-${token}00.jsonl`, false],
      [`write-${pid}-${Number(ticks) + 1}-${boot}-${token}00.jsonl`, true],
      [`write-${pid}-${ticks}-${otherBoot}-${token}00.jsonl`, true],
      [`write-${process.ppid}-1-${boot}-${'b'.repeat(24)}00.jsonl`, true],
      [`write-${pid}-${'c'.repeat(24)}.jsonl`, true],
      [`write-${pid}-${token}00.jsonl`, false],
    ];
    for (const [name, dead] of cases) {
      const file = place.put('a.txt', 'torn');
      const backup = place.put('a.txt.bak', 'old');
      const entry = { id: 1, time: Date.now(), path: file, temps: [], restore: { backup, sha256: sha256(Buffer.from('old')) } };
      writeFileSync(join(folder, name), `${JSON.stringify(entry)}\n`);
      await place.open();
      expect([name, text('a.txt')]).toEqual([name, dead ? 'old' : 'torn']);
      expect(readdirSync(folder).includes(name)).toBe(!dead);
      rmSync(join(folder, name), { force: true });
    }
    expect(readdirSync(folder)).toEqual([own]);
  });

  it('may be pipes and links to devices: they are never opened', async () => {
    const workspace = await place.open();
    await workspace.writeFile('a.txt', Buffer.from('one'));
    await workspace.writeFile('a.txt', Buffer.from('two'));
    const index = join(place.state, 'backups', 'index');
    const [record] = readdirSync(index);
    const journal = join(place.state, 'journal', `write-${deadPid()}-00.jsonl`);
    const lock = join(place.state, 'locks', createHash('sha256').update(join(place.ws, 'a.txt')).digest('hex'));
    for (const make of [
      (path: string) => spawnSync('mkfifo', [path]),
      (path: string) => symlinkSync('/dev/zero', path),
      (path: string) => mkdirSync(path),
    ]) {
      for (const path of [join(index, record ?? ''), journal, lock]) {
        rmSync(path, { force: true, recursive: true });
        make(path);
      }
      const fresh = await place.open();
      expect(fresh.recovered).toEqual([]);
      await fresh.writeFile('a.txt', Buffer.from(String(make)));
      expect(text('a.txt')).toBe(String(make));
      await fresh.rollback('a.txt');
    }
  });

  it('goes after a while where no journal tells of it, and only under our own names', async () => {
    const temp = `.chatcli-${'d'.repeat(20)}.tmp`;
    const draft = join('locks', `${'e'.repeat(64)}.12.ab`);
    const record = join('backups', 'index', `.${'f'.repeat(16)}.tmp`);
    const states = [draft, record, join('backups', temp)].map((path) => join(place.state, path));
    for (const name of [`new/${temp}`, `old/${temp}`, 'old/.chatcli-mine.tmp', `other/${temp}`]) place.put(name, 'half');
    symlinkSync('x', join(place.ws, 'old', `.chatcli-${'c'.repeat(20)}.tmp`));
    for (const path of states) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'half');
    }
    await (await place.open({ state: join(place.base, 'elsewhere') })).writeFile('new/a.txt', Buffer.from('a'));
    const later = () => Date.now() + 25 * 60 * 60 * 1000;
    await (await place.open({ now: later })).writeFile('old/a.txt', Buffer.from('a'));
    expect(readdirSync(join(place.ws, 'new')).sort()).toEqual([temp, 'a.txt']);
    expect(readdirSync(join(place.ws, 'old')).sort()).toEqual([`.chatcli-${'c'.repeat(20)}.tmp`, '.chatcli-mine.tmp', 'a.txt']);
    expect(readdirSync(join(place.ws, 'other'))).toEqual([temp]);
    expect(states.filter((path) => existsSync(path))).toEqual([]);
  });
});
