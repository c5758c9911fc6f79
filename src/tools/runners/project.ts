/** Looks at a project: what lies in its folders, what its small files say, which programs it has. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { which } from '../../process/which.js';
import { ToolFault } from '../../types/tool.js';
import type { Level, Project } from './plan.js';

const MAX_LEVELS = 40;
const SMALL_FILE = 1024 * 1024;
/** Bytes of file names that go into one command line. */
const NAMES_BYTES = 100_000;

function levelOf(path: string): Level {
  try {
    return { path, names: new Set(readdirSync(path)) };
  } catch {
    return { path, names: new Set() };
  }
}

/** Reads the folder and those above it, up to and with `root`. */
export function readProject(folder: string, root: string, run: Pick<Project, 'env' | 'signal' | 'sandbox'>): Project {
  const levels: Level[] = [];
  for (let path = folder; levels.length < MAX_LEVELS; path = dirname(path)) {
    levels.push(levelOf(path));
    if (path === root || dirname(path) === path) break;
  }
  return { folder, root, levels, ...run };
}

/** The nearest level that has one of the names. */
export function levelWith(project: Project, ...names: readonly string[]): Level | undefined {
  return project.levels.find((level) => names.some((name) => level.names.has(name)));
}

/** Text of a small file, or an empty string. */
export function readText(...parts: readonly string[]): string {
  const path = join(...parts);
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= SMALL_FILE ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** A program of the project itself (`node_modules/.bin/vitest`, `vendor/bin/phpunit`) at the nearest level. */
export function localProgram(project: Project, path: string): string | undefined {
  return project.levels.map((level) => join(level.path, path)).find((file) => existsSync(file));
}

/** A program in PATH; a fault that names it when it is missing. */
export function needProgram(project: Project, name: string, because: string): string {
  const found = which(name, project.env);
  if (found !== undefined) return found;
  throw new ToolFault('Failed', `${because}, but ${name} is not installed (not in PATH); give cmd to run the tests another way`);
}

/** Paths relative to `base`, in a form no program takes for an option. Refuses more than a command line holds. */
export function fileArguments(base: string, files: readonly string[]): string[] {
  const names = files.map((file) => {
    const path = relative(base, file);
    return path.startsWith('-') ? `./${path}` : path;
  });
  if (names.reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0) > NAMES_BYTES)
    throw new ToolFault(
      'InvalidArgs',
      `${names.length} test files are too many for one command line: use a narrower pattern, or dir`,
    );
  return names;
}
