/** The shapes around arguments (`{cmd,args}`, flat keys, `flags`, `argv`, positional lists) -> the tool and one object of its fields. */
import { pointerOf } from '../base/json-strict.js';
import { setKey } from '../base/json-types.js';
import { nearestNames } from '../base/nearest.js';
import { splitWords } from '../base/words-split.js';
import type { Json, JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { isObject, readArgsText } from './args-text.js';
import { CallFault } from './call-fault.js';
import { isClosed, ownerOf, resolveField } from './field-names.js';
import { findSubcommand, isNameOf, shortName } from './find-tool.js';
import { textArgs } from './text-args.js';
import { wordArgs } from './word-args.js';

export interface Target {
  readonly tool: Tool;
  /** Fields as given; names and types are settled later. */
  readonly given: JsonObject;
  readonly notes: readonly string[];
}

/** The tool a call names, for messages, once it is known. */
export interface Seen {
  tool?: Tool;
}

const CMD_KEYS = ['cmd', 'command', 'subcommand', 'action', 'tool', 'name'];
/** Later ones win over earlier ones, and all win over flat keys. */
const ARGS_KEYS = ['parameters', 'params', 'arguments', 'input', 'args', 'flags'];
const LIST_KEYS = ['positional', '_', 'argv'];

/** What `@coder` is called with. Throws CallFault. */
export function fromEnvelope(tools: readonly Tool[], object: JsonObject, seen: Seen): Target {
  if (Array.isArray(object['argv']) && !CMD_KEYS.some((name) => typeof object[name] === 'string'))
    return fromArgv(tools, object, object['argv'], seen);
  const key = CMD_KEYS.find(
    (name) =>
      typeof object[name] === 'string' && (!['tool', 'name'].includes(name) || findSubcommand(tools, String(object[name]))),
  );
  if (key === undefined) {
    const inner = soleWrapping(object);
    if (isObject(inner) && CMD_KEYS.some((name) => typeof inner[name] === 'string')) return fromEnvelope(tools, inner, seen);
    throw new CallFault(
      `names no subcommand; use {"cmd":"read","args":{"file":"main.go"}} with one of: ${subcommands(tools).join(', ')}`,
      { pointer: '/cmd' },
    );
  }
  const line = String(object[key]);
  const { tool, given: fromWords } = fromLine(tools, wordsOf(line, `/${key}`), line, seen);
  const rest: JsonObject = {};
  for (const [name, value] of Object.entries(object)) if (name !== key) setKey(rest, name, value);
  const parts = fieldsOf(tool, rest);
  return { tool, given: mergeGiven(tool, parts.given, fromWords), notes: parts.notes };
}

function fromArgv(tools: readonly Tool[], object: JsonObject, argv: readonly Json[], seen: Seen): Target {
  const extra = Object.keys(object).find((key) => key !== 'argv');
  if (extra !== undefined)
    throw new CallFault('stands beside "argv"; send all of it as words in "argv"', { pointer: pointerOf([extra]) });
  return fromLine(tools, wordList(argv, 'argv'), undefined, seen);
}

/** `read --file x`: the first word is the subcommand. `line` is the text the words came from. Throws CallFault. */
export function fromLine(tools: readonly Tool[], words: readonly string[], line: string | undefined, seen: Seen): Target {
  const skip = /^@?coder$/i.test(words[0] ?? '') ? 1 : 0;
  const name = words[skip];
  if (name === undefined || name.trim() === '')
    throw new CallFault(`names no subcommand; use one of: ${subcommands(tools).join(', ')}`, { pointer: '/cmd' });
  const tool = findSubcommand(tools, name.replace(/^@?coder[:./]/i, ''));
  if (!tool) throw unknownSubcommand(tools, name, words.length - skip > 1 ? line : undefined);
  seen.tool = tool;
  const rest = words.slice(skip + 1);
  return {
    tool,
    given: rest.length > 0 ? wordArgs(tool, rest, line === undefined ? undefined : restOfLine(line, skip + 1)) : {},
    notes: [],
  };
}

/** What a tool is called with directly: its own fields, or the same wrapped once more. Throws CallFault. */
export function fieldsOf(tool: Tool, object: JsonObject): { readonly given: JsonObject; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const isOwn = (key: string) => resolveField(ownerOf(tool), key, object[key]) !== undefined;
  const keys = Object.keys(object);
  const wrappings = keys.filter((key) => ARGS_KEYS.includes(key) && !isOwn(key) && (isClosed(tool) || keys.length === 1));
  // `{"cmd":"exec","args":{"cmd":"ls"}}` sent to exec itself: `cmd` is the tool's name, not its command.
  const ownName = CMD_KEYS.find(
    (key) => typeof object[key] === 'string' && (wrappings.length > 0 || !isOwn(key)) && isNameOf(tool, String(object[key])),
  );
  let given: JsonObject = {};
  const words: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (key === ownName || wrappings.includes(key)) continue;
    if (LIST_KEYS.includes(key) && Array.isArray(value) && !isOwn(key)) words.push(...wordList(value, key));
    else setKey(given, key, value);
  }
  for (const key of ARGS_KEYS)
    if (wrappings.includes(key)) given = override(tool, given, layerOf(tool, key, object[key] ?? null, notes));
  return { given: words.length > 0 ? mergeGiven(tool, given, wordArgs(tool, ownNameOff(tool, words))) : given, notes };
}

function layerOf(tool: Tool, key: string, value: Json, notes: string[]): JsonObject {
  if (value === null) return {};
  if (isObject(value)) return value;
  if (Array.isArray(value)) return wordArgs(tool, ownNameOff(tool, wordList(value, key)));
  if (typeof value !== 'string') throw new CallFault('expected an object with the fields of the tool', { pointer: `/${key}` });
  const read = inside(key, () => readArgsText(value, 'closed'));
  if (read.kind === 'object') {
    if (read.repairs.length > 0) notes.push(`"${key}" was repaired: ${read.repairs.join(', ')}`);
    return read.object;
  }
  return inside(key, () => (read.kind === 'words' ? wordArgs(tool, ownNameOff(tool, read.words)) : textArgs(tool, read.text)));
}

/** Faults of a text inside a field name that field. */
function inside<T>(key: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    throw new CallFault(error.message, { pointer: `/${key}${error.pointer}`, code: error.code });
  }
}

function override(tool: Tool, below: JsonObject, above: JsonObject): JsonObject {
  const owner = ownerOf(tool);
  const taken = new Set(
    Object.entries(above).flatMap(([key, value]) => (value === null ? [] : [resolveField(owner, key, value) ?? key])),
  );
  const merged: JsonObject = {};
  for (const [key, value] of Object.entries(below))
    if (!taken.has(resolveField(owner, key, value) ?? key)) setKey(merged, key, value);
  for (const [key, value] of Object.entries(above)) setKey(merged, key, value);
  return merged;
}

/** Fields from two places; the same field in both is one given twice. */
function mergeGiven(tool: Tool, a: JsonObject, b: JsonObject): JsonObject {
  const owner = ownerOf(tool);
  const taken = new Set(
    Object.entries(a).flatMap(([key, value]) => (value === null ? [] : [resolveField(owner, key, value) ?? key])),
  );
  for (const [key, value] of Object.entries(b)) {
    const field = resolveField(owner, key, value) ?? key;
    if (taken.has(field)) throw new CallFault('given twice, among the words and as a field', { pointer: pointerOf([field]) });
  }
  return override(tool, a, b);
}

/** The value of an object's only key, when that key is a wrapping. */
function soleWrapping(object: JsonObject): Json | undefined {
  const keys = Object.keys(object);
  const key = keys[0];
  if (keys.length !== 1 || key === undefined || !ARGS_KEYS.includes(key)) return undefined;
  const value = object[key];
  if (typeof value !== 'string') return value;
  const read = inside(key, () => readArgsText(value, 'closed'));
  return read.kind === 'object' ? read.object : undefined;
}

/** Words for a tool that begin with its own name. */
export function ownNameOff(tool: Tool, words: readonly string[]): readonly string[] {
  return words.length > 1 && isNameOf(tool, words[0] ?? '') ? words.slice(1) : words;
}

function wordList(value: readonly Json[], key: string): string[] {
  return value.map((item, index) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'number' || typeof item === 'boolean') return String(item);
    throw new CallFault('expected a list of words', { pointer: pointerOf([key, index]) });
  });
}

export function wordsOf(line: string, pointer = ''): string[] {
  const split = splitWords(line);
  if (!split.ok) throw new CallFault(split.message, { pointer });
  return split.words.map((word) => word.text);
}

function restOfLine(line: string, words: number): string | undefined {
  const split = splitWords(line);
  const first = split.ok ? split.words[words] : undefined;
  return first ? line.slice(first.start) : undefined;
}

function unknownSubcommand(tools: readonly Tool[], name: string, line: string | undefined): CallFault {
  const known = subcommands(tools);
  const near = nearestNames(name, known);
  const guess = near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : '';
  const shell =
    line && known.includes('exec') && near.length === 0
      ? `; to run a shell command send {"cmd":"exec","args":{"cmd":${JSON.stringify(line)}}}`
      : '';
  return new CallFault(`unknown subcommand ${JSON.stringify(name)}${guess}; known: ${known.join(', ')}${shell}`, {
    pointer: '/cmd',
  });
}

function subcommands(tools: readonly Tool[]): string[] {
  return tools.filter((tool) => tool.name.startsWith('@coder ')).map(shortName);
}
