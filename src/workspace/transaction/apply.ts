/** The moment files change: renames first, then what can only be written in place. */
import { closeSync, fchmodSync, fstatSync, linkSync, openSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { ToolFault } from '../../types/tool.js';
import { clip, diskFault, errnoOf } from '../faults.js';
import { knowsNoLinks } from '../new-file.js';
import { CREATE_FLAGS, UPDATE_FLAGS } from '../open-checked.js';
import { assertUntouched } from '../original.js';
import { overwriteDescriptor } from '../raw-io.js';
import { MustRewrite, type Planned } from './prepare.js';
import { partsOf, type Site } from './site.js';

/** Changes all files and waits for the disk. Throws ToolFault or MustRewrite; then the journal tells what to take back. */
export async function applyAll(planned: readonly Planned[], site: Site): Promise<void> {
  for (const one of planned) assertStill(one, site);
  const last = (one: Planned) => (one.intent.act === 'rewrite' ? 1 : 0);
  const ordered = planned.toSorted((a, b) => last(a) - last(b) || (a.intent.path < b.intent.path ? -1 : 1));
  for (const one of ordered) {
    try {
      applyOne(one, site);
    } catch (error) {
      if (error instanceof MustRewrite) throw error;
      throw diskFault(error, one.intent.act === 'remove' ? 'remove' : 'write', one.change.located.shown);
    }
  }
  await site.sync({ store: false });
}

/** Still what was looked at, in the folder that was opened? Gives that folder. */
function assertStill({ intent, was, change }: Planned, site: Site) {
  const dir = site.folderOf(intent.path);
  if (!dir) throw new ToolFault('Conflict', `the folder of ${clip(change.located.shown)} was removed`);
  assertUntouched(dir, basename(intent.path), was, change.located.shown);
  return dir;
}

function applyOne(planned: Planned, site: Site): void {
  const { intent, change, was } = planned;
  const parts = partsOf(intent, assertStill(planned, site), site);
  if (intent.act === 'create') createAt(parts, change.located.shown);
  else if (intent.act === 'replace') replaceAt(parts, intent.path);
  else if (intent.act === 'remove') unlinkSync(parts.target);
  else planned.stat = rewriteAt(parts.target, planned, was);
}

type Parts = ReturnType<typeof partsOf>;

/** The temporary name stays until all is decided: it tells that this file is ours. */
function createAt(parts: Parts, shown: string): void {
  try {
    linkSync(parts.temp, parts.target);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST')
      throw new ToolFault('Stale', `${clip(shown)} appeared while it was being written; it was not overwritten`);
    if (!knowsNoLinks(error)) throw error;
    // Without second names an empty file is the sign.
    closeSync(openSync(parts.saved, CREATE_FLAGS, 0o600));
    renameSync(parts.temp, parts.target);
  }
}

function replaceAt(parts: Parts, path: string): void {
  try {
    renameSync(parts.temp, parts.target);
  } catch (error) {
    if (errnoOf(error) === 'EBUSY') throw new MustRewrite(path, 'folder');
    throw error;
  }
}

function rewriteAt(path: string, { change, intent }: Planned, was: Stats | undefined): Stats {
  const fd = openSync(path, UPDATE_FLAGS);
  try {
    if (fstatSync(fd).ino !== was?.ino)
      throw new ToolFault('Stale', `${clip(change.located.shown)} was replaced at this very moment`);
    // A file whose bytes stay is not written: only its mode changes.
    if (intent.before !== intent.after) overwriteDescriptor(fd, change.bytes ?? Buffer.alloc(0));
    if (intent.modeAfter !== undefined) fchmodSync(fd, intent.modeAfter);
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}
