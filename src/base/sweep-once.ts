/** Removes what killed processes left under names of our own, once per folder and process, as far as that is possible. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const done = new Set<string>();

export interface Sweep {
  readonly folder: string;
  /** Another path of the same folder to reach it by. */
  readonly through?: string;
  /** Whole names of ordinary files that may go. */
  readonly names: RegExp;
  /** Only files that nothing touched since this time, milliseconds since 1970. */
  readonly before: number;
}

/** Never throws; the second call for a folder and the same names does nothing. */
export function sweepOnce({ folder, through = folder, names, before }: Sweep): void {
  const key = `${names.source}\0${folder}`;
  if (done.has(key)) return;
  done.add(key);
  for (const name of matching(through, names)) {
    const path = join(through, name);
    try {
      // The time of the last change of any kind: a link made just now has an old time of writing.
      const stat = lstatSync(path);
      if (stat.isFile() && stat.ctimeMs < before) rmSync(path, { force: true });
    } catch {
      // Someone else's, or gone.
    }
  }
}

function matching(folder: string, names: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => names.test(name));
  } catch {
    return [];
  }
}
