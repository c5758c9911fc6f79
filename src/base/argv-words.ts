/** Named fields -> the words of a command line. Words are never joined and split again. */
import type { Json, JsonObject } from './json-types.js';
import { splitWords } from './words-split.js';

/** Fields that cannot be words; the message says why. */
export class ArgvFault extends Error {}

/** A key that can stand behind two dashes. */
const FLAG = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/**
 * `argv` as it is, when it is all there is; else `cmd` first, every other field as `--name value`, and the words of `args` last. `true` is the flag
 * alone, `false` is `--name=false`, a list of plain values repeats its flag, anything deeper is JSON. Throws ArgvFault.
 */
export function argvOf(args: JsonObject): string[] {
  const words = Array.isArray(args['argv']) && Object.keys(args).length === 1 ? args['argv'].map(plain) : fromFields(args);
  const bad = words.find((word) => word.includes('\0'));
  if (bad !== undefined) throw new ArgvFault('an argument holds a NUL character, which no program can be given');
  return words;
}

function fromFields(args: JsonObject): string[] {
  const first: string[] = [];
  const flags: string[] = [];
  const last: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (name === 'cmd' && typeof value === 'string') first.push(...split(value));
    else if (name !== 'args') flags.push(...flagsFor(name, value));
    else if (typeof value === 'string') last.push(...split(value));
    else if (Array.isArray(value)) last.push(...value.map(plain));
    else if (isObject(value)) for (const [key, inner] of Object.entries(value)) flags.push(...flagsFor(key, inner));
    else if (value !== null) last.push(plain(value));
  }
  return [...first, ...flags, ...last];
}

/** One field as flags. Throws ArgvFault for a name that would be read as something else. */
export function flagsFor(name: string, value: Json | undefined): string[] {
  if (!FLAG.test(name)) throw new ArgvFault(`${JSON.stringify(name)} cannot be the name of a flag`);
  const flag = `--${name}`;
  if (value === null || value === undefined) return [];
  if (value === true) return [flag];
  if (value === false) return [`${flag}=false`];
  if (Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object'))
    return value.flatMap((one) => [flag, plain(one)]);
  return [flag, plain(value)];
}

/** A line by the rules of the protocol. Throws ArgvFault for an open quote. */
function split(line: string): string[] {
  const read = splitWords(line);
  if (!read.ok) throw new ArgvFault(`the line cannot be split into words: ${read.message}`);
  return read.words.map(({ text }) => text);
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
