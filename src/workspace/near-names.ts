/** What a missing path may have meant: names like it in the same folder, and the same name elsewhere. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { nearestNames } from '../base/nearest.js';
import { within } from './zones.js';

const MOST_FOLDERS = 200;
const SKIPPED = new Set(['.git', 'node_modules', 'vendor', 'dist', 'build', 'target', '.venv']);

/** At most three paths relative to `root` that exist and look like the missing `real`, best first. Never throws. */
export function nearNames(real: string, root: string): string[] {
  if (!within(real, root) || real.length > 4096) return [];
  let missing = real;
  let names: string[] | undefined;
  while (names === undefined && missing !== root && missing !== dirname(missing)) {
    names = listed(dirname(missing));
    if (names === undefined) missing = dirname(missing);
  }
  const folder = dirname(missing);
  const rest = real.slice(missing.length);
  const near = nearestNames(basename(missing), names ?? []).map((name) => join(folder, name) + rest);
  const found = [...sameName(basename(real), root), ...near].filter((path) => exists(path));
  return [...new Set(found)].slice(0, 3).map((path) => relative(root, path).split(sep).join('/'));
}

/** Files of exactly this name (case aside) in the first folders of the tree, nearest to the root first. */
function sameName(name: string, root: string): string[] {
  const wanted = name.toLowerCase();
  const found: string[] = [];
  const queue = [root];
  for (let i = 0; i < Math.min(queue.length, MOST_FOLDERS) && found.length < 3; i++) {
    const folder = queue[i] ?? root;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.')) queue.push(join(folder, entry.name));
        else if (entry.isFile() && entry.name.toLowerCase() === wanted) found.push(join(folder, entry.name));
      }
    } catch {
      // A folder that cannot be listed offers nothing.
    }
  }
  return found;
}

function listed(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  return listed(dirname(path))?.includes(basename(path)) ?? false;
}
