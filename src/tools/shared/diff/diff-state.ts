/** The files of one diff while it is worked out in memory: as they are on disk, and as they will be. */
import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type ErrorCode, ToolFault } from '../../../types/tool.js';
import type { FileState, FileTarget, Located, Workspace } from '../../../types/workspace.js';
import type { Names } from './types.js';

export interface OnDisk {
  readonly bytes: Buffer;
  readonly state: FileState;
  readonly mode: number;
}

/** One real file. */
export interface Slot {
  readonly path: string;
  readonly located: Located;
  readonly before: OnDisk | undefined;
  /** The content under this name while changes are put on it; undefined where there was no file. */
  work: Buffer | undefined;
  mode: number | undefined;
  /** Removed, or moved to another name. */
  gone: boolean;
  /** What comes here from elsewhere: a new file, a renamed one, a copy. */
  incoming?: { readonly bytes: Buffer; readonly mode?: number };
}

export interface DiffState {
  /** The file a change is for: the spelling that exists. Throws ToolFault `NotFound` when none does. */
  existing(names: Names): Promise<Slot>;
  /** The file something new goes to, whether it exists or not. */
  target(names: Names): Promise<Slot>;
  /** Some file of these names exists. */
  exists(names: Names): boolean;
  slots(): readonly Slot[];
}

export function createDiffState(workspace: Workspace): DiffState {
  const slots = new Map<string, Slot>();
  const there = (path: string): boolean => lstatSync(workspace.locate(path).real, { throwIfNoEntry: false }) !== undefined;
  const open = async (path: string): Promise<Slot> => {
    const located = workspace.locate(path);
    const known = slots.get(located.real);
    if (known) return known;
    const before = await readIfThere(workspace, path);
    const slot: Slot = { path, located, before, work: before?.bytes, mode: before?.mode, gone: false };
    slots.set(located.real, slot);
    return slot;
  };
  return {
    async existing(names) {
      const found = [...new Map(names.list.filter(there).map((name) => [workspace.locate(name).real, name])).values()];
      const [path, other] = found;
      if (names.differ && names.list.length > 1) {
        const [now, old] = names.list;
        throw conflict(
          `the two sides name different files (${old} and ${now}). To rename one, write "rename from" and "rename to"; otherwise give the same name twice, or say which in file`,
        );
      }
      if (path !== undefined && other !== undefined && !suffixed(path, other))
        throw conflict(
          `it may be ${path} or ${other}, and both exist; write "a/" and "b/" before the name, or say which in file`,
        );
      return open(path ?? names.list[0] ?? '');
    },
    async target(names) {
      const [first = '', second] = names.list;
      const folder = dirname(workspace.locate(first).real);
      return open(second === undefined || lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? first : second);
    },
    exists: (names) => names.list.some(there),
    slots: () => [...slots.values()],
  };
}

/** `x` and `x.orig`: the first listed is the one that is patched. */
function suffixed(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

async function readIfThere(workspace: Workspace, path: string): Promise<OnDisk | undefined> {
  try {
    return await workspace.readFile(path);
  } catch (error) {
    if (error instanceof ToolFault && error.code === 'NotFound') return undefined;
    throw error;
  }
}

export function conflict(message: string, code: ErrorCode = 'Conflict'): ToolFault {
  return new ToolFault(code, message);
}

/** Removing or renaming a link would hit what it points to. */
export function isLink(workspace: Workspace, path: string): boolean {
  const folder = workspace.locate(dirname(path)).real;
  const stat = lstatSync(join(folder, basename(resolve('/', path))), { throwIfNoEntry: false });
  return stat?.isSymbolicLink() ?? false;
}

/** What the transaction has to do; throws ToolFault `Conflict` where something new would cover what stays. */
export function targetsOf(slots: readonly Slot[]): FileTarget[] {
  const targets: FileTarget[] = [];
  for (const { path, located, before, work, mode, gone, incoming } of slots) {
    if (incoming && before && !gone)
      throw conflict(`${located.shown} exists already, and the diff would put another file over it. Nothing was changed.`);
    const expect = before?.state ?? 'absent';
    if (incoming)
      targets.push({ path, expect, bytes: incoming.bytes, ...(incoming.mode === undefined ? {} : { mode: incoming.mode }) });
    else if (gone) targets.push({ path, expect, bytes: null });
    else if (before && work && (work !== before.bytes || mode !== before.mode))
      targets.push({ path, expect, bytes: work, ...(mode === before.mode || mode === undefined ? {} : { mode }) });
  }
  return targets;
}
