/** Everything a transaction needs before the first file changes: looked at, decided, written under temporary names. */
import { closeSync, fstatSync, linkSync, lstatSync, openSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ToolFault } from '../../types/tool.js';
import type { FileTarget, Located } from '../../types/workspace.js';
import { type Beside, copyFile, lookBeside } from '../backups.js';
import { clip, diskFault, errnoOf } from '../faults.js';
import { sha256 } from '../file-state.js';
import { type HeldDir, holdOrMakeDir } from '../held-dir.js';
import { cannotReplace, knowsNoLinks, writeNew } from '../new-file.js';
import { READ_FLAGS } from '../open-checked.js';
import { assertExpected, openOriginal } from '../original.js';
import { tempName } from '../temp-name.js';
import type { FileIntent } from './intent.js';
import { partsOf, type Site } from './site.js';

/** One target with the place it lies at. */
export interface Change extends FileTarget {
  readonly located: Located;
}

/** How a file must be changed that could not be replaced: where the copy of its old bytes goes. */
export type InPlace = ReadonlyMap<string, 'folder' | 'store'>;

/** One file of the transaction, decided. */
export interface Planned {
  readonly change: Change;
  readonly intent: FileIntent;
  readonly was: Stats | undefined;
  /** Sentences for the model. */
  readonly notes: readonly string[];
  /** Of the new file, once it is written. */
  stat?: Stats;
}

/** A file that can only be written in place: the transaction begins anew with that knowledge. */
export class MustRewrite extends Error {
  constructor(
    readonly path: string,
    readonly savedIn: 'folder' | 'store',
  ) {
    super(`${path} must be written in place`);
  }
}

export interface Context {
  readonly site: Site;
  readonly inPlace: InPlace;
  /** Real paths of all targets. */
  readonly others: ReadonlySet<string>;
  /** Identity of a file -> the name it was given by. */
  readonly identities: Map<string, string>;
}

/** What one target comes to; undefined when the file is as asked already. Faults when it is not as expected. */
export async function planFile(change: Change, context: Context): Promise<Planned | undefined> {
  const { site, inPlace } = context;
  const { real, shown } = change.located;
  const dir = site.folderOf(real);
  const original = dir && (await openOriginal(dir, basename(real), change.located));
  if (original) closeSync(original.fd);
  expectOf(change, original);
  if (original) assertApart(change, original.stat, context);
  const after = change.bytes === null ? '' : sha256(change.bytes);
  const names = { path: real, temp: tempName(), saved: tempName(), after, ...modeOf(change) };
  if (!dir || !original) {
    if (change.bytes === null) throw new ToolFault('NotFound', `${clip(shown)} does not exist, so it cannot be removed`);
    const none = { savedIn: 'folder', copy: '', backupIn: 'nowhere', former: '', before: '' } as const;
    const intent = { ...names, ...none, act: 'create', mode: 0o666 } as const;
    return { change, intent, was: undefined, notes: [] };
  }
  const mode = original.stat.mode & 0o7777;
  if (after === original.sha256 && (change.mode === undefined || change.mode === mode)) return undefined;
  const savedIn = inPlace.get(real) ?? 'folder';
  const rewrite = inPlace.has(real) || original.stat.nlink > 1;
  const act = change.bytes === null ? 'remove' : rewrite ? 'rewrite' : 'replace';
  const { obstacle, former } = await besideOf(real, { ...context, dir, savedIn });
  const backupIn = obstacle === undefined ? 'folder' : 'store';
  // What is saved by a second name cannot move to the store, which may be another disk.
  const copy = backupIn === 'store' && savedIn === 'folder' ? tempName() : '';
  const intent: FileIntent = { ...names, act, savedIn, copy, backupIn, former, before: original.sha256, mode };
  const where = partsOf(intent, dir, site).backupPath;
  const notes = obstacle === undefined ? [] : [`${obstacle}, so it was left alone; the backup is ${where} and rollback uses it`];
  return { change, intent, was: original.stat, notes };
}

/** Two names of one file cannot hold different things afterwards. */
function assertApart({ located }: Change, stat: Stats, { identities }: Context): void {
  const identity = `${stat.dev}:${stat.ino}`;
  const other = identities.get(identity);
  if (other !== undefined)
    throw new ToolFault('InvalidArgs', `${clip(other)} and ${clip(located.shown)} are two names of one file; use one of them`);
  identities.set(identity, located.shown);
}

function modeOf({ mode }: Change): { readonly modeAfter?: number } {
  return mode === undefined ? {} : { modeAfter: mode };
}

function expectOf({ expect, located }: Change, original: Parameters<typeof assertExpected>[1]): void {
  if (expect === 'absent' && original)
    throw new ToolFault('Stale', `${clip(located.shown)} exists already; it was not overwritten`);
  assertExpected({ shown: located.shown, expect }, original);
}

/** Can the backup lie beside the file, and in whose place? */
async function besideOf(
  real: string,
  options: Context & { readonly dir: HeldDir; readonly savedIn: 'folder' | 'store' },
): Promise<Beside> {
  const name = `${basename(real)}.bak`;
  const not = (why: string) => ({ obstacle: `${name} ${why}`, former: '' });
  if (options.savedIn === 'store') return not('could not be written');
  if (options.others.has(`${real}.bak`)) return not('is changed by the same call');
  if (Buffer.byteLength(name) > 255) return not('would be too long a name');
  return lookBeside(options.dir, name, options.site.records.get(real));
}

/** Folders that have to be made for these files, outermost first. */
export function missingFolders(planned: readonly Planned[], site: Site): string[] {
  const missing = new Set<string>();
  for (const { intent } of planned) {
    for (let path = intent.path; !site.folderOf(path); path = dirname(path)) missing.add(dirname(path));
  }
  return [...missing].sort((a, b) => a.length - b.length);
}

/** Writes new files and keeps old ones under their temporary names, on the disk. Throws ToolFault or MustRewrite. */
export async function stage(planned: readonly Planned[], folders: readonly string[], site: Site): Promise<void> {
  for (const { intent, change } of planned) {
    if (site.folderOf(intent.path)) continue;
    try {
      site.adopt(holdOrMakeDir(dirname(intent.path)).dir);
    } catch (error) {
      throw diskFault(error, 'write', change.located.shown);
    }
  }
  // The folders above the new ones are held too, so that their new entries reach the disk.
  for (const folder of folders) site.folderOf(folder);
  const queue = [...planned];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        await stageFile(next, site);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const done = await Promise.allSettled([work(), work(), work(), work()]);
  for (const one of done) if (one.status === 'rejected') throw one.reason;
  await site.sync({ store: planned.some(({ intent }) => intent.savedIn === 'store' || intent.copy !== '') });
}

async function stageFile(planned: Planned, site: Site): Promise<void> {
  const { change, intent, was } = planned;
  const dir = site.folderOf(intent.path);
  try {
    if (!dir) throw new ToolFault('Conflict', `the folder of ${clip(change.located.shown)} was removed`);
    const parts = partsOf(intent, dir, site);
    if (intent.act === 'create' || intent.act === 'replace')
      planned.stat = await writeNew(parts.temp, change.bytes ?? Buffer.alloc(0), { like: was, mode: change.mode });
    if (!was) return;
    await save(intent, parts, was);
  } catch (error) {
    if (error instanceof MustRewrite) throw error;
    const mayRewrite = intent.act === 'replace' || intent.act === 'rewrite';
    if (mayRewrite && intent.savedIn === 'folder' && cannotReplace(error)) throw new MustRewrite(intent.path, 'store');
    throw diskFault(error, 'write', change.located.shown);
  }
}

async function save(intent: FileIntent, parts: ReturnType<typeof partsOf>, was: Stats): Promise<void> {
  const linked = intent.act !== 'rewrite' && linkSaved(intent, parts, was);
  if (linked && parts.copy === undefined) return;
  const fd = openSync(parts.target, READ_FLAGS);
  try {
    if (fstatSync(fd).ino !== was.ino) throw new ToolFault('Stale', `${clip(intent.path)} was replaced at this very moment`);
    if (!linked) await copyFile(fd, parts.saved, 0o600, intent.savedIn === 'folder' ? was : undefined);
    if (parts.copy !== undefined) await copyFile(fd, parts.copy, 0o600);
  } finally {
    closeSync(fd);
  }
}

/** The old file under a second name; false where the file system has no such thing. */
function linkSaved(intent: FileIntent, parts: ReturnType<typeof partsOf>, was: Stats): boolean {
  try {
    linkSync(parts.target, parts.saved);
  } catch (error) {
    // A file that something is mounted on has no second name in its own folder.
    if (errnoOf(error) === 'EXDEV') {
      if (intent.act === 'remove') throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
      throw new MustRewrite(intent.path, 'folder');
    }
    if (!knowsNoLinks(error)) throw error;
    return false;
  }
  if (lstatSync(parts.saved).ino === was.ino) return true;
  throw new ToolFault('Stale', `${clip(intent.path)} was replaced at this very moment`);
}
