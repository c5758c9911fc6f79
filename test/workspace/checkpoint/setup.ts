/** A place with checkpoints over it, and the few things every test does with them. */
import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CheckpointOptions,
  type Checkpoints,
  type Created,
  openCheckpoints,
} from '../../../src/workspace/checkpoint/checkpoints.js';
import { folderFor } from '../../../src/workspace/checkpoint/place.js';
import type { Restored } from '../../../src/workspace/checkpoint/restore.js';
import { makePlace, type Place } from '../temp.js';

export interface Setup extends Place {
  readonly checkpoints: Checkpoints;
  /** The shadow repository. */
  readonly shadow: string;
  create(label?: string): Promise<Created>;
  /** The hash of a new snapshot. */
  hash(label?: string): Promise<string>;
  restore(hash: string, exact?: boolean): Promise<Restored>;
  read(path: string): string | undefined;
  /** git in the workspace (or a folder in it), as a user runs it. */
  git(words: readonly string[], folder?: string): string;
  /** git on the shadow, to look at it. */
  look(words: readonly string[]): Buffer;
}

export const noSignal = (): AbortSignal => new AbortController().signal;

export const ENV: Record<string, string> = { PATH: process.env['PATH'] ?? '' };

export function setup(options: Partial<CheckpointOptions> = {}, place: Place = makePlace()): Setup {
  const checkpoints = openCheckpoints({
    roots: [place.ws],
    home: place.home,
    state: place.state,
    env: ENV,
    ...options,
  });
  const root = checkpoints.options.roots[0] ?? place.ws;
  const shadow = folderFor(place.state, root);
  const create = (label = 'manual') => checkpoints.create(root, label, noSignal());
  return {
    ...place,
    checkpoints,
    shadow,
    create,
    async hash(label) {
      const { snapshot } = await create(label);
      if (!snapshot) throw new Error('no snapshot was made');
      return snapshot.hash;
    },
    restore: (hash, exact = false) => checkpoints.restore(hash, { exact, signal: noSignal() }),
    read(path) {
      const full = join(place.ws, path);
      return lstatSync(full, { throwIfNoEntry: false }) ? readFileSync(full, 'latin1') : undefined;
    },
    git: (words, folder = '.') => runGit(words, join(place.ws, folder)).toString('utf8'),
    look: (words) => runGit([`--git-dir=${shadow}`, ...words], place.base),
  };
}

function runGit(words: readonly string[], cwd: string): Buffer {
  const identity = [
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@t',
    '-c',
    'init.defaultBranch=main',
    '-c',
    'protocol.file.allow=always',
  ];
  const done = spawnSync('git', [...identity, ...words], {
    cwd,
    env: { ...ENV, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', HOME: cwd },
  });
  if (done.status !== 0) throw new Error(`git ${words.join(' ')}: ${done.stderr.toString()}`);
  return done.stdout;
}
