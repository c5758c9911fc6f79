/** A repository without a working tree counts as a repository's own folder. */
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspace } from '../../src/workspace/open-workspace.js';
import { createZones } from '../../src/workspace/zones.js';
import { makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const zonesOf = (...paths: string[]) => {
  const zoneOf = createZones({ roots: [place.ws], home: place.home, state: place.state, readable: [] });
  return paths.map((path) => zoneOf(join(place.ws, path)));
};

it('below the workspace all of it does', () => {
  execFileSync('git', ['init', '-q', '--bare', join(place.ws, 'store/x')]);
  expect(zonesOf('store/x/config', 'store/x/hooks/post-update', 'store/x', 'store/x/new/a')).toEqual([
    'git',
    'git',
    'git',
    'git',
  ]);
  expect(zonesOf('store', 'store/config', 'config', 'HEAD')).toEqual(['inside', 'inside', 'inside', 'inside']);
});

it('of the workspace itself only what git reads does', () => {
  execFileSync('git', ['init', '-q', '--bare', place.ws]);
  expect(zonesOf('config', 'HEAD', 'hooks/x', 'refs/heads/a')).toEqual(['git', 'git', 'git', 'git']);
  expect(zonesOf('.', 'src/a.ts', 'notes')).toEqual(['inside', 'inside', 'inside']);
});

it('a folder that only has such names does not', () => {
  place.put('a/HEAD', 'x');
  place.put('a/config', 'x');
  place.put('b/HEAD/x', 'x');
  place.put('b/objects/x', 'x');
  place.put('b/refs/x', 'x');
  expect(zonesOf('a/config', 'b/config')).toEqual(['inside', 'inside']);
});

it('a pass over many files looks once, and the next one looks anew', async () => {
  const { ws, home, state, base } = place;
  execFileSync('git', ['init', '-q', '--bare', join(ws, 'store')]);
  place.put('store/new/a.py', 'x = 1\n');
  place.put('plain/b.py', 'y = 1\n');
  const workspace = await openWorkspace({ root: ws, home, state, scratch: join(base, 'scratch') });
  const zone = async (path: string, pass?: { readonly kind: 'pass' }) =>
    (await workspace.readFile(path, pass ? { pass } : {})).located.zone;
  const first = { kind: 'pass' } as const;
  expect([await zone('store/new/a.py', first), await zone('plain/b.py', first)]).toEqual(['git', 'inside']);
  renameSync(join(ws, 'store/HEAD'), join(base, 'HEAD'));
  expect([await zone('store/new/a.py', first), await zone('store/new/a.py')]).toEqual(['git', 'inside']);
  expect(await zone('store/new/a.py', { kind: 'pass' })).toBe('inside');
  renameSync(join(base, 'HEAD'), join(ws, 'store/HEAD'));
  expect(await zone('store/new/a.py', { kind: 'pass' })).toBe('git');
  rmSync(join(ws, 'store'), { recursive: true });
});
