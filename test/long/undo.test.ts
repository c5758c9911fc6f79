/** The undo store on a full disk, and under many kills. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from '../workspace/bundle.js';
import { makeUndoBench, type UndoBench } from '../workspace/undo/bench.js';

let bench: UndoBench;
beforeEach(async () => {
  bench = await makeUndoBench();
});
afterEach(() => bench.remove());

describe('a full disk', () => {
  it('at any size: edits work, what is recorded can be taken back, what is not is named', async (context) => {
    const small = join(bench.base, 'small');
    mkdirSync(small);
    for (const size of [16, 20, 24, 32, 48, 64, 96]) {
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'none', small]).status !== 0)
        context.skip('cannot mount a tmpfs here');
      try {
        const faults: string[] = [];
        const full = await bench.reopen({ folder: join(small, 's.undo'), onFault: (reason) => faults.push(reason) });
        const names = Array.from({ length: 12 }, (_, n) => `f${n}`);
        for (const name of names) bench.put(name, `${name} `.repeat(1500));
        await full.turn('t', Object.fromEntries(names.map((name) => [name, 'new'])));
        expect(names.map((name) => bench.text(name))).toEqual(names.map(() => 'new'));
        expect(faults).toHaveLength(size < 64 ? 1 : faults.length);
        const undone = await full.undoing.undo();
        for (const { path } of undone.files) expect(bench.text(path)).toBe(`${path} `.repeat(1500));
        for (const { path } of undone.kept) expect(bench.text(path)).toBe('new');
        expect(undone.files.length + undone.kept.length).toBeLessThanOrEqual(names.length);
        // With room again all goes on.
        for (const name of readdirSync(small)) rmSync(join(small, name), { recursive: true, force: true });
        const again = await bench.reopen({ folder: join(small, 's.undo') });
        await again.turn('u', { g: '1' });
        expect((await again.undoing.undo()).files).toEqual([{ path: 'g', how: 'removed' }]);
        full.store.close();
        again.store.close();
      } finally {
        spawnSync('umount', [small]);
      }
    }
  });
});

describe('a process killed while it edits and undoes', () => {
  it('a hundred times: everything can be taken back to the start', async () => {
    const [open, recording, store, undoing] = await bundle(join(bench.base, 'out'), [
      'workspace/open-workspace',
      'workspace/undo/recording',
      'workspace/undo/store',
      'workspace/undo/undoing',
    ]);
    const where = { root: bench.ws, home: bench.home, state: bench.state, scratch: bench.scratch };
    const script = join(bench.base, 'script.mjs');
    writeFileSync(
      script,
      `import { openWorkspace } from ${JSON.stringify(open)};
      import { recordingWorkspace } from ${JSON.stringify(recording)};
      import { openUndoStore } from ${JSON.stringify(store)};
      import { createUndoing } from ${JSON.stringify(undoing)};
      const workspace = await openWorkspace(${JSON.stringify(where)});
      const store = openUndoStore({ folder: ${JSON.stringify(bench.folder)} });
      const recorded = recordingWorkspace(workspace, store, { agent: 'main', tool: 't', call: 'c' });
      const undoing = createUndoing({ store, workspace });
      console.log('ready');
      for (let i = 0; ; i++) {
        store.beginTurn({ number: i + 1, text: 'turn ' + i });
        await recorded.writeFile('a', Buffer.from((process.pid + ' a ' + i + ' ').repeat(5000)));
        await recorded.writeFile('new/' + process.pid + '-' + i, Buffer.from('n'));
        // The one before may have died with its files half way.
        const b = await recorded.readFile('b').catch(() => undefined);
        if (b) await recorded.changeFiles([
          { path: 'b', bytes: null, expect: b.state },
          { path: 'c', bytes: Buffer.from('c' + i), expect: 'absent' },
        ]);
        await recorded.rollback('a');
        await undoing.undo();
        if (i % 3 === 2) await undoing.redo();
        await undoing.undo({ turns: 2 });
      }`,
    );
    bench.put('a', 'start');
    bench.put('b', 'b');
    for (let round = 0; round < 100; round++) {
      const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      const gone = new Promise((done) => child.once('exit', done));
      await new Promise((ready) => child.stdout.once('data', ready));
      await sleep((round * 7) % 60);
      child.kill('SIGKILL');
      await gone;
      if (round % 10 !== 9) continue;
      const after = await bench.reopen();
      expect(await after.undoing.takeBack({}), `after ${round + 1} kills`).toMatchObject({ kept: [] });
      expect([bench.text('a'), bench.text('b'), bench.text('c')]).toEqual(['start', 'b', undefined]);
      expect(existsSync(join(bench.ws, 'new')) ? readdirSync(join(bench.ws, 'new')) : []).toEqual([]);
      after.store.close();
    }
  }, 600_000);
});
