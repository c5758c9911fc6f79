/** Which files a diff touches, as far as its own words and the argument `file` tell: a pure function, for facts and for the run. */
import { posix } from 'node:path';
import { invalid } from '../args.js';
import type { FilePatch, Names, ParsedDiff } from './types.js';

export interface Selected {
  readonly patches: readonly FilePatch[];
  readonly notes: readonly string[];
}

/** Throws ToolFault `InvalidArgs` when `file` is missing or is none of the diff's files. */
export function selectFiles({ patches }: ParsedDiff, file: string | undefined): Selected {
  const headless = patches.find((patch) => !patch.from && !patch.to);
  if (file === undefined) {
    if (headless) throw invalid('file', `is missing; line ${headless.at} of the diff begins a change that names no file`);
    return { patches, notes: [] };
  }
  const named = patches.filter((patch) => (!patch.from && !patch.to) || spellings(patch).some((name) => same(name, file)));
  const distinct = new Set(patches.filter((patch) => patch.from || patch.to).map((patch) => spellings(patch)[0]));
  if (named.some((patch) => patch.from || patch.to) || distinct.size === 0) {
    const others = [...distinct].filter((name) => !named.some((patch) => spellings(patch)[0] === name));
    const left =
      others.length === 0 ? [] : [`the diff also changes ${listed(others)}; only ${file} was asked for, so they were left alone`];
    return { patches: named.map((patch) => onFile(patch, file)), notes: left };
  }
  const [only] = distinct;
  const moves = patches.some((patch) => patch.kind === 'rename' || patch.kind === 'copy');
  if (distinct.size > 1 || moves) throw invalid('file', `${file} is none of the files of the diff (${listed([...distinct])})`);
  return { patches: patches.map((patch) => onFile(patch, file)), notes: [`the diff names ${only}; it was applied to ${file}`] };
}

/** The patch aimed at `file`; a rename keeps its own names. */
function onFile(patch: FilePatch, file: string): FilePatch {
  if (patch.kind === 'rename' || patch.kind === 'copy') return patch;
  const names: Names = { list: [file] };
  if (patch.kind === 'create') return { ...patch, to: names };
  return { ...patch, from: names };
}

export function spellings(patch: FilePatch): readonly string[] {
  return [...(patch.from?.list ?? []), ...(patch.to?.list ?? [])];
}

function same(name: string, file: string): boolean {
  const [a, b] = [normal(name), normal(file)];
  return a === b || (posix.isAbsolute(b) && !posix.isAbsolute(a) && b.endsWith(`/${a}`));
}

function normal(name: string): string {
  return posix.normalize(name.replaceAll('\\', '/')).normalize('NFC');
}

function listed(names: readonly (string | undefined)[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}

/** Paths a diff reads and writes, each possible spelling included. */
export function pathsOf(patches: readonly FilePatch[]): {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
} {
  const reads = patches.filter((patch) => patch.kind === 'copy').flatMap((patch) => patch.from?.list ?? []);
  const writes = patches.flatMap((patch) => (patch.kind === 'copy' ? (patch.to?.list ?? []) : spellings(patch)));
  return { reads: [...new Set(reads)], writes: [...new Set(writes)] };
}
