/** Where the snapshots of a folder lie, which folders have none, and how the place is laid out. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { resolveReal } from '../resolve-path.js';
import { within } from '../zones.js';

/** Names of our own files beside those of git. */
export const LOCK_FILE = 'chatcli.lock';
export const STATE_FILE = 'chatcli.json';
export const TREE_FILE = 'chatcli.tree';
export const RUNNING_FILE = 'chatcli.running';
export const WANTED_FILE = 'chatcli.wanted';

/** `<state>/checkpoints/<first 8 bytes of the SHA-256 of the real path, in hex>`. */
export function folderFor(state: string, root: string): string {
  return join(state, 'checkpoints', createHash('sha256').update(root).digest('hex').slice(0, 16));
}

/** Why a folder has no snapshots, as the end of a sentence; undefined when it may have. */
export function exclusionOf(root: string, places: { readonly home: string; readonly state: string }): string | undefined {
  const home = resolveReal(places.home).real;
  if (parse(root).root === root) return 'it is the root of the file system';
  if (within(home, root)) return root === home ? 'it is your home folder' : 'it holds your home folder';
  if (within(root, resolveReal(places.state).real)) return 'it belongs to the state of this program';
  if (isBareRepository(root)) return 'it is a repository without a working tree';
  return undefined;
}

/** A folder git takes for a repository without a working tree. */
export function isBareRepository(folder: string): boolean {
  try {
    const at = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false });
    return at('HEAD')?.isFile() === true && at('objects')?.isDirectory() === true && at('refs')?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Bytes go in and come out as they are, whatever a repository's own `.gitattributes` say: this file outranks them. */
const ATTRIBUTES = '* -text -crlf -filter -ident !working-tree-encoding !eol\n';
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = false\n';

/** Lays the place out when it is missing. It appears whole or not at all. Throws errno errors. */
export function ensurePlace(folder: string): void {
  if (lstatSync(join(folder, 'HEAD'), { throwIfNoEntry: false })) return;
  const draft = `${folder}.${process.pid}.${randomHex(8)}.new`;
  try {
    for (const name of ['objects/info', 'objects/pack', 'refs/snapshots', 'info'])
      mkdirSync(join(draft, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(draft, 'config'), CONFIG, { mode: 0o600 });
    writeFileSync(join(draft, 'info', 'attributes'), ATTRIBUTES, { mode: 0o600 });
    writeFileSync(join(draft, 'info', 'exclude'), '', { mode: 0o600 });
    writeFileSync(join(draft, 'HEAD'), 'ref: refs/heads/none\n', { mode: 0o600 });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was faster.
    if (lstatSync(join(folder, 'HEAD'), { throwIfNoEntry: false })) return;
    throw error;
  }
}

/** Puts a place that git can no longer read aside, under a name that `maintain` removes in time. */
export function setAside(folder: string): string {
  const aside = `${folder}.broken-${randomHex(8)}`;
  renameSync(folder, aside);
  return aside;
}
