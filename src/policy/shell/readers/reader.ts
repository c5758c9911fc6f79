/** What makes a command one that only reads, as data: options it must not have, and what its operands are. */

import { compileGlob } from '../../../base/path-glob.js';
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { isAmong, type Option, optionSet, type Scan, scanOptions } from '../options.js';
import { SECRET_NAMES } from '../paths.js';
import type { ShellWord, Simple } from '../types.js';
import { literal, only, possible } from '../types.js';

/** The answer: it only reads these words as paths, or the reason why that cannot be said. */
export type Reading =
  | {
      readonly ok: true;
      readonly reads: readonly ShellWord[] /** It looks at the folder it runs in. */;
      readonly folder: boolean;
      /** Texts that another version, or another reading, of the program would take for a file. */
      readonly perhaps: readonly string[];
    }
  | { readonly ok: false; readonly reason: Reason };

export interface Reader {
  /** Options with which it writes, runs something or waits for ever. */
  readonly bad?: string;
  /** When given, no option outside this list is accepted. */
  readonly only?: string;
  /** Options that take the next word in every version of the program. */
  readonly valued?: string;
  /** Options that take the next word in some versions only: both readings count. */
  readonly maybe?: string;
  /** Options whose value is never a file; the value of any other option is looked at as if it were one. */
  readonly texts?: string;
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

export function reads(words: readonly ShellWord[], folder = false, perhaps: readonly string[] = []): Reading {
  return { ok: true, reads: words, folder, perhaps };
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
  const args = simple.words.slice(1);
  const second = scanOptions(args, { valued: takenAtMost(args, valued, reader), attached, stop: reader.ordered });
  const paths = pathOperands(reader, scan);
  const others = pathOperands(reader, second).filter((word) => !paths.includes(word));
  const doubtful = reader.operands === 'text' && reader.loose ? [] : perhapsFiles(args, [scan, second], optionSet(reader.texts));
  return reads(
    [...paths, ...others, ...fileValues(scan.options, reader), ...fileValues(second.options, reader)],
    reader.folder === true && paths.length === 0,
    doubtful,
  );
}

/** Options that may take the next word: those that do in some versions, and abbreviations of those that do. */
function takenAtMost(args: readonly ShellWord[], valued: ReadonlySet<string>, reader: Reader): ReadonlySet<string> {
  const taken = new Set([...valued, ...optionSet(reader.maybe)]);
  const long = args.map((word) => only(word) ?? '').filter((text) => /^--[a-z]/.test(text));
  return new Set([...taken, ...long.filter((text) => isAmong(text, taken))]);
}

/**
 * What may name a file although it is no operand by the table: values of options, what is glued to a letter, and what stands
 * behind `=`, `@` or `:`. `texts` are options whose value never does.
 */
export function perhapsFiles(args: readonly ShellWord[], scans: readonly Scan[], texts: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const { name, value } of scans.flatMap((scan) => scan.options))
    if (value && !isAmong(name, texts)) for (const text of possible(value)) for (const piece of pieces(text)) found.add(piece);
  for (const text of args.flatMap((word) => possible(word))) {
    if (/^-[^-]/.test(text)) for (const tail of tails(text, texts)) found.add(tail);
    else if (text.startsWith('@')) found.add(text.slice(1));
  }
  return [...found];
}

function pieces(text: string): string[] {
  const marks = [text.indexOf('='), text.indexOf(':'), text.lastIndexOf(':'), text.startsWith('@') ? 0 : -1];
  return [text, ...marks.filter((at) => at >= 0).map((at) => text.slice(at + 1))].filter((piece) => piece !== '');
}

const MOST_TAILS = 12;

/** `-ac.env`: what is glued to each letter, up to the first whose value is a text. */
function tails(text: string, texts: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let at = 1; at < text.length - 1 && at <= MOST_TAILS; at++) {
    if (texts.has(`-${text.charAt(at)}`)) break;
    found.push(...pieces(text.slice(at + 1)));
  }
  return found;
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
  const texts = optionSet(reader.texts);
  const found: ShellWord[] = [];
  for (const option of options) {
    if (!option.value) continue;
    const text = only(option.value);
    // Choosing files by name chooses secrets by name.
    if (/^(--include|-g|--glob|--iglob)$/.test(option.name)) found.push(...secretsOf(text));
    if (isAmong(option.name, files) || (text !== undefined && !isAmong(option.name, texts) && /^(\/|~|\.\.(\/|$))/.test(text)))
      found.push(option.value);
  }
  return found;
}

function secretsOf(pattern: string | undefined): ShellWord[] {
  if (pattern === undefined || /^!|^[*?/]+$/.test(pattern)) return [];
  const glob = compileGlob(pattern.slice(pattern.lastIndexOf('/') + 1), { ignoreCase: true });
  return SECRET_NAMES.filter((name) => glob.test(name)).map((name) => literal(name));
}
