/** Language servers of a run: trust that is given or taken back counts at once, and nothing starts after the end. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAppLanguages } from '../../src/app/languages.js';
import { distrustFolder, type FolderTrust, NO_TRUST, recordTrust } from '../../src/policy/trust.js';
import { isAlive, scripted } from '../helpers/language-bench.js';
import { makePlace, type Place } from '../workspace/temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

it('trust given or taken back in a session counts from the next edit on; a no is not asked about again', async () => {
  const { ws, state } = place;
  const marker = join(place.base, 'started');
  const server = join(ws, 'node_modules/.bin/pyright-langserver');
  mkdirSync(dirname(server), { recursive: true });
  writeFileSync(server, `#!/bin/sh\ntouch '${marker}'\nexec ${scripted({})}\n`, { mode: 0o755 });
  const waiting: string[] = [];
  const languages = openAppLanguages({
    config: { state, root: ws, childEnv: { PATH: '/usr/bin:/bin' } },
    settings: { checks: true, budgetMs: 20_000, commands: {} },
    trust: () => NO_TRUST,
    roots: [ws],
    onWaiting: (name) => waiting.push(name),
  });
  let n = 0;
  const edit = async () => {
    rmSync(marker, { force: true });
    const file = { path: join(ws, `${n++}.py`), before: undefined, after: 'BAD\n' };
    const { files } = await languages.check([file], { budgetMs: 20_000, signal: new AbortController().signal });
    return { found: files.length, started: existsSync(marker) };
  };
  expect(await edit()).toEqual({ found: 0, started: false });
  expect(await edit()).toEqual({ found: 0, started: false });
  expect(waiting).toEqual(['pyright-langserver']);
  recordTrust(state, ws, 'trusted', [], 1);
  expect(await edit()).toEqual({ found: 1, started: true });
  distrustFolder(state, ws);
  expect(await edit()).toEqual({ found: 0, started: false });
  recordTrust(state, ws, 'declined', [], 2);
  const before = waiting.length;
  await edit();
  expect(waiting.length).toBe(before);
  recordTrust(state, ws, 'trusted', [], 3);
  await languages.close();
  expect(await edit()).toEqual({ found: 0, started: false });
  await expect(languages.open(join(ws, 'a.py'), '', { signal: new AbortController().signal })).rejects.toThrow('the run is over');
});

it('trust for one run that is taken back ends servers at once, and none starts again', async () => {
  const { ws, state } = place;
  const marker = join(place.base, 'started');
  const server = join(ws, 'node_modules/.bin/pyright-langserver');
  mkdirSync(dirname(server), { recursive: true });
  writeFileSync(server, `#!/bin/sh\necho $$ >'${marker}'\nexec ${scripted({})}\n`, { mode: 0o755 });
  let trust: FolderTrust = { forRun: true, pins: {} };
  const languages = openAppLanguages({
    config: { state, root: ws, childEnv: { PATH: '/usr/bin:/bin' } },
    settings: { checks: true, budgetMs: 20_000, commands: {} },
    trust: () => trust,
    roots: [ws],
  });
  const check = () =>
    languages.check([{ path: join(ws, 'a.py'), before: undefined, after: 'BAD\n' }], {
      budgetMs: 20_000,
      signal: new AbortController().signal,
    });
  expect((await check()).files).toHaveLength(1);
  const pid = Number(readFileSync(marker, 'utf8'));
  expect(isAlive(pid)).toBe(true);
  rmSync(marker);
  trust = NO_TRUST;
  languages.trustChanged();
  await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false);
  expect((await check()).files).toHaveLength(0);
  expect(existsSync(marker)).toBe(false);
  await languages.close();
});

it('a variable that names no server is told of once, at the first edit it would have checked', async () => {
  const { ws, state } = place;
  const told: string[] = [];
  const languages = openAppLanguages({
    config: { state, root: ws, childEnv: { PATH: '/usr/bin:/bin' } },
    settings: { checks: true, budgetMs: 20_000, commands: { CHATCLI_LSP_PYTHON_CMD: 'nosuch --x' } },
    trust: () => NO_TRUST,
    roots: [ws],
    onMisnamed: (reason) => told.push(reason),
  });
  const edit = (name: string) =>
    languages.check([{ path: join(ws, name), before: undefined, after: '' }], {
      budgetMs: 20_000,
      signal: new AbortController().signal,
    });
  await edit('a.go');
  expect(told).toEqual([]);
  await edit('a.py');
  await edit('b.py');
  expect(told).toEqual([expect.stringContaining('CHATCLI_LSP_PYTHON_CMD names nosuch')]);
  await languages.close();
});
