import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from './temp.js';

let place: Place;
let swapper: ChildProcess | undefined;
beforeEach(() => {
  place = makePlace();
  place.put('../outside/d/f.txt', 'theirs');
  place.put('p/d/f.txt', 'mine');
});
afterEach(async () => {
  if (swapper && swapper.exitCode === null) {
    const gone = new Promise((done) => swapper?.once('exit', done));
    swapper.kill('SIGKILL');
    await gone;
  }
  place.remove();
});

/** A program of its own that swaps the folder `p` for a link that leads out, and back, as fast as it can. */
async function swap(): Promise<void> {
  const script = `
    const fs = require('fs');
    process.chdir(${JSON.stringify(place.ws)});
    fs.symlinkSync('../outside', 'way-out');
    console.log('ready');
    let n = 0;
    const move = (from, to) => { try { fs.renameSync(from, to); return true; } catch { return false; } };
    // A folder made meanwhile under that name is moved aside.
    const step = (from, to) => {
      if (!move(from, to)) { move(to, 'aside' + n++); move(from, to); }
      for (let i = 0; i < 2000; i++);
    };
    for (;;) {
      step('p', 'q');
      step('way-out', 'p');
      step('p', 'way-out');
      step('q', 'p');
    }`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  swapper = child;
  await new Promise((ready) => child.stdout.once('data', ready));
}

describe('while a folder is being swapped for a link that leads out', () => {
  it('nothing outside is read', async () => {
    const workspace = await place.open();
    await swap();
    const end = Date.now() + 2500;
    let read = 0;
    let refused = 0;
    while (Date.now() < end || ((read === 0 || refused === 0) && Date.now() < end + 20_000)) {
      for (const result of await Promise.allSettled([workspace.readFile('p/d/f.txt'), workspace.openFile('p/d/f.txt')])) {
        if (result.status === 'rejected') {
          refused++;
          continue;
        }
        read++;
        if ('bytes' in result.value) expect(result.value.bytes.toString()).toBe('mine');
        else {
          expect((await result.value.handle.readFile()).toString()).toBe('mine');
          await result.value.handle.close();
        }
      }
      await turn();
    }
    expect(read).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  it('nothing outside is written', async () => {
    const workspace = await place.open();
    await swap();
    const end = Date.now() + 2500;
    let written = 0;
    let refused = 0;
    for (let i = 0; Date.now() < end || ((written === 0 || refused === 0) && Date.now() < end + 20_000); i++) {
      const work = [
        workspace.writeFile('p/d/f.txt', Buffer.from(`mine ${i}`)),
        workspace.writeFile(`p/d/new${i % 7}/g.txt`, Buffer.from('g')),
        workspace.writeFile(`p/d/n${i}`, Buffer.from('n')),
      ];
      for (const result of await Promise.allSettled(work))
        if (result.status === 'fulfilled') written++;
        else refused++;
      expect(readdirSync(`${place.base}/outside/d`)).toEqual(['f.txt']);
      expect(readFileSync(`${place.base}/outside/d/f.txt`, 'utf8')).toBe('theirs');
    }
    expect(written).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    expect(statSync(`${place.base}/outside/d`).isDirectory()).toBe(true);
  });
});
