/** The files of a tree that may be source code, in the order of their names: ignore files honoured, links not followed. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from '../../base/sensitive-paths.js';
import { languageOfName } from '../../code/languages/registry.js';
import type { DiskState, FoundFile } from '../../code/map/types.js';
import { type FolderRules, rulesFor } from '../../workspace/ignore-rules.js';
import { stopIfAborted } from './args.js';

/** Never looked into, whatever ignore files say; only when named themselves. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', 'vendor', 'dist', 'build']);
/** A larger file is passed over (bytes). */
const LARGEST = 1024 * 1024;
const MOST_FILES = 100_000;
const MOST_FOLDERS = 100_000;

export interface Walked {
  readonly files: readonly FoundFile[];
  /** Source files over the size, folders that could not be listed, files with a guarded name. */
  readonly large: number;
  /** Real paths of those over the size. */
  readonly larger: readonly string[];
  readonly unlisted: number;
  readonly secret: number;
  /** The tree has more than is looked at. */
  readonly limited: boolean;
}

/** `dir` and `root` are real paths; `shown` names a real path as the map does. `tests`: files of Go's tests too. */
export async function walkForMap(
  dir: string,
  root: string,
  { shown, signal, tests = false }: { shown(path: string): string; readonly signal: AbortSignal; readonly tests?: boolean },
): Promise<Walked> {
  const files: FoundFile[] = [];
  const found = { large: 0, unlisted: 0, secret: 0, limited: false };
  const larger: string[] = [];
  const queue: { readonly path: string; rules(): FolderRules }[] = [{ path: dir, rules: () => rulesFor(dir, root) }];
  for (let i = 0, folder = queue.pop(); folder; folder = queue.pop(), i++) {
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    stopIfAborted(signal);
    if (i >= MOST_FOLDERS || files.length >= MOST_FILES) {
      found.limited = true;
      break;
    }
    const entries = listed(folder.path);
    if (!entries) {
      found.unlisted++;
      continue;
    }
    const rules = folder.rules();
    for (const entry of entries) {
      const { name } = entry;
      if (entry.isDirectory()) {
        if (name.startsWith('.') || SKIPPED.has(name) || rules.ignores(name, true)) continue;
        queue.push({ path: join(folder.path, name), rules: () => rules.child(name) });
      } else if (entry.isFile() && isCandidate(name, tests) && !rules.ignores(name, false)) {
        take(join(folder.path, name));
      } else if (entry.isFile() && isSecretName(name)) found.secret++;
    }
  }
  function take(path: string): void {
    const disk = diskStateOf(path);
    if (!disk) return;
    if (disk.size > LARGEST) {
      if (!languageOfName(path)) return;
      found.large++;
      larger.push(path);
    } else files.push({ path: shown(path), disk });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, larger, ...found };
}

/** A source file by its name, or a name without an ending: its first line may say what it is. */
function isCandidate(name: string, tests: boolean): boolean {
  if (name.startsWith('.') || (!tests && name.endsWith('_test.go'))) return false;
  return !name.includes('.') || languageOfName(name) !== undefined;
}

function listed(dir: string): Dirent[] | undefined {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** An ordinary file as it is now; undefined for everything else. */
export function diskStateOf(path: string): DiskState | undefined {
  const seenAt = Date.now();
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    return { size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, ino: stat.ino, seenAt };
  } catch {
    return undefined;
  }
}
