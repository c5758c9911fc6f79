/** From a path as a model writes it to where it really lies. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { expandPath } from '../base/expand-path.js';
import { ToolFault } from '../types/tool.js';
import type { Located } from '../types/workspace.js';
import { type Resolved, resolveReal } from './resolve-path.js';
import { type BareLook, within, type ZoneOf } from './zones.js';

export interface LocateOptions {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly zoneOf: ZoneOf;
}

/** Throws ToolFault `InvalidArgs` for an empty path and one with a NUL; every other path lies somewhere. `look`: as for zones. */
export function locateIn(path: string, options: LocateOptions, look?: BareLook): Located {
  if (path.trim() === '')
    throw new ToolFault('InvalidArgs', 'the path is empty; name a file or folder, or "." for the workspace');
  if (path.includes('\0')) throw new ToolFault('InvalidArgs', 'the path holds a NUL character; no file can be named so');
  const { absolute, real } = choose(path, options);
  const { root } = options;
  const shown = within(real, root) ? relative(root, real).split(sep).join('/') || '.' : real;
  return { given: path, real, shown, zone: options.zoneOf(real, resolve(absolute), look) };
}

/** The absolute path a call means, links not followed. */
export function lexicalIn(path: string, options: LocateOptions): string {
  return resolve(choose(path, options).absolute);
}

interface Reading extends Resolved {
  readonly absolute: string;
}

/** Of all readings the first that exists. When none does, the expanded one, or the one with slashes if its folder exists. */
function choose(path: string, options: LocateOptions): Reading {
  const expanded = expandPath(path, options);
  const reading = (text: string): Reading => {
    const absolute = isAbsolute(text) ? text : `${options.root}${sep}${text}`;
    return { absolute, ...resolveReal(absolute) };
  };
  const literal = path !== expanded && !path.startsWith('~') ? reading(path) : undefined;
  if (literal?.exists) return literal;
  const plain = reading(expanded);
  if (plain.exists) return plain;
  const slashed = process.platform !== 'win32' && expanded.includes('\\') ? reading(expanded.replaceAll('\\', '/')) : undefined;
  if (slashed?.exists) return slashed;
  for (const form of ['NFC', 'NFD'] as const) {
    const text = expanded.normalize(form);
    const other = text === expanded ? undefined : reading(text);
    if (other?.exists) return other;
  }
  return slashed && isFolder(dirname(slashed.real)) && dirname(slashed.real) !== options.root ? slashed : plain;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
