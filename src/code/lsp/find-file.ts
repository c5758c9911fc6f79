/** Some file of a language that has a server, for questions about a whole workspace. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MOST_FOLDERS = 300;
const SKIPPED = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'out', 'venv', '__pycache__']);
/** Files that are there in any project and say little about it. */
const ASIDE = /\.(json|jsonc|ya?ml|html?|css|scss|less|sh|bash)$/i;

/** The first one, breadth first, folders in the order of their names; the languages of documents and scripts come last. */
export function findAnyFile(roots: readonly string[], fits: (path: string) => boolean): string | undefined {
  const folders = [...roots];
  let second: string | undefined;
  const tried = new Map<string, boolean>();
  for (let seen = 0; seen < MOST_FOLDERS && folders.length > 0; seen++) {
    const folder = folders.shift() as string;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) folders.push(path);
      if (!entry.isFile()) continue;
      const ending = /\.[^.]+$/.exec(entry.name)?.[0] ?? entry.name;
      const isFit = tried.get(ending) ?? fits(path);
      tried.set(ending, isFit);
      if (!isFit) continue;
      if (!ASIDE.test(entry.name)) return path;
      second ??= path;
    }
  }
  return second;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
