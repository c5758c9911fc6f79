/** The workspace: the one way from a path in a call to bytes on disk and back. */
import { closeSync, fstatSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expandPath } from '../base/expand-path.js';
import { createKeyedLocks } from '../base/keyed-locks.js';
import { ToolFault } from '../types/tool.js';
import type { FileState, Located, ReadPass, Workspace, WriteOutcome } from '../types/workspace.js';
import { type Access, createAccess } from './access.js';
import { createRecordStore } from './backup-record.js';
import { isOwnBackup } from './backups.js';
import { type Change, changeAll } from './change-files.js';
import { cleanBackups } from './clean-backups.js';
import { clip, diskFault } from './faults.js';
import { sha256, stateOf } from './file-state.js';
import { lexicalIn, locateIn } from './locate.js';
import { nearNames } from './near-names.js';
import { assertRegular, lookBeforeOpening, openForRead, READ_FLAGS } from './open-checked.js';
import { lockNames, whileLocked } from './path-lock.js';
import { readAll } from './raw-io.js';
import { rollbackFile } from './rollback-file.js';
import { createSeenStates } from './seen-states.js';
import { sweepState } from './sweep.js';
import { type WriteResult, writeWhole } from './write-file.js';
import { createWriteJournal } from './write-journal.js';
import { type BareLook, createZones, lookOnce, within } from './zones.js';

/** Default limit of `readFile` in bytes. */
const LARGEST_READ = 256 * 1024 * 1024;

export interface WorkspaceOptions {
  readonly root: string;
  readonly addDirs?: readonly string[];
  readonly home: string;
  /** Folder of our own state. */
  readonly state: string;
  readonly scratch: string;
  /** For `$VAR` in paths. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further folders that may be read without a question. */
  readonly readable?: readonly string[];
  /** What the session saw before (from `seen()` of an earlier process). */
  readonly seen?: Iterable<readonly [string, FileState]>;
  readonly now?: () => number;
}

/** What the application may do beyond the port that tools get. */
export interface OpenWorkspace extends Workspace {
  /** Opens one personal or own path for this session, after a person approved the call. Opens nothing else. */
  grant(real: string): void;
  /** Lets these folders (real paths) be read without a question, besides those it was opened with; replaces what was said before. */
  allowReading(folders: readonly string[]): void;
  /** Real path -> bytes this session last saw or wrote. */
  seen(): ReadonlyMap<string, FileState>;
  /** Is this file a `.bak` made here? */
  isBackup(real: string): Promise<boolean>;
  /** What was restored at the start after an earlier process was killed while writing; sentences. */
  readonly recovered: readonly string[];
}

/** Opens a workspace. Throws ToolFault when a root is not a directory that can be entered. */
export async function openWorkspace(options: WorkspaceOptions): Promise<OpenWorkspace> {
  const root = openRoot(options.root);
  const paths = { home: options.home, env: options.env ?? {} };
  const roots = [...new Set([root, ...(options.addDirs ?? []).map((dir) => openRoot(resolve(root, expandPath(dir, paths))))])];
  const readable = [options.scratch, ...(options.readable ?? [])];
  let further: readonly string[] = [];
  const zoneOf = createZones({ roots, home: options.home, state: options.state, readable, also: () => further });
  const places = { root, ...paths, zoneOf };
  const locate = (path: string, look?: BareLook): Located => locateIn(path, places, look);
  const access = createAccess({ root, zoneOf, locate });
  const locks = createKeyedLocks();
  const seen = createSeenStates(options.seen);
  const records = createRecordStore(options.state);
  const stores = { records, journal: createWriteJournal(options.state), now: options.now ?? Date.now };
  const { journal } = stores;
  const passes = new WeakMap<ReadPass, { readonly look: BareLook; readonly left: ReadonlySet<string> }>();
  const recovered = await journal.recover((path) => roots.some((folder) => within(path, folder)));
  const settle = async (paths: readonly string[]) => void recovered.push(...(await journal.settle(paths)));
  /** Runs `work` while nobody else writes these files, and nothing a dead process left of them is open. */
  const alone = async <T>(files: readonly Located[], work: () => Promise<T>): Promise<T> => {
    const paths = files.map(({ real }) => real);
    const locked = () =>
      whileLocked(options.state, files, async () => (journal.unsettled(paths) ? undefined : { value: await work() }));
    for (;;) {
      if (journal.unsettled(paths)) await settle(paths);
      const done = await locks.run(paths.flatMap(lockNames), locked);
      if (done) return done.value;
    }
  };
  /** A file that may be read, as no dead process left it half changed. */
  const settled = async (path: string, pass?: ReadPass): Promise<Located> => {
    const seen = pass && (passes.get(pass) ?? { look: lookOnce(), left: journal.left() });
    if (pass && seen) passes.set(pass, seen);
    const located = access.toRead(path, seen?.look);
    if ((seen && !seen.left.has(located.real)) || !journal.unsettled([located.real])) return located;
    await settle([located.real]);
    return access.toRead(path);
  };
  sweepState(options.state, stores.now(), journal.needed());
  const outcome = (located: Located, result: WriteResult, before?: FileState | 'absent'): WriteOutcome => {
    seen.wrote(located.real, result.state, before === 'absent' ? undefined : before);
    return { located, created: result.created, notes: result.notes };
  };

  const directory = (path: string) => readableFolder(access, root, path);

  return {
    root,
    roots,
    recovered,
    locate: (path) => locate(path),
    readFile: async (path, limits) =>
      readWhole(access, root, await settled(path, limits?.pass), limits?.maxBytes ?? LARGEST_READ),
    openFile: async (path) => openForPieces(access, root, await settled(path)),
    directory: async (path) => directory(path),
    async writeFile(path, bytes, { backup = true, expect } = {}) {
      const located = access.toWrite(path);
      const { real, shown } = located;
      return outcome(located, await alone([located], () => writeWhole({ real, shown, bytes, backup, expect }, stores)), expect);
    },
    async changeFiles(targets) {
      const changes = targets.map((target) => ({ ...target, located: access.toWrite(target.path) }));
      for (const change of changes) assertTarget(change, () => lexicalIn(change.path, places));
      const changed = await alone(
        changes.map(({ located }) => located),
        () => changeAll(changes, stores),
      );
      return changes.map(({ located, bytes, expect }, i) => {
        const { created = false, notes = [], state } = changed[i] ?? {};
        if (state) seen.wrote(located.real, state, expect === 'absent' ? undefined : expect);
        else if (bytes === null) seen.removed(located.real);
        return { located, created, notes };
      });
    },
    async rollback(path, { about } = {}) {
      const located = access.toWrite(path);
      return outcome(located, await alone([located], () => rollbackFile({ ...located, about }, stores)));
    },
    async cleanBackups(dir, { dryRun, accepts }) {
      const { real: folder } = directory(dir);
      return cleanBackups({ folder, dryRun, accepts }, { records, locate, alone: (file, work) => alone([file], work) });
    },
    noteRead: (real, state, shown) => seen.read(real, state, shown),
    lastSeen: (real) => seen.last(real),
    lastKnown: (real) => seen.known(real),
    seen: () => seen.all(),
    isBackup: (real) => isOwnBackup(records, real),
    grant: (real) => access.grant(real),
    allowReading(folders) {
      further = folders;
    },
  };
}

function readableFolder(access: Access, root: string, path: string): Located {
  const located = access.toRead(path);
  try {
    if (lstatSync(located.real).isDirectory()) return located;
  } catch (error) {
    throw readFault(error, 'open', located, root);
  }
  throw new ToolFault('ENOTDIR', `${clip(located.shown)} is a file, not a directory`);
}

async function readWhole(access: Access, root: string, located: Located, maxBytes: number): ReturnType<Workspace['readFile']> {
  let fd: number | undefined;
  try {
    fd = openForRead(located.real, located.shown);
    const stat = fstatSync(fd);
    assertRegular(stat, located.shown);
    access.assertSamePlace(fd, located);
    const bytes = await readAll(fd, stat.size, maxBytes);
    if (!bytes)
      throw new ToolFault('EFBIG', `${clip(located.shown)} has ${stat.size} bytes; at most ${maxBytes} can be handled here`);
    const state = { ...stateOf(stat, sha256(bytes)), size: bytes.length };
    return { located, bytes, state, mode: stat.mode & 0o7777, identity: `${stat.dev}:${stat.ino}` };
  } catch (error) {
    throw readFault(error, 'read', located, root);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** What a target may not be, whatever is on the disk. */
function assertTarget(change: Change, lexical: () => string): void {
  const name = clip(change.located.shown);
  if (change.bytes !== null) return;
  if (change.expect === 'absent') throw new ToolFault('InvalidArgs', `${name} cannot be both absent and removed`);
  const path = lexical();
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new ToolFault('ELOOP', `${clip(change.path)} is a symbolic link; removing it through file tools is refused. Use exec.`);
}

async function openForPieces(access: Access, root: string, located: Located): ReturnType<Workspace['openFile']> {
  let handle: FileHandle | undefined;
  try {
    lookBeforeOpening(located.real, located.shown);
    handle = await open(located.real, READ_FLAGS);
    const stat = fstatSync(handle.fd);
    assertRegular(stat, located.shown);
    access.assertSamePlace(handle.fd, located);
    return { located, handle, size: stat.size };
  } catch (error) {
    await handle?.close();
    throw readFault(error, 'read', located, root);
  }
}

function openRoot(path: string): string {
  let real: string;
  try {
    real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw diskFault(error, 'open the workspace', path);
  }
  throw new ToolFault('ENOTDIR', `cannot open the workspace ${clip(path)}: it is not a directory`);
}

function readFault(error: unknown, doing: string, located: Located, root: string): ToolFault {
  const fault = diskFault(error, doing, located.shown);
  if (fault.code !== 'NotFound') return fault;
  const near = nearNames(located.real, root);
  return near.length === 0 ? fault : new ToolFault('NotFound', `${fault.message}. Did you mean ${near.join(' or ')}?`);
}
