/** CLI-style words -> an object of arguments. A flag that takes a value takes the next word, whatever it looks like. */
import { recoverJson } from '../base/json-recover.js';
import { pointerOf } from '../base/json-strict.js';
import { setKey } from '../base/json-types.js';
import type { Json, JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { isObject } from './args-text.js';
import { CallFault } from './call-fault.js';
import { flagText, isClosed, listField, ownerOf, resolveField, typesOf, unknownField } from './field-names.js';

interface Loose {
  readonly word: string;
  /** The switch this word follows, when it is `true` or `false`. */
  readonly after?: string;
}

/** The object the words stand for; types are settled later. `line` is the text they came from, if it is known. Throws CallFault. */
export function wordArgs(tool: Tool, words: readonly string[], line?: string): JsonObject {
  const command = wholeCommand(tool, words, line) ?? commandBehind(tool, words, line);
  if (command) return command;
  const args: JsonObject = {};
  const loose = takeFlags(tool, words, args);
  takeLoose(tool, loose, args);
  return args;
}

/** The field a word means as a flag, with the value behind `=`; undefined when the word is no flag. */
function flagOf(
  tool: Tool,
  word: string,
): { readonly field?: string; readonly name: string; readonly value?: string } | undefined {
  // Typographic dashes stand for typed ones, where a flag of that name is known.
  const match = /^(--?|[–—―−]{1,2})([\p{L}_][\p{L}\p{N}_-]*)(?:=([\s\S]*))?$/u.exec(word);
  if (!match) return undefined;
  const [, dashes = '', name = '', value] = match;
  const field = resolveField(ownerOf(tool), name, value);
  if (field !== undefined) return { field, name, value };
  if (!dashes.startsWith('-')) return undefined;
  const negated = value === undefined ? /^no-?(.+)$/i.exec(name)?.[1] : undefined;
  const off = negated === undefined ? undefined : resolveField(ownerOf(tool), negated);
  if (off !== undefined && isSwitch(tool, off)) return { field: off, name, value: 'false' };
  if (!isClosed(tool) && dashes === '--') return { field: name, name, value };
  return { name: dashes === '-' ? `-${name}` : name, value };
}

function takeFlags(tool: Tool, words: readonly string[], args: JsonObject): Loose[] {
  const loose: Loose[] = [];
  let onlyLoose = false;
  let lastSwitch: string | undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const flag = onlyLoose ? undefined : flagOf(tool, word);
    if (word === '--' && !onlyLoose) {
      onlyLoose = true;
    } else if (!flag && !onlyLoose && /^-\d+$/.test(word)) {
      throw new CallFault(unknownField(ownerOf(tool), word, 'flag'), { pointer: `/${word.slice(1)}` });
    } else if (!flag) {
      loose.push({ word, ...(lastSwitch !== undefined && /^(true|false)$/i.test(word) ? { after: lastSwitch } : {}) });
    } else if (flag.field === undefined) {
      const hint = takesCommand(tool) ? `; a command with spaces stands in quotes: --${tool.mainField} "…"` : '';
      throw new CallFault(unknownField(ownerOf(tool), flag.name, 'flag') + hint, { pointer: `/${flag.name.replace(/^-/, '')}` });
    }
    lastSwitch = undefined;
    if (!flag || flag.field === undefined) continue;
    const { field, value } = flag;
    if (value !== undefined) {
      addValue(tool, args, field, value);
    } else if (isSwitch(tool, field)) {
      addValue(tool, args, field, true);
      lastSwitch = field;
    } else {
      const next = words[++index];
      if (next === undefined) throw new CallFault(`the flag --${flag.name} has no value`, { pointer: `/${field}` });
      addValue(tool, args, field, next);
    }
  }
  return loose;
}

function isSwitch(tool: Tool, field: string): boolean {
  const types = typesOf(Object.hasOwn(tool.schema.properties, field) ? tool.schema.properties[field] : undefined);
  return types.length === 1 && types[0] === 'boolean';
}

/** A flag that may hold a list may be repeated; any other is given once. */
function addValue(tool: Tool, args: JsonObject, field: string, value: Json): void {
  const before = Object.hasOwn(args, field) ? args[field] : undefined;
  if (before === undefined) {
    setKey(args, field, value);
    return;
  }
  if (!typesOf(tool.schema.properties[field]).includes('array')) throw new CallFault('given twice', { pointer: `/${field}` });
  setKey(args, field, [...(Array.isArray(before) ? before : [before]), value]);
}

/** Words without a flag fill the positional fields in order; the last one may take the rest if it is a list. */
function takeLoose(tool: Tool, given: readonly Loose[], args: JsonObject): void {
  const loose = [...given];
  const free = tool.positional.filter((field) => !Object.hasOwn(args, field));
  const required = free.filter((field) => tool.schema.required?.includes(field)).length;
  // `--staged true`: the word belongs to the switch unless a required field waits for it.
  for (let index = loose.length - 1; index >= 0 && loose.length > required; index--) {
    const after = loose[index]?.after;
    if (after === undefined) continue;
    setKey(args, after, loose[index]?.word.toLowerCase() === 'true');
    loose.splice(index, 1);
  }
  const object =
    loose.length === 1 ? (asObject(tool, loose[0]?.word ?? '') ?? asList(tool, loose[0]?.word ?? '', args)) : undefined;
  if (object) {
    for (const [key, value] of Object.entries(object)) setKey(args, key, value);
    return;
  }
  const last = free.at(-1);
  const takesRest = last !== undefined && typesOf(tool.schema.properties[last]).includes('array');
  for (const [index, { word }] of loose.entries()) {
    const field = index < free.length ? free[index] : takesRest ? last : undefined;
    if (field === undefined)
      throw new CallFault(`one word too many: ${JSON.stringify(word)}; ${positionalHelp(tool)}${quotesHelp(given)}`);
    addValue(tool, args, field, word);
  }
}

function positionalHelp(tool: Tool): string {
  const flags = Object.entries(tool.schema.properties).map(([name, property]) => flagText(name, property));
  const words =
    tool.positional.length > 0 ? `without flags it takes ${tool.positional.join(', ')}` : 'it takes no words without flags';
  return `${words}; flags: ${flags.join(', ') || 'none'}; a value with spaces stands in quotes`;
}

/** Typographic quotes are text like any other, so they hold nothing together. */
function quotesHelp(given: readonly Loose[]): string {
  return given.some(({ word }) => /[“”‘’«»]/.test(word)) ? ' of the straight kind, " or \'' : '';
}

/** A single word that is the one list the tool is about, as JSON: `multipatch '[{…}]'`. */
function asList(tool: Tool, word: string, args: JsonObject): JsonObject | undefined {
  const field = listField(tool);
  if (field === undefined || Object.hasOwn(args, field) || !word.trimStart().startsWith('[')) return undefined;
  return { [field]: word };
}

/** A single word that is a JSON object of this tool's own fields: `read '{"file":"a.txt"}'`. Throws CallFault where none is its own. */
function asObject(tool: Tool, word: string): JsonObject | undefined {
  if (!word.trimStart().startsWith('{')) return undefined;
  const read = recoverJson(word, 'word');
  if (!read.ok) {
    if (read.kind === 'cut' || read.kind === 'duplicate') throw new CallFault(read.message, { pointer: read.pointer });
    return undefined;
  }
  if (!isObject(read.value)) return undefined;
  const object = read.value;
  const [first] = Object.keys(object);
  const isOwn = Object.keys(object).some((key) => resolveField(ownerOf(tool), key) !== undefined);
  if (isOwn || first === undefined) return object;
  // Keys in quotes are fields that are meant, not a name or a command.
  if (!isClosed(tool) || !/^\s*\{\s*["']/.test(word)) return undefined;
  const text = tool.mainField ?? tool.positional[0];
  const hint = text === undefined ? '' : `; a text in JSON is given as --${text}`;
  throw new CallFault(unknownField(ownerOf(tool), first, 'field') + hint, { pointer: pointerOf([first]) });
}

/** `exec -- ls -la`: all behind the dashes is the command. */
function commandBehind(tool: Tool, words: readonly string[], line: string | undefined): JsonObject | undefined {
  const field = tool.mainField;
  if (field === undefined || !takesCommand(tool) || words[0] !== '--' || words.length < 3) return undefined;
  if (line !== undefined) return { [field]: line.trim().replace(/^--\s+/, '') };
  return { [field]: joinedCommand(field, words.slice(1)) };
}

/** `exec npm test`: several words without flags for the one field that is a command line. */
function wholeCommand(tool: Tool, words: readonly string[], line: string | undefined): JsonObject | undefined {
  const field = tool.mainField;
  if (field === undefined || !takesCommand(tool) || words.length < 2) return undefined;
  const first = flagOf(tool, words[0] ?? '');
  if (first || words[0] === '--') return undefined;
  const ownFlag = words.find((word) => flagOf(tool, word)?.field !== undefined);
  if (ownFlag !== undefined) {
    throw new CallFault(
      `unclear whether ${ownFlag} belongs to the command; write --${field} "the command" with its other flags`,
      { pointer: `/${field}` },
    );
  }
  if (line !== undefined) return { [field]: line.trim() };
  return { [field]: joinedCommand(field, words) };
}

/** Words without anything a shell reads in its own way, as one line. Throws CallFault for others. */
function joinedCommand(field: string, words: readonly string[]): string {
  const unsafe = words.find((word) => !/^[\p{L}\p{N}_@%+=:,./~^-]+$/u.test(word));
  if (unsafe === undefined) return words.join(' ');
  throw new CallFault(`the command must be one word: quote it, --${field} "…"`, { pointer: `/${field}` });
}

/** Whether the tool's main field is a shell command line. */
export function takesCommand(tool: Pick<Tool, 'mainField'>): boolean {
  return tool.mainField === 'cmd' || tool.mainField === 'command';
}

/** Whether a text holds a flag of this tool, so that it is a line of words and not one value. */
export function hasFlag(tool: Tool, words: readonly string[]): boolean {
  return words.some((word) =>
    word.startsWith('--') ? word !== '--' && flagOf(tool, word) !== undefined : flagOf(tool, word)?.field !== undefined,
  );
}
