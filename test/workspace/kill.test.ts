import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from './temp.js';

const ROUNDS = 12;
const SIZE = 1_500_000;

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** The workspace as a program of its own can load it. */
async function bundled(): Promise<string> {
  const outDir = join(place.base, 'out');
  const entry = resolve(import.meta.dirname, '../../src/workspace/open-workspace.ts');
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'workspace.mjs' } },
    },
  });
  return join(outDir, 'workspace.mjs');
}

/** Every byte the same: a whole version of the file, never a mixture. */
function isWhole(bytes: Buffer): boolean {
  return bytes.length === SIZE && bytes.every((byte) => byte === bytes[0]);
}

describe('a process killed while it writes', () => {
  it('leaves every file whole, and nothing of its own after the next start', async () => {
    const module = await bundled();
    mkdirSync(join(place.state, 'journal'), { recursive: true });
    const script = `
      const { openWorkspace } = await import(${JSON.stringify(module)});
      const w = await openWorkspace(${JSON.stringify({ root: place.ws, home: place.home, state: place.state, scratch: place.scratch })});
      console.log('ready');
      for (let i = 0; ; i++) for (const file of ['a.txt', 'h1.txt']) await w.writeFile(file, Buffer.alloc(${SIZE}, 65 + (i % 26)));`;
    for (const name of ['a.txt', 'h1.txt']) place.put(name, Buffer.alloc(SIZE, 48));
    linkSync(join(place.ws, 'h1.txt'), join(place.ws, 'h2.txt'));
    for (let round = 0; round < ROUNDS; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((ready) => child.stdout.once('data', ready));
      await sleep(20 + ((round * 7) % 40));
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await gone;
      await place.open();
      for (const name of ['a.txt', 'h1.txt', 'h2.txt'])
        expect([round, name, isWhole(readFileSync(join(place.ws, name)))]).toEqual([round, name, true]);
      expect(statSync(join(place.ws, 'h1.txt')).nlink).toBe(2);
      expect(readFileSync(join(place.ws, 'h1.txt')).equals(readFileSync(join(place.ws, 'h2.txt')))).toBe(true);
      expect(readdirSync(place.ws).filter((name) => name.includes('.tmp'))).toEqual([]);
      expect(
        readdirSync(join(place.state, 'journal')).filter((name) => statSync(join(place.state, 'journal', name)).size > 0),
      ).toEqual([]);
      if (round % 4 === 3) rmSync(join(place.ws, 'a.txt.bak'), { force: true });
    }
  });
});
