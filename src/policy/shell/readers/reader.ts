/** What makes a command one that only reads, as data: options it must not have, and what its operands are. */

import { compileGlob } from '../../../base/path-glob.js';
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { isAmong, type Option, optionSet, type Scan, scanOptions } from '../options.js';
import { SECRET_NAMES } from '../paths.js';
import type { ShellWord, Simple } from '../types.js';
import { literal, only } from '../types.js';

/** The answer: it only reads these words as paths, or the reason why that cannot be said. */
export type Reading =
  | {
      readonly ok: true;
      readonly reads: readonly ShellWord[] /** It looks at the folder it runs in. */;
      readonly folder: boolean;
    }
  | { readonly ok: false; readonly reason: Reason };

export interface Reader {
  /** Options with which it writes, runs something or waits for ever. */
  readonly bad?: string;
  /** When given, no option outside this list is accepted. */
  readonly only?: string;
  /** Options that take a value. */
  readonly valued?: string;
  /** Options whose value, if any, is glued on. */
  readonly attached?: string;
  /** Options whose value is a file it reads. */
  readonly files?: string;
  /** What the operands are. `first-text`: a pattern or program, then paths. */
  readonly operands: 'paths' | 'text' | 'none' | 'first-text';
  /** Options that give the pattern, so that all operands are paths. */
  readonly patternBy?: string;
  /** At most so many operands (a further one would be written). */
  readonly most?: number;
  /** Options stand only before the first operand; later words are operands whatever they look like. */
  readonly ordered?: boolean;
  /** Harmless whatever its options are: words that cannot be read do no harm. */
  readonly loose?: boolean;
  /** Looks at the folder it runs in when no path is named. */
  readonly folder?: boolean;
  readonly check?: (scan: Scan, simple: Simple) => Reason | undefined;
}

export function no(reason: Reason): Reading {
  return { ok: false, reason };
}

export function reads(words: readonly ShellWord[], folder = false): Reading {
  return { ok: true, reads: words, folder };
}

/** Applies a reader to the arguments of a command. */
export function applyReader(name: string, reader: Reader, simple: Simple): Reading {
  const valued = optionSet(`${reader.valued ?? ''} ${reader.files ?? ''}`);
  const attached = optionSet(reader.attached);
  const scan = scanOptions(simple.words.slice(1), { valued, attached, stop: reader.ordered });
  if (scan.unclear !== undefined && !reader.loose) return no(because`an option of ${code(name)} may hide in ${scan.unclear}`);
  const bad = optionSet(reader.bad);
  const fine =
    reader.only === undefined
      ? undefined
      : optionSet(`${reader.only} ${reader.valued ?? ''} ${reader.attached ?? ''} ${reader.files ?? ''}`);
  // Whether an option takes the next word differs between versions: no option hides behind another.
  const every = scanOptions(simple.words.slice(1), { attached: new Set([...valued, ...attached]), stop: reader.ordered }).options;
  const hidden = every.find((option) => isAmong(option.name, bad) && !fine?.has(option.name));
  if (hidden) return no(because`${code(`${name} ${hidden.name}`)} does more than read`);
  for (const option of scan.options) {
    const known = fine?.has(option.name) ?? false;
    if (!known && isAmong(option.name, bad)) return no(because`${code(`${name} ${option.name}`)} does more than read`);
    if (fine && !known) return no(because`${code(`${name} ${option.name}`)} is not known to only read`);
  }
  if (reader.most !== undefined && (scan.operands.length > reader.most || scan.operands.some((word) => word.splits))) {
    return no(because`${code(name)} may write the file named by a further argument`);
  }
  if (reader.operands === 'none' && scan.operands.length > 0)
    return no(because`${code(name)} with an argument may change something`);
  const fault = reader.check?.(scan, simple);
  if (fault !== undefined) return no(fault);
  const paths = pathOperands(reader, scan);
  return reads([...paths, ...fileValues(scan.options, reader)], reader.folder === true && paths.length === 0);
}

function pathOperands(reader: Reader, scan: Scan): readonly ShellWord[] {
  if (reader.operands === 'paths') return scan.operands;
  if (reader.operands !== 'first-text') return [];
  const given = optionSet(reader.patternBy);
  return scan.options.some((option) => isAmong(option.name, given)) ? scan.operands : scan.operands.slice(1);
}

/** Values of options that are files, and any other value that is spelled like a path elsewhere. */
function fileValues(options: readonly Option[], reader: Reader): ShellWord[] {
  const files = optionSet(reader.files);
  const found: ShellWord[] = [];
  for (const option of options) {
    if (!option.value) continue;
    const text = only(option.value);
    // Choosing files by name chooses secrets by name.
    if (/^(--include|-g|--glob|--iglob)$/.test(option.name)) found.push(...secretsOf(text));
    if (files.has(option.name) || (text !== undefined && /^(\/|~|\.\.(\/|$))/.test(text))) found.push(option.value);
  }
  return found;
}

function secretsOf(pattern: string | undefined): ShellWord[] {
  if (pattern === undefined || /^!|^[*?/]+$/.test(pattern)) return [];
  const glob = compileGlob(pattern.slice(pattern.lastIndexOf('/') + 1), { ignoreCase: true });
  return SECRET_NAMES.filter((name) => glob.test(name)).map((name) => literal(name));
}
