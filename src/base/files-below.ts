/** The files below a folder, in a fixed order and within limits; links are named, never followed. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface FilesBelow {
  /** Ordinary files: paths from the folder, with `/`, sorted folder by folder. */
  readonly files: readonly string[];
  /** Links, pipes and whatever else is neither file nor folder. */
  readonly odd: readonly string[];
  /** There are more entries, or deeper ones, than were looked at, or a folder could not be read. */
  readonly cut: boolean;
}

export interface WalkLimits {
  /** Files and folders in all. */
  readonly most: number;
  /** Folders below one another. */
  readonly deep: number;
  /** Folders of these names are left out. */
  skips?(name: string): boolean;
}

/** Never throws. A folder that is not there holds nothing; it may itself be a link. */
export function filesBelow(folder: string, { most, deep, skips }: WalkLimits): FilesBelow {
  const files: string[] = [];
  const odd: string[] = [];
  let seen = 0;
  let cut = false;
  const walk = (below: string, depth: number): void => {
    const entries = entriesOf(join(folder, below));
    if (entries === undefined) cut ||= below !== '';
    for (const entry of entries ?? []) {
      if (entry.isDirectory() && skips?.(entry.name)) continue;
      if (++seen > most) cut = true;
      if (seen > most) return;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (!entry.isDirectory()) odd.push(path);
      else if (depth < deep) walk(path, depth + 1);
      else cut = true;
    }
  };
  walk('', 1);
  return { files, odd, cut };
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch {
    return undefined;
  }
}

/** Where agents lie in sub-folders too: hidden folders are no place for them. */
export const AGENT_WALK: WalkLimits = {
  most: 2000,
  deep: 6,
  skips: (name) => name.startsWith('.') || name === 'node_modules',
};
