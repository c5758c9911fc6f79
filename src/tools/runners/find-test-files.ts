/** Finds test files by glob, below one folder, without following links out of it. */
import { readdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { ToolFault } from '../../types/tool.js';

const SKIPPED = new Set(['node_modules', 'vendor', 'target', '__pycache__', 'venv', 'bower_components', 'deps', '_build']);
const MAX_ENTRIES = 200_000;
const GLANCE_ENTRIES = 20_000;
const MAX_PATTERN = 300;

/** Entries below a folder: relative paths of files, at most `limit` entries looked at. */
function* walk(folder: string, limit: number): Generator<string, boolean> {
  const waiting = [''];
  let seen = 0;
  while (waiting.length > 0) {
    const inner = waiting.pop() as string;
    let entries: import('node:fs').Dirent[];
    try {
      entries = readdirSync(join(folder, inner), { withFileTypes: true });
    } catch {
      continue;
    }
    seen += entries.length;
    if (seen > limit) return false;
    for (const entry of entries) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isFile()) yield path;
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) waiting.push(path);
    }
  }
  return true;
}

/** Relative paths of all files for which `wanted` holds, sorted. Hidden and dependency folders are left out. */
export function listFiles(folder: string, wanted: (path: string) => boolean): string[] {
  const found: string[] = [];
  const files = walk(folder, MAX_ENTRIES);
  for (let next = files.next(); ; next = files.next()) {
    if (next.done === true) {
      if (next.value) return found.sort();
      throw new ToolFault('Failed', `more than ${MAX_ENTRIES} files below ${folder}: choose a smaller folder with dir`);
    }
    if (wanted(next.value)) found.push(next.value);
  }
}

/** Whether some file is wanted; looks at a bounded part of a large tree. */
export function hasFile(folder: string, wanted: (path: string) => boolean): boolean {
  for (const path of walk(folder, GLANCE_ENTRIES)) if (wanted(path)) return true;
  return false;
}

/** A matcher for the pattern: against the path when it has a slash, otherwise against the name. */
export async function globMatcher(pattern: string, folder: string): Promise<(path: string) => boolean> {
  if (pattern.length > MAX_PATTERN) throw new ToolFault('InvalidArgs', `pattern is longer than ${MAX_PATTERN} characters`);
  const { default: picomatch } = await import('picomatch');
  const given = isAbsolute(pattern) ? relative(folder, pattern) : pattern.replace(/^(\.\/)+/, '');
  const options = { dot: true, nonegate: true, noextglob: true };
  const matchPath = picomatch(given, options);
  if (given.includes('/')) return (path) => path === given || matchPath(path);
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return name === given || matchPath(name);
  };
}

/**
 * Test files below `folder` that match `pattern`, absolute and sorted. A pattern that is the plain path of a file finds
 * it although its name does not look like a test. Throws ToolFault `NotFound` with what there is when nothing matches.
 */
export async function findTestFiles(folder: string, pattern: string, isTestFile: (path: string) => boolean): Promise<string[]> {
  const matches = await globMatcher(pattern, folder);
  const plain = !/[*?[\]{}]/.test(pattern);
  const tests = listFiles(folder, (path) => isTestFile(path) || (plain && matches(path)));
  const found = tests.filter(matches);
  if (found.length > 0) return found.map((path) => join(folder, path));
  const some = tests.slice(0, 8).join(', ');
  const there =
    tests.length === 0
      ? 'there are no test files here'
      : `test files here: ${some}${tests.length > 8 ? `, ... (${tests.length})` : ''}`;
  throw new ToolFault(
    'NotFound',
    `no test file matches the pattern ${JSON.stringify(pattern)} (a glob over test files); ${there}. No tests were run.`,
  );
}
