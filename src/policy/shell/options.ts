/** Splits the arguments of a command into options and operands, the way getopt does, on words that may be uncertain. */
import type { ShellWord } from './types.js';
import { literal, only } from './types.js';

export interface Option {
  /** `-r` or `--recursive`, without a value. */
  readonly name: string;
  readonly value?: ShellWord;
}

export interface Scan {
  readonly options: readonly Option[];
  readonly operands: readonly ShellWord[];
  /** The first word that may be an option although it cannot be read; its source. */
  readonly unclear?: string;
}

export interface ScanRules {
  /** Options that take a value: `-n`, `--lines`. */
  readonly valued?: ReadonlySet<string>;
  /** Short options whose value, if any, is glued on: `-Iseconds`. */
  readonly attached?: ReadonlySet<string>;
  /** Everything after the first operand is an operand (wrappers, git). */
  readonly stop?: boolean;
  /** Options are whole words after one dash (`find -name`, `java -version`). */
  readonly singleDash?: boolean;
  /** A `+x` is an option too. */
  readonly plus?: boolean;
}

/** A list such as `-o --output` as a set. */
export function optionSet(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split(' ').filter((name) => name !== ''));
}

export function scanOptions(args: readonly ShellWord[], rules: ScanRules = {}): Scan {
  const options: Option[] = [];
  const operands: ShellWord[] = [];
  let unclear: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as ShellWord;
    if (rules.stop && operands.length > 0) {
      operands.push(word);
      continue;
    }
    const value = only(word);
    if (value === undefined) {
      if (mayBeOption(word)) unclear ??= word.source;
      operands.push(word);
    } else if (value === '--') {
      for (const rest of args.slice(i + 1)) operands.push(rest);
      break;
    } else if (isOption(value, rules)) {
      if (readOption(value, args[i + 1], rules, options)) i++;
    } else {
      operands.push(word);
    }
  }
  return { options, operands, unclear };
}

function isOption(value: string, rules: ScanRules): boolean {
  return (value.startsWith('-') && value.length > 1) || (rules.plus === true && value.startsWith('+') && value.length > 1);
}

/** Could the shell make an option of this word? */
export function mayBeOption(word: ShellWord): boolean {
  if (word.unknown) return word.splits || word.prefix === '' || word.prefix.startsWith('-');
  const starts = [...word.values, ...word.patterns];
  return starts.some((text) => text.startsWith('-') || /^[*?[]/.test(text));
}

/** True when the next word was taken as the value. */
function readOption(text: string, next: ShellWord | undefined, rules: ScanRules, options: Option[]): boolean {
  const valued = rules.valued;
  if (text.startsWith('--') || rules.singleDash) {
    const equals = text.indexOf('=');
    if (equals > 0) {
      options.push({ name: text.slice(0, equals), value: literal(text.slice(equals + 1)) });
      return false;
    }
    const takes = valued?.has(text) === true && next !== undefined;
    options.push(takes ? { name: text, value: next } : { name: text });
    return takes;
  }
  for (let at = 1; at < text.length; at++) {
    const name = `${text.charAt(0)}${text.charAt(at)}`;
    const rest = text.slice(at + 1);
    if (rest !== '' && rules.attached?.has(name)) {
      options.push({ name, value: literal(rest) });
      return false;
    }
    if (!valued?.has(name)) {
      options.push({ name });
      continue;
    }
    if (rest !== '') options.push({ name, value: literal(rest) });
    else options.push(next ? { name, value: next } : { name });
    return rest === '' && next !== undefined;
  }
  return false;
}

/** Is `name` one of `listed`, or an abbreviation of a long one? */
export function isAmong(name: string, listed: ReadonlySet<string>): boolean {
  if (listed.has(name)) return true;
  if (!name.startsWith('--') || name.length < 3) return false;
  for (const candidate of listed) if (candidate.startsWith(name)) return true;
  return false;
}
