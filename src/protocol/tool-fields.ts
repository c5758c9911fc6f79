/** The fields of one tool, flat or wrapped, as words or as objects -> one object. Names and types are settled later. */
import { pointerOf } from '../base/json-strict.js';
import { setKey } from '../base/json-types.js';
import { stableJson } from '../base/stable-json.js';
import { splitWords } from '../base/words-split.js';
import type { Json, JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { isObject, onlyOf, readArgsText } from './args-text.js';
import { CallFault } from './call-fault.js';
import { isClosed, listField, ownerOf, resolveField } from './field-names.js';
import { isNameOf } from './find-tool.js';
import { textArgs } from './text-args.js';
import { wordArgs } from './word-args.js';

/** Keys that name a subcommand. */
export const CMD_KEYS = ['cmd', 'command', 'subcommand', 'action', 'tool', 'name'];
/** Wrappings of fields. A field that stands in several of them, or flat beside one, must have one value. */
export const ARGS_KEYS = ['parameters', 'params', 'arguments', 'input', 'args', 'flags'];
/** Keys of lists of words. */
export const LIST_KEYS = ['positional', '_', 'argv'];

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
    const listed = LIST_KEYS.includes(key) && !isOwn(key) ? listWords(value, key) : undefined;
    if (listed) words.push(...listed);
    else setKey(given, key, value);
  }
  for (const key of ARGS_KEYS)
    if (wrappings.includes(key)) given = joined(tool, given, layerOf(tool, key, object[key] ?? null, notes));
  return { given: words.length > 0 ? mergeGiven(tool, given, wordArgs(tool, ownNameOff(tool, words))) : given, notes };
}

function layerOf(tool: Tool, key: string, value: Json, notes: string[]): JsonObject {
  if (value === null) return {};
  if (isObject(value)) return wrapsAgain(tool, value) ? fieldsOf(tool, value).given : withWords(tool, value);
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    const field = listField(tool);
    return field === undefined ? onlyOf(value) : { [field]: value };
  }
  if (Array.isArray(value)) return wordArgs(tool, ownNameOff(tool, wordList(value, key)));
  if (typeof value !== 'string') throw new CallFault('expected an object with the fields of the tool', { pointer: `/${key}` });
  const read = inside(key, () => readArgsText(value, 'closed'));
  if (read.kind === 'object') {
    if (read.repairs.length > 0) notes.push(`"${key}" was repaired: ${read.repairs.join(', ')}`);
    return withWords(tool, read.object);
  }
  if (read.kind === 'list') {
    if (read.repairs.length > 0) notes.push(`"${key}" was repaired: ${read.repairs.join(', ')}`);
    const field = listField(tool);
    return field === undefined ? onlyOf(read.list) : { [field]: [...read.list] };
  }
  return inside(key, () => (read.kind === 'words' ? wordArgs(tool, ownNameOff(tool, read.words)) : textArgs(tool, read.text)));
}

/** `{"cmd":"kill","args":{"id":"j1"}}` as the arguments of a tool that has a `cmd` of its own. */
function wrapsAgain(tool: Tool, object: JsonObject): boolean {
  return Object.keys(object).some(
    (key) => ARGS_KEYS.includes(key) && isObject(object[key]) && resolveField(ownerOf(tool), key, object[key]) === undefined,
  );
}

/** Words among the fields of a wrapping: `{"_":["a.txt"],"start":3}`. */
function withWords(tool: Tool, object: JsonObject): JsonObject {
  const isOwn = (key: string) => resolveField(ownerOf(tool), key, object[key]) !== undefined;
  const key = LIST_KEYS.find((name) => object[name] !== undefined && !isOwn(name));
  const words = key === undefined ? undefined : listWords(object[key] ?? null, key);
  if (key === undefined || words === undefined) return object;
  const rest: JsonObject = {};
  for (const [name, value] of Object.entries(object)) if (name !== key) setKey(rest, name, value);
  return mergeGiven(tool, rest, wordArgs(tool, ownNameOff(tool, words)));
}

/** The words of a list, or the one word a text is. */
function listWords(value: Json, key: string): string[] | undefined {
  if (Array.isArray(value)) return wordList(value, key);
  if (typeof value !== 'string') return undefined;
  return key === 'argv' ? wordsOf(value, `/${key}`) : [value];
}

/** Faults of a text inside a field name that field. */
export function inside<T>(key: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    throw new CallFault(error.message, { pointer: `/${key}${error.pointer}`, code: error.code });
  }
}

/** Fields of two layers as one object. Throws CallFault when a field has another value in each. */
function joined(tool: Tool, outer: JsonObject, inner: JsonObject): JsonObject {
  const owner = ownerOf(tool);
  const fieldOf = (key: string, value: Json) => resolveField(owner, key, value) ?? key;
  const taken = new Map<string, Json>();
  for (const [key, value] of Object.entries(inner)) if (value !== null) taken.set(fieldOf(key, value), value);
  const merged: JsonObject = {};
  for (const [key, value] of Object.entries(outer)) {
    const field = fieldOf(key, value);
    const other = taken.get(field);
    if (other === undefined) setKey(merged, key, value);
    else if (value !== null && !sameValue(value, other))
      throw new CallFault(`given twice, as ${JSON.stringify(key)} outside and again inside, with different values`, {
        pointer: pointerOf([field]),
      });
  }
  for (const [key, value] of Object.entries(inner)) if (value !== null || !Object.hasOwn(merged, key)) setKey(merged, key, value);
  return merged;
}

/** Equal, also when one is the other as text: `3` and `"3"`. */
function sameValue(a: Json, b: Json): boolean {
  const text = (value: Json) => (typeof value === 'string' ? value : stableJson(value));
  return text(a) === text(b);
}

/** Fields from two places; the same field in both is one given twice. */
export function mergeGiven(tool: Tool, a: JsonObject, b: JsonObject): JsonObject {
  const owner = ownerOf(tool);
  const taken = new Set(
    Object.entries(a).flatMap(([key, value]) => (value === null ? [] : [resolveField(owner, key, value) ?? key])),
  );
  for (const [key, value] of Object.entries(b)) {
    const field = resolveField(owner, key, value) ?? key;
    if (taken.has(field)) throw new CallFault('given twice, among the words and as a field', { pointer: pointerOf([field]) });
  }
  return joined(tool, a, b);
}

/** Words for a tool that begin with its own name. */
export function ownNameOff(tool: Tool, words: readonly string[]): readonly string[] {
  return words.length > 1 && isNameOf(tool, words[0] ?? '') ? words.slice(1) : words;
}

/** A list as words. Throws CallFault. */
export function wordList(value: readonly Json[], key: string): string[] {
  return value.map((item, index) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'number' || typeof item === 'boolean') return String(item);
    throw new CallFault('expected a list of words', { pointer: pointerOf([key, index]) });
  });
}

/** A line as words. Throws CallFault. */
export function wordsOf(line: string, pointer = ''): string[] {
  const split = splitWords(line);
  if (!split.ok) throw new CallFault(split.message, { pointer });
  return split.words.map((word) => word.text);
}
