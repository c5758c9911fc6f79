/** A transaction over files of every kind, run in a program of its own that can be killed or made to fail at any step. */
import { linkSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OpenWorkspace } from '../../src/workspace/open-workspace.js';
import { type FaultPoint, type FaultRun, runWithFault } from './faults.js';
import { makePlace, type Place } from './temp.js';

export interface Scene {
  readonly place: Place;
  /** The script of the transaction. */
  readonly script: string;
  /** Puts everything back to how it was before the transaction. */
  reset(): Promise<void>;
  /** What the workspace holds: path -> kind, permission bits and content. */
  snapshot(): Record<string, string>;
  remove(): void;
}

const KINDS = ['replace', 'again', 'foreign', 'create', 'remove', 'linked', 'mode'] as const;

/** `module`: the bundled workspace. Files are of all kinds by turns. */
export async function makeScene(module: string, count: number): Promise<Scene> {
  const place = makePlace();
  const kinds = Array.from({ length: count }, (_, i) => KINDS[i % KINDS.length] ?? 'replace');
  const pathOf = (i: number) => (kinds[i] === 'create' ? `d${i % 3}/new${i % 2}/f${i}.txt` : `d${i % 3}/f${i}.txt`);
  const reset = async () => {
    for (const name of readdirSync(place.ws)) rmSync(join(place.ws, name), { recursive: true });
    for (const name of ['backups', 'journal', 'locks']) rmSync(join(place.state, name), { recursive: true, force: true });
    const workspace = await place.open();
    for (const [i, kind] of kinds.entries()) {
      const path = pathOf(i);
      if (kind === 'create') continue;
      place.put(path, kind === 'again' ? `older ${i}` : `old ${i}`, 0o644);
      if (kind === 'again') await workspace.writeFile(path, Buffer.from(`old ${i}`));
      if (kind === 'foreign') place.put(`${path}.bak`, `not ours ${i}`);
      if (kind === 'linked') linkSync(join(place.ws, path), join(place.ws, `${path}.second`));
    }
  };
  const options = { root: place.ws, home: place.home, state: place.state, scratch: place.scratch };
  const script = `
    const { openWorkspace } = await import(${JSON.stringify(module)});
    const workspace = await openWorkspace(${JSON.stringify(options)});
    const targets = [];
    for (const [i, kind] of ${JSON.stringify([...kinds])}.entries()) {
      const path = ${JSON.stringify(kinds.map((_, i) => pathOf(i)))}[i];
      const expect = kind === 'create' ? 'absent' : (await workspace.readFile(path)).state;
      const bytes = kind === 'remove' ? null : Buffer.from(kind === 'mode' ? 'old ' + i : 'new ' + i + '!'.repeat(i % 5));
      targets.push({ path, bytes, expect, ...(kind === 'mode' ? { mode: 0o755 } : {}) });
    }
    arm();
    try {
      await workspace.changeFiles(targets);
      tell('done');
    } catch (error) {
      tell(error.code + ': ' + error.message);
    }`;
  const snapshot = () => {
    const found: Record<string, string> = {};
    for (const path of readdirSync(place.ws, { recursive: true }).map(String).sort()) {
      const stat = lstatSync(join(place.ws, path));
      const bits = (stat.mode & 0o7777).toString(8);
      found[path] = stat.isDirectory() ? 'folder' : `${bits} ${stat.nlink} ${readFileSync(join(place.ws, path), 'utf8')}`;
    }
    return found;
  };
  return { place, script, reset, snapshot, remove: () => place.remove() };
}

export interface Ends {
  readonly old: Record<string, string>;
  readonly now: Record<string, string>;
  /** System calls of the transaction. */
  readonly calls: readonly string[];
}

/** The two states that are allowed, and how many steps lie between them. */
export async function endsOf(scene: Scene): Promise<Ends> {
  await scene.reset();
  const old = scene.snapshot();
  const run = await runWithFault(scene.script);
  expect(run.told).toBe('done');
  return { old, now: scene.snapshot(), calls: run.calls };
}

export type Outcome = 'old' | 'new';

/** Runs the transaction with a fault at one point, starts anew, and checks that all is old or all is new, and nothing else left. */
export async function checkPoint(
  scene: Scene,
  ends: Ends,
  point: FaultPoint,
  options: { readonly backups: boolean } = { backups: true },
): Promise<{ readonly outcome: Outcome; readonly run: FaultRun }> {
  await scene.reset();
  const run = await runWithFault(scene.script, point);
  const workspace = await scene.place.open();
  const found = scene.snapshot();
  const outcome = equal(found, ends.old) ? 'old' : 'new';
  expect([point, run.name, found]).toEqual([point, run.name, outcome === 'old' ? ends.old : ends.now]);
  if (!run.killed) expect([point, run.name, run.told === 'done']).toEqual([point, run.name, outcome === 'new']);
  expect([point, run.name, strays(scene.place)]).toEqual([point, run.name, []]);
  if (options.backups) await checkBackups(scene, workspace, outcome, `${point.how} ${point.at} ${run.name}`);
  return { outcome, run };
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What of ours is left where nothing should be: temporary files, and journals with something in them. */
function strays({ state }: Place): string[] {
  const list = (folder: string) => {
    try {
      return readdirSync(join(state, folder)).map((name) => join(folder, name));
    } catch {
      return [];
    }
  };
  const journals = list('journal').filter((path) => lstatSync(join(state, path)).size > 0);
  return [...journals, ...list('backups').filter((path) => path.endsWith('.tmp'))];
}

/** The records fit what is there: rolling back gives the bytes from before the last change. */
async function checkBackups({ place }: Scene, workspace: OpenWorkspace, outcome: Outcome, where: string): Promise<void> {
  const files = readdirSync(place.ws, { recursive: true }).map(String);
  const wanted = outcome === 'old' ? /^older / : /^old /;
  for (const bak of files.filter((path) => path.endsWith('.bak'))) {
    const path = bak.slice(0, -'.bak'.length);
    const foreign = readFileSync(join(place.ws, bak), 'utf8').startsWith('not ours');
    if (foreign && outcome === 'old') continue;
    await workspace.rollback(path);
    expect([where, path, readFileSync(join(place.ws, path), 'utf8')]).toEqual([where, path, expect.stringMatching(wanted)]);
  }
}
