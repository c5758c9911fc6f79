/** The ignore rules that hold in a folder but do not lie in it: those of the repository around it, in the shadow's own file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { compileGlob } from '../../base/path-glob.js';
import { repositoryOf } from '../ignore-rules.js';
import { resolveReal } from '../resolve-path.js';
import { readSmallFile } from '../small-file.js';
import { within } from '../zones.js';

/** Writes `info/exclude` of the place when it is not what it should be. Throws errno errors. */
export function writeExclude(folder: string, root: string, state: string): void {
  const file = join(folder, 'info', 'exclude');
  const wanted = [...rulesAround(root), ...stateRule(root, state)].map((line) => `${line}\n`).join('');
  let present: string | undefined;
  try {
    present = readFileSync(file, 'utf8');
  } catch {
    // Written below.
  }
  if (present !== wanted) writeFileSync(file, wanted, { mode: 0o600 });
}

/** Our own state is never recorded, or each snapshot would hold the ones before. */
function stateRule(root: string, state: string): string[] {
  const real = resolveReal(state).real;
  if (!within(real, root)) return [];
  return [`/${relative(root, real).split(sep).map(escaped).join('/')}/`];
}

function escaped(name: string): string {
  return name.replace(/[\\*?[\] ]/g, '\\$&');
}

/** `info/exclude` of the repository, then the `.gitignore` files above the folder, the outermost first. */
function rulesAround(root: string): string[] {
  const top = repositoryOf(root);
  if (top === undefined) return [];
  const lines = translated(linesOf(join(commonFolder(join(top, '.git')), 'info', 'exclude')), partsBetween(top, root));
  const parts = partsBetween(top, root);
  let folder = top;
  for (const [depth, part] of parts.entries()) {
    lines.push(...translated(linesOf(join(folder, '.gitignore')), parts.slice(depth)));
    folder = join(folder, part);
  }
  return lines;
}

function partsBetween(outer: string, inner: string): string[] {
  return relative(outer, inner)
    .split(sep)
    .filter((part) => part !== '');
}

function linesOf(path: string): string[] {
  const file = readSmallFile(path);
  return typeof file === 'string' ? [] : file.text.replace(/^\ufeff/, '').split('\n');
}

/** The folder a repository's working trees share: `.git` itself, or what the file in its place leads to. */
function commonFolder(entry: string): string {
  const pointer = readSmallFile(entry, 4096);
  const target = typeof pointer === 'string' ? undefined : /^gitdir: *([^\n]+?)\s*$/.exec(pointer.text)?.[1];
  const folder = target === undefined ? entry : resolve(dirname(entry), target);
  const shared = readSmallFile(join(folder, 'commondir'), 4096);
  return typeof shared === 'string' ? folder : resolve(folder, shared.text.trim());
}

/**
 * Rules of a folder above as rules of the folder `parts` below it. Rules that leave out that folder itself are dropped: who works in a
 * folder wants it kept.
 */
export function translated(lines: readonly string[], parts: readonly string[]): string[] {
  if (parts.length === 0) return lines.filter((line) => line !== '');
  const found = lines.map((line) => translate(line, parts));
  return found.flatMap((list, index) => {
    const everything = list.some((line) => /^\/\*{1,2}\/?$/.test(line));
    const reopened = found.slice(index + 1).some((later) => later.some((line) => line.startsWith('!')));
    return everything && !reopened ? [] : list;
  });
}

function translate(text: string, parts: readonly string[]): string[] {
  const line = text.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
  if (line === '' || line.startsWith('#')) return [];
  const negated = line.startsWith('!');
  const body = negated ? line.slice(1) : line;
  const folderOnly = body.endsWith('/') && !body.endsWith('\\/');
  const pattern = folderOnly ? body.slice(0, -1) : body;
  if (!pattern.includes('/')) return [line];
  const rests = remainders(pattern.replace(/^\//, '').split('/'), parts);
  return [...new Set(rests.map((rest) => `${negated ? '!' : ''}/${rest.join('/')}${folderOnly ? '/' : ''}`))];
}

/** What is left of a pattern after it has matched the folders `parts`. */
function remainders(segments: readonly string[], parts: readonly string[]): string[][] {
  const [segment, ...others] = segments;
  if (segment === undefined) return [];
  const [part, ...below] = parts;
  if (part === undefined) return [[...segments]];
  if (segment === '**') {
    // At the end it stands for everything below, at other places also for no folder at all.
    if (others.length === 0) return [['**']];
    return [...remainders(others, parts), ...remainders(segments, below)];
  }
  return compileGlob(segment).test(part) ? remainders(others, below) : [];
}
