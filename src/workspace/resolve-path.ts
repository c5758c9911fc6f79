/** Real paths as the kernel would find them, also for what does not exist yet and for links that lead nowhere. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';

const MOST_LINKS = 40;
/** Longer than any system allows; walking it would only take time. */
const LONGEST = 32_768;

export interface Resolved {
  readonly real: string;
  readonly exists: boolean;
}

/**
 * Follows every symbolic link of an absolute path. The part that does not exist is taken as written; the target of a
 * dangling link counts. A circle of links resolves to the link itself. Never throws.
 */
export function resolveReal(path: string): Resolved {
  if (path.length > LONGEST) return { real: resolve(path), exists: false };
  try {
    return { real: realpathSync.native(path), exists: true };
  } catch {
    return walk(path);
  }
}

function walk(path: string): Resolved {
  const root = parse(path).root || '/';
  let queue = components(path.slice(root.length));
  let current = root;
  let links = 0;
  let missing = false;
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    if (part === '..') {
      current = dirname(current);
      missing = false;
      continue;
    }
    const next = current.endsWith(sep) ? current + part : current + sep + part;
    const target: string | false | undefined = missing ? undefined : linkTarget(next);
    if (target === undefined || target === false) {
      missing = target === undefined;
      current = next;
      continue;
    }
    if (++links > MOST_LINKS) return { real: join(next, ...queue.filter((rest) => rest !== '..')), exists: false };
    if (isAbsolute(target)) current = parse(target).root;
    queue = [...components(isAbsolute(target) ? target.slice(current.length) : target), ...queue];
  }
  return { real: nativeSpelling(current), exists: !missing };
}

/** Target of a link, false for something else that exists, undefined for nothing. */
function linkTarget(path: string): string | false | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat && (stat.isSymbolicLink() ? readlinkSync(path) : false);
  } catch {
    return undefined;
  }
}

/** Where case does not count, the existing part in the spelling of the disk. */
function nativeSpelling(path: string): string {
  if (process.platform !== 'darwin' && process.platform !== 'win32') return path;
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    try {
      return join(realpathSync.native(existing), ...missing);
    } catch {
      const parent = dirname(existing);
      if (parent === existing) return path;
      missing.unshift(existing.slice(parent.length).replace(/^[\\/]+/, ''));
      existing = parent;
    }
  }
}

function components(text: string): string[] {
  return text.split(process.platform === 'win32' ? /[\\/]+/ : /\/+/).filter((part) => part !== '' && part !== '.');
}
