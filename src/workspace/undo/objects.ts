/** Old bytes by their SHA-256: each content once, written whole or not at all, checked when it is read. */
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { readRegular } from '../../base/read-regular.js';
import { sweepOnce } from '../../base/sweep-once.js';
import { sha256 } from '../file-state.js';
import { CREATE_FLAGS } from '../open-checked.js';
import { writeAll } from '../raw-io.js';

const NAME = /^[0-9a-f]{64}$/;
const DRAFT = /^\.[0-9a-f]{16}\.tmp$/;
const DAY = 24 * 3600 * 1000;

export interface ObjectStore {
  /** Keeps the bytes under their hash (mode 0600); what lies there already is not written again. Throws errno errors. */
  put(bytes: Uint8Array, hash: string): Promise<void>;
  /** The bytes of a hash; undefined when they are gone or not what they were. */
  read(hash: string, size: number): Buffer | undefined;
  has(hash: string, size: number): boolean;
  /** Bytes on disk; counted once, then kept up to date with what this process does. */
  used(): number;
  /**
   * Removes what `wanted` does not hold. What was put after the newest line that names it (`named`: milliseconds), or is named by
   * none, may belong to a change another process is about to record: it stays while it is younger than `spare` milliseconds.
   */
  retain(
    wanted: ReadonlySet<string>,
    options: { readonly named: ReadonlyMap<string, number>; readonly now: number; readonly spare: number },
  ): void;
}

/** The folder is made when the first object is put. */
export function createObjects(folder: string): ObjectStore {
  let total: number | undefined;
  const fileOf = (hash: string) => join(folder, hash);
  const has = (hash: string, size: number): boolean => {
    if (!NAME.test(hash)) return false;
    try {
      const stat = lstatSync(fileOf(hash), { throwIfNoEntry: false });
      return stat?.isFile() === true && stat.size === size;
    } catch {
      return false;
    }
  };
  const used = (): number => {
    total ??= sizesIn(folder).reduce((sum, { size }) => sum + size, 0);
    return total;
  };
  return {
    has,
    used,
    async put(bytes, hash) {
      if (has(hash, bytes.length)) return touch(fileOf(hash));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      sweepOnce({ folder, names: DRAFT, before: Date.now() - DAY });
      const before = used();
      const draft = join(folder, `.${randomHex(16)}.tmp`);
      const fd = openSync(draft, CREATE_FLAGS, 0o600);
      try {
        try {
          await writeAll(fd, bytes);
        } finally {
          closeSync(fd);
        }
        renameSync(draft, fileOf(hash));
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
      total = before + bytes.length;
    },
    read(hash, size) {
      if (!has(hash, size)) return undefined;
      try {
        const bytes = readRegular(fileOf(hash), size);
        return sha256(bytes) === hash ? bytes : undefined;
      } catch {
        return undefined;
      }
    },
    retain(wanted, { named, now, spare }) {
      total = 0;
      for (const { hash, size, time } of sizesIn(folder)) {
        const pending = Math.floor(time) > (named.get(hash) ?? 0) && now - time < spare;
        if (wanted.has(hash) || pending) total += size;
        else rmSync(fileOf(hash), { force: true });
      }
    },
  };
}

/** Later than any line written up to now: somebody needs it again. Never throws. */
function touch(path: string): void {
  const time = (Date.now() + 1) / 1000;
  try {
    utimesSync(path, time, time);
  } catch {
    // As old as it was.
  }
}

function sizesIn(folder: string): { readonly hash: string; readonly size: number; readonly time: number }[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .flatMap((hash) => {
        const stat = lstatSync(join(folder, hash), { throwIfNoEntry: false });
        return stat?.isFile() ? [{ hash, size: stat.size, time: stat.mtimeMs }] : [];
      });
  } catch {
    return [];
  }
}
