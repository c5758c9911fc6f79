/** A workspace that keeps the old bytes of every path before it is changed; everything else is the workspace itself. */
import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolFault } from '../../types/tool.js';
import type { FileState, FileTarget, Workspace } from '../../types/workspace.js';
import { errnoOf } from '../faults.js';
import { sameBytes, sha256 } from '../file-state.js';
import type { After, Before, FileStep } from './lines.js';
import type { Author, OpenChange, UndoStore } from './store.js';

/** How often a file that other programs keep changing is looked at anew. */
const MOST_TRIES = 8;

type Read = Awaited<ReturnType<Workspace['readFile']>>;

/** What stands at a path. `state` is absent for a file too large to be read. */
type Old =
  | { readonly kind: 'absent'; readonly real: string }
  | { readonly kind: 'file'; readonly real: string; readonly bytes: Buffer; readonly state: FileState; readonly mode: number }
  | { readonly kind: 'large'; readonly real: string; readonly size: number; readonly mode: number }
  /** A folder, a pipe, a place that may not be read: the write itself says what is wrong. `size` and `mode`: as far as known. */
  | { readonly kind: 'odd'; readonly real: string; readonly size: number; readonly mode: number };

/**
 * The same workspace for one tool call. A change that fails leaves no record; one whose old bytes cannot be kept is made all
 * the same and recorded as such. What is recorded is what was replaced: a write without `expect` gets one, and is tried again
 * when it comes too late; a transaction has one for each file.
 */
export function recordingWorkspace(workspace: Workspace, store: UndoStore, author: Author): Workspace {
  const last = new Map<string, Read>();
  const begin = (files: readonly FileStep[]): OpenChange => store.begin(author, files);
  const look = (path: string, expect?: FileState | 'absent') => lookAt(workspace, path, store.largest, { last, expect });
  const exclusive = async <T>(paths: readonly string[], work: () => Promise<T>): Promise<T> =>
    store.alone(
      paths.map((path) => workspace.locate(path).real),
      work,
    );

  return {
    ...workspace,
    async readFile(path, options) {
      const read = await workspace.readFile(path, options);
      last.set(read.located.real, read);
      return read;
    },
    writeFile(path, bytes, options = {}) {
      const after: After = { sha256: sha256(bytes), size: bytes.length };
      return exclusive([path], async () => {
        for (let tries = 1; ; tries++) {
          const old = await look(path, options.expect);
          const expect = options.expect ?? expectOf(old);
          const writing = () => workspace.writeFile(path, bytes, expect === undefined ? options : { ...options, expect });
          try {
            // Replaces what is there with the same, or is refused.
            if (old.kind === 'file' && old.state.sha256 === after.sha256 && fits(old, expect)) return await writing();
            return await whileOpen(begin([{ ...(await replaced(old, expect, store)), after }]), writing);
          } catch (error) {
            if (options.expect !== undefined || tries >= MOST_TRIES || !overtaken(error)) throw error;
            await sleep(Math.random() * 5 * tries);
          }
        }
      });
    },
    changeFiles(targets) {
      return exclusive(
        targets.map((target) => target.path),
        async () => {
          const olds: (readonly [Old, FileTarget])[] = [];
          for (const target of targets) {
            const old = await look(target.path, target.expect);
            if (!fits(old, target.expect) || changes(old, target)) olds.push([old, target]);
          }
          const steps: FileStep[] = [];
          for (const [old, target] of olds)
            steps.push({ ...(await replaced(old, target.expect, store)), after: afterOf(target) });
          if (steps.length === 0) return workspace.changeFiles(targets);
          return whileOpen(begin(steps), () => workspace.changeFiles(targets));
        },
      );
    },
    rollback(path, options = {}) {
      return exclusive([path], async () => {
        const old = await look(path);
        const step = await beforeOf(old, store);
        let change: OpenChange | undefined;
        const about = (after: After): void => {
          // Just before the write: a process that dies behind it has said what it left.
          change = begin([{ ...step, after }]);
          options.about?.(after);
        };
        try {
          return await workspace.rollback(path, { about });
        } catch (error) {
          if (change) voidUnlessHalf(change, error);
          throw error;
        }
      });
    },
  };
}

async function whileOpen<T>(change: OpenChange, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    voidUnlessHalf(change, error);
    throw error;
  }
}

/** An EIO may have left a file half-written: the record then says what was there before. */
function voidUnlessHalf(change: OpenChange, error: unknown): void {
  if (errnoOf(error) !== 'EIO') change.void();
}

interface Look {
  /** What this call read, by real path: bytes that the write will be checked against need no second reading. */
  readonly last: ReadonlyMap<string, Read>;
  readonly expect?: FileState | 'absent' | undefined;
}

async function lookAt(workspace: Workspace, path: string, largest: number, { last, expect }: Look): Promise<Old> {
  const { real } = workspace.locate(path);
  const found = statOf(real);
  if (found === undefined) return { kind: 'absent', real };
  if (found === 'odd') return { kind: 'odd', real, size: 0, mode: 0o644 };
  const odd: Old = { kind: 'odd', real, size: found.size, mode: found.mode & 0o7777 };
  if (!found.isFile()) return odd;
  const known = last.get(real);
  if (known && expect !== undefined && expect !== 'absent' && expect.sha256 !== '' && expect.sha256 === known.state.sha256) {
    return { kind: 'file', real, bytes: known.bytes, state: expect, mode: found.mode & 0o7777 };
  }
  if (found.size > largest) return { kind: 'large', real, size: found.size, mode: found.mode & 0o7777 };
  try {
    const { bytes, state, mode } = await workspace.readFile(path, { maxBytes: largest });
    return { kind: 'file', real, bytes, state, mode: mode & 0o7777 };
  } catch {
    return odd;
  }
}

function statOf(real: string): Stats | 'odd' | undefined {
  try {
    return lstatSync(real, { throwIfNoEntry: false });
  } catch {
    return 'odd';
  }
}

function expectOf(old: Old): FileState | 'absent' | undefined {
  if (old.kind === 'file') return old.state;
  return old.kind === 'absent' ? 'absent' : undefined;
}

/** Is what was found what the caller wants to replace? */
function fits(old: Old, expect: FileState | 'absent' | undefined): boolean {
  if (expect === undefined || old.kind === 'odd') return true;
  if (old.kind === 'absent') return expect === 'absent';
  if (expect === 'absent') return false;
  return old.kind === 'large' ? old.size === expect.size : sameBytes(old.state, expect);
}

/**
 * What the change replaces when it is made: what was found, or, where that is not what the caller wants to replace, what the
 * caller does; it will be refused then, unless another program is quick.
 */
async function replaced(old: Old, expect: FileState | 'absent' | undefined, store: UndoStore): Promise<Omit<FileStep, 'after'>> {
  if (expect === undefined || (old.kind !== 'odd' && fits(old, expect))) return beforeOf(old, store);
  if (expect === 'absent') return { path: old.real, before: null };
  const mode = old.kind === 'absent' ? 0o644 : old.mode;
  return { path: old.real, before: { sha256: expect.sha256, size: expect.size, mode, kept: false } };
}

function changes(old: Old, target: FileTarget): boolean {
  if (old.kind === 'absent') return target.bytes !== null;
  if (old.kind !== 'file' || target.bytes === null) return true;
  return !old.bytes.equals(target.bytes) || (target.mode !== undefined && target.mode !== old.mode);
}

async function beforeOf(old: Old, store: UndoStore): Promise<Omit<FileStep, 'after'>> {
  if (old.kind === 'file') {
    return { path: old.real, before: await store.keep(old.bytes, { mode: old.mode, sha256: old.state.sha256 }) };
  }
  if (old.kind === 'large' || old.kind === 'odd') {
    return { path: old.real, before: { sha256: '', size: old.size, mode: old.mode, kept: false } satisfies Before };
  }
  const made = missingFolders(old.real);
  const bak = statOf(`${old.real}.bak`) !== undefined;
  return { path: old.real, before: null, ...(made.length > 0 ? { made } : {}), ...(bak ? { bak } : {}) };
}

/** Folders above a path that do not exist, outermost first. */
export function missingFolders(real: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(real); statOf(folder) === undefined && dirname(folder) !== folder; folder = dirname(folder)) {
    missing.unshift(folder);
  }
  return missing;
}

function afterOf({ bytes, mode }: FileTarget): After | null {
  if (bytes === null) return null;
  return { sha256: sha256(bytes), size: bytes.length, ...(mode === undefined ? {} : { mode: mode & 0o7777 }) };
}

function overtaken(error: unknown): boolean {
  return error instanceof ToolFault && (error.code === 'Stale' || error.code === 'EEXIST');
}
