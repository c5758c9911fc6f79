/** The entries of a map: what is known of each file, packed so that ten thousand of them load in an instant. */
import type { NameTable } from './names.js';
import type { DiskState, Extracted, FileStatus } from './types.js';

/** One file. `data` is numbers of names: see `pack`. */
export interface MapEntry {
  readonly path: string;
  /** First half of the SHA-256 of its bytes, hex. */
  readonly hash: string;
  /** As it was when the bytes were read; absent: it changed meanwhile. */
  readonly disk?: DiskState | undefined;
  readonly status: FileStatus;
  readonly language: string;
  readonly declarations: number;
  readonly data: Uint32Array;
  /** Outline lines in UTF-8, with line breaks between them. */
  readonly text: Uint8Array;
}

/** `[count, defines…, count, (source, count, (name, alias)…)…, (reference, count)…]`, all names by number. */
export function pack(found: Extracted, names: NameTable): Pick<MapEntry, 'data' | 'text'> {
  const data: number[] = [found.defines.length, ...found.defines.map(names.idOf), found.imports.length];
  for (const { source, names: taken } of found.imports) {
    data.push(names.idOf(source), taken.length);
    for (const [name, alias] of taken) data.push(names.idOf(name), names.idOf(alias));
  }
  for (const [i, name] of found.references.entries()) data.push(names.idOf(name), found.counts[i] ?? 1);
  return { data: Uint32Array.from(data), text: Buffer.from(found.lines.join('\n'), 'utf8') };
}

export interface PackedImport {
  readonly source: number;
  readonly names: readonly (readonly [name: number, alias: number])[];
}

export interface Unpacked {
  readonly defines: Uint32Array;
  readonly imports: readonly PackedImport[];
  /** Pairs of name and count. */
  readonly references: Uint32Array;
}

/** Never throws for numbers that make no sense: what is beyond the end is empty. */
export function unpack({ data }: Pick<MapEntry, 'data'>): Unpacked {
  let at = 0;
  const next = () => data[at++] ?? 0;
  const defineCount = next();
  const defines = data.subarray(at, at + defineCount);
  at += defineCount;
  const imports: PackedImport[] = [];
  for (let left = next(); left > 0 && at < data.length; left--) {
    const source = next();
    const taken: (readonly [number, number])[] = [];
    for (let more = next(); more > 0 && at < data.length; more--) taken.push([next(), next()]);
    imports.push({ source, names: taken });
  }
  return { defines, imports, references: data.subarray(at) };
}

/** The outline lines of an entry. */
export function linesOf(entry: Pick<MapEntry, 'text'>): string[] {
  if (entry.text.length === 0) return [];
  return Buffer.from(entry.text.buffer, entry.text.byteOffset, entry.text.byteLength).toString('utf8').split('\n');
}

/** The same data with other numbers for its names. */
export function renumbered(data: Uint32Array, number: (old: number) => number): Uint32Array {
  const made = Uint32Array.from(data);
  let at = 0;
  const rename = () => {
    made[at] = number(data[at] ?? 0);
    at++;
  };
  for (let left = data[at++] ?? 0; left > 0 && at < data.length; left--) rename();
  for (let left = data[at++] ?? 0; left > 0 && at < data.length; left--) {
    rename();
    for (let more = (data[at++] ?? 0) * 2; more > 0 && at < data.length; more--) rename();
  }
  // Of a reference only the first of two numbers is a name.
  for (; at < data.length; at++) rename();
  return made;
}
