import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterEach, describe, expect, it } from 'vitest';
import { openHistory } from '../../src/ui/history-file.js';

const dirs: string[] = [];
const tempDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'history-'));
  dirs.push(dir);
  return dir;
};
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const ended = (child: ChildProcess) => new Promise<number | null>((done) => child.on('exit', done));

describe('a history that several shells share', () => {
  it('shows at the next start what another shell added meanwhile', () => {
    const file = join(tempDir(), 'state', 'history');
    const first = openHistory(file);
    const second = openHistory(file);
    first.add('from the first');
    second.add('from the second');
    first.add('the first again');
    expect(openHistory(file).entries).toEqual(['the first again', 'from the second', 'from the first']);
  });

  it('loses and mixes nothing when processes write at once, also while one trims', async () => {
    const dir = tempDir();
    const file = join(dir, 'history');
    await build({
      logLevel: 'silent',
      configFile: false,
      build: {
        ssr: 'src/ui/history-file.ts',
        outDir: dir,
        emptyOutDir: false,
        rollupOptions: { output: { entryFileNames: 'h.mjs' } },
      },
    });
    writeFileSync(file, Array.from({ length: 1500 }, (_, index) => `"seed ${index}"\n`).join(''));
    const lines = 60;
    const script = `
      const { openHistory } = await import(${JSON.stringify(join(dir, 'h.mjs'))});
      const history = openHistory(process.argv[1]);
      for (let i = 0; i < ${lines}; i++) history.add(process.argv[2] + ' ' + i + ' ' + 'x'.repeat(4000));`;
    const shells = ['a', 'b', 'c'].map((name) => spawn(process.execPath, ['--input-type=module', '-e', script, file, name]));
    // Every start finds more than a thousand entries and trims.
    const starting = `
      const { openHistory } = await import(${JSON.stringify(join(dir, 'h.mjs'))});
      for (let i = 0; i < 60; i++) openHistory(process.argv[1]);`;
    shells.push(spawn(process.execPath, ['--input-type=module', '-e', starting, file]));
    expect(await Promise.all(shells.map(ended))).toEqual([0, 0, 0, 0]);
    // An entry may stand there twice where a trim came between, but never be lost.
    const entries = [...new Set(openHistory(file).entries.map((entry) => entry.replace(/ x+$/, '')))];
    expect(entries.length).toBeGreaterThan(700);
    for (const name of ['a', 'b', 'c']) {
      const own = entries.filter((entry) => entry.startsWith(name)).sort();
      expect(own).toEqual(Array.from({ length: lines }, (_, index) => `${name} ${index}`).sort());
    }
  });

  it('begins a line of its own behind what a killed shell left half written', () => {
    const file = join(tempDir(), 'h');
    openHistory(file).add('one');
    appendFileSync(file, '"half');
    openHistory(file).add('two');
    expect(openHistory(file).entries).toEqual(['two', 'one']);
    expect(readFileSync(file, 'utf8')).toBe('"one"\n"half\n"two"\n');
  });

  it('keeps no giant entry, and trims a giant file to half of its limit', () => {
    const file = join(tempDir(), 'h');
    const history = openHistory(file);
    history.add('small');
    history.add('x'.repeat(70_000));
    expect(openHistory(file).entries).toEqual(['small']);
    writeFileSync(
      file,
      Array.from({ length: 900 }, (_, index) => `${JSON.stringify(`${index} ${'é'.repeat(2000)}`)}\n`).join(''),
    );
    const { entries } = openHistory(file);
    expect(entries[0]?.startsWith('899 ')).toBe(true);
    expect(statSync(file).size).toBeLessThan(1.1 * 1024 * 1024);
    expect(openHistory(file).entries[0]?.startsWith('899 ')).toBe(true);
  });

  it('trims although a shell was killed while it trimmed', () => {
    const file = join(tempDir(), 'h');
    writeFileSync(file, Array.from({ length: 1500 }, (_, index) => `"${index}"\n`).join(''));
    writeFileSync(`${file}.trim`, '"half');
    openHistory(file);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1501);
    utimesSync(`${file}.trim`, 1000, 1000);
    openHistory(file);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1001);
    expect(readdirSync(dirname(file))).toEqual(['h']);
  });

  it('gives back any text as it was', () => {
    const file = join(tempDir(), 'h');
    const hostile = ['a\nb\tc', 'a\u2028b', '👨‍👩‍👧', '"quoted"', '\\', '\u0000\u001b[31m'];
    for (const entry of hostile) openHistory(file).add(entry);
    expect(openHistory(file).entries).toEqual(hostile.toReversed());
  });
});
