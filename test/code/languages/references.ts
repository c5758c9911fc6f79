/** Runs the parsers of the languages themselves over real files, and finds such files on the machine. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { languageOfName } from '../../../src/code/languages/registry.js';
import { outlineSource } from '../../../src/code/outline/outline-source.js';
import type { Outline } from '../../../src/types/code.js';
import { differences, linesOf } from './compare.js';
import type { Declared } from './reference-typescript.js';

export const ROOT = join(import.meta.dirname, '../../..');

/** Files below a folder whose names fit, sorted; symbolic links are not followed. */
export function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Every nth of a list, so that about `count` are left. */
export function sample<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, i) => i % step === 0);
}

/** Standard output of a program that reads file names and prints one JSON array a line; null: it could not read the file. */
export function referenceBy(
  command: readonly string[],
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): (readonly Declared[] | null)[] {
  const [program = '', ...args] = command;
  const run = spawnSync(program, args, { input: `${files.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1 << 30, env });
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status}: ${run.stderr}`);
  const lines = run.stdout.trimEnd().split('\n');
  if (lines.length !== files.length) throw new Error(`${program}: ${lines.length} answers for ${files.length} files`);
  return lines.map((line) => JSON.parse(line) as Declared[] | null);
}

export interface Compared {
  files: number;
  declarations: number;
  /** Files in which our parser found a fault and the reference none. */
  readonly faulty: string[];
  /** Files whose declarations differ, with the first differences. */
  readonly different: string[];
}

/** Compares one file after the other; `reference` gives undefined for a file to leave out. */
export async function compareAll(
  files: readonly string[],
  reference: (
    path: string,
    text: string,
    index: number,
    outline: Outline,
  ) => { symbols: readonly Declared[]; ours?: Outline['symbols'] } | undefined,
): Promise<Compared> {
  const result: Compared = { files: 0, declarations: 0, faulty: [], different: [] };
  for (const [index, path] of files.entries()) {
    if (statSync(path).size > 1_000_000) continue;
    const text = readFileSync(path, 'utf8');
    const language = languageOfName(path);
    const outline = language && (await outlineSource(language, text));
    if (!outline) throw new Error(`${path} was not parsed`);
    const other = reference(path, text, index, outline);
    if (!other) continue;
    const wanted = linesOf(other.symbols);
    const found = differences(linesOf(other.ours ?? outline.symbols), wanted);
    result.files++;
    result.declarations += wanted.length;
    if (outline.errorLine !== undefined) result.faulty.push(`${path}:${outline.errorLine}`);
    if (found.length > 0) result.different.push(`${path}\n    ${found.slice(0, 6).join('\n    ')}`);
  }
  return result;
}
