/** The shapes around arguments (`{cmd,args}`, flat keys, `flags`, `argv`, positional lists) -> the tool and one object of its fields. */
import { pointerOf } from '../base/json-strict.js';
import { setKey } from '../base/json-types.js';
import { nearestNames } from '../base/nearest.js';
import { splitWords } from '../base/words-split.js';
import type { Json, JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { isObject, readArgsText } from './args-text.js';
import { CallFault } from './call-fault.js';
import { findSubcommand, foldName, isLater, shortName } from './find-tool.js';
import { foreignCall, foreignTool, isForeignName } from './foreign-tools.js';
import { ARGS_KEYS, CMD_KEYS, fieldsOf, inside, LIST_KEYS, mergeGiven, wordList, wordsOf } from './tool-fields.js';
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
  /** A bracket was added where the call may have been cut off. */
  assumed?: boolean;
}

/** What `@coder` is called with. Throws CallFault. */
export function fromEnvelope(tools: readonly Tool[], given: JsonObject, seen: Seen, depth = 0): Target {
  const object = plainKeys(given);
  const key = CMD_KEYS.find(
    (name) =>
      typeof object[name] === 'string' &&
      (!['tool', 'name'].includes(name) || isSubcommand(tools, String(object[name])) || isForeignName(String(object[name]))),
  );
  if (key === undefined) return withoutCommand(tools, object, seen, depth);
  const line = String(object[key]);
  const rest: JsonObject = {};
  for (const [name, value] of Object.entries(object)) if (name !== key) setKey(rest, name, value);
  if (/^@?coder$/i.test(line.trim()) && depth < MOST_ENVELOPES)
    return fromEnvelope(tools, innerOf(rest) ?? rest, seen, depth + 1);
  const foreign = foreignTarget(tools, line.trim(), foreignFields(rest), seen);
  if (foreign) return foreign;
  const { tool, given: fromWords } = fromLine(tools, wordsOf(line, `/${key}`), line, seen);
  const parts = fieldsOf(tool, rest);
  return { tool, given: mergeGiven(tool, parts.given, fromWords), notes: parts.notes };
}

const MOST_ENVELOPES = 3;

/** Without a `cmd`: words, one more wrapping, or the subcommand as the only key. */
function withoutCommand(tools: readonly Tool[], object: JsonObject, seen: Seen, depth: number): Target {
  const keys = Object.keys(object);
  for (const name of ['argv', 'cmd', 'args']) {
    const value = object[name];
    if (Array.isArray(value) && value.length > 0) return fromArgv(tools, object, name, value, seen);
  }
  const only = keys.length === 1 ? keys[0] : undefined;
  const value = only === undefined ? undefined : object[only];
  if (only !== undefined && depth < MOST_ENVELOPES) {
    if (typeof value === 'string' && (only === 'argv' || ARGS_KEYS.includes(only))) {
      const read = inside(only, () => readArgsText(value, 'closed'));
      if (read.kind === 'object') return fromEnvelope(tools, read.object, seen, depth + 1);
      if (read.kind !== 'list')
        return inside(only, () =>
          read.kind === 'words'
            ? fromLine(tools, read.words, undefined, seen)
            : fromLine(tools, wordsOf(read.text), read.text, seen),
        );
    }
    if (isObject(value)) {
      if (ARGS_KEYS.includes(only)) return fromEnvelope(tools, value, seen, depth + 1);
      if (isSubcommand(tools, only)) return fromEnvelope(tools, { cmd: only, args: value }, seen, depth + 1);
    }
  }
  throw new CallFault(
    `names no subcommand; use {"cmd":"read","args":{"file":"main.go"}} with one of: ${subcommands(tools).join(', ')}`,
    { pointer: '/cmd' },
  );
}

/** Keys of the envelope in any case (`CMD`, `Args`) as it writes them, unless both stand there. */
function plainKeys(object: JsonObject): JsonObject {
  const plain: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const name = foldName(key);
    const isEnvelope = name !== key && (CMD_KEYS.includes(name) || ARGS_KEYS.includes(name) || LIST_KEYS.includes(name));
    setKey(plain, isEnvelope && !Object.hasOwn(object, name) ? name : key, value);
  }
  return plain;
}

/** The object of the only wrapping there is. */
function innerOf(object: JsonObject): JsonObject | undefined {
  const keys = Object.keys(object);
  const value = keys.length === 1 && ARGS_KEYS.includes(keys[0] ?? '') ? object[keys[0] ?? ''] : undefined;
  return isObject(value) ? value : undefined;
}

function isSubcommand(tools: readonly Tool[], name: string): boolean {
  return findSubcommand(tools, name) !== undefined;
}

/** A call spelled for another agent's tool; undefined when it is none, or when the tool it means is not there. */
export function foreignTarget(
  tools: readonly Tool[],
  name: string,
  object: JsonObject | undefined,
  seen: Seen,
): Target | undefined {
  const call = object && isForeignName(name) ? foreignCall(name, object) : undefined;
  const tool = call && foreignTool(tools, call);
  if (!call || !tool) return undefined;
  seen.tool = tool;
  return { tool, given: call.given, notes: call.notes };
}

/** The fields beside a command when they are one plain object, flat or in one wrapping. */
function foreignFields(rest: JsonObject): JsonObject | undefined {
  const wrapped = Object.keys(rest).filter((key) => ARGS_KEYS.includes(key));
  return wrapped.length === 0 ? rest : innerOf(rest);
}

function fromArgv(tools: readonly Tool[], object: JsonObject, name: string, argv: readonly Json[], seen: Seen): Target {
  const words = wordList(argv, name);
  const rest: JsonObject = {};
  for (const [key, value] of Object.entries(object)) if (key !== name) setKey(rest, key, value);
  if (name === 'cmd' && Object.keys(rest).length > 0) {
    const { tool, given } = fromLine(tools, words, undefined, seen);
    const parts = fieldsOf(tool, rest);
    return { tool, given: mergeGiven(tool, parts.given, given), notes: parts.notes };
  }
  const extra = Object.keys(rest)[0];
  if (extra !== undefined)
    throw new CallFault(`stands beside "${name}"; send all of it as words in "${name}"`, { pointer: pointerOf([extra]) });
  return fromLine(tools, words, undefined, seen);
}

/** `read --file x`: the first word is the subcommand. `line` is the text the words came from. Throws CallFault. */
export function fromLine(tools: readonly Tool[], words: readonly string[], line: string | undefined, seen: Seen): Target {
  const skip = /^@?coder$/i.test(words[0] ?? '') ? 1 : 0;
  const name = words[skip];
  if (name === undefined || name.trim() === '')
    throw new CallFault(`names no subcommand; use one of: ${subcommands(tools).join(', ')}`, { pointer: '/cmd' });
  // `git log` is git-log: no subcommand is called git.
  const second = words[skip + 1];
  const git = /^git$/i.test(name) && second !== undefined ? findSubcommand(tools, `git-${second}`) : undefined;
  const tool = git ?? findSubcommand(tools, name.replace(/^@?coder[:./]/i, ''));
  if (!tool) throw unknownSubcommand(tools, name, words.length - skip > 1 ? line : undefined);
  seen.tool = tool;
  const from = skip + (git ? 2 : 1);
  const rest = words.slice(from);
  const given = () => (rest.length > 0 ? wordArgs(tool, rest, line === undefined ? undefined : restOfLine(line, from)) : {});
  return {
    tool,
    given: git || foldName(name) !== foldName(shortName(tool)) ? orCommand(tools, words.slice(skip), line, given) : given(),
    notes: [],
  };
}

/** `ls -la` is the name of a tool and a command: when its flags do not fit, the fault says how to run the command. */
function orCommand(
  tools: readonly Tool[],
  words: readonly string[],
  line: string | undefined,
  read: () => JsonObject,
): JsonObject {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    throw new CallFault(error.message + shellHint(tools, line ?? words.join(' ')), { pointer: error.pointer, code: error.code });
  }
}

function restOfLine(line: string, words: number): string | undefined {
  const split = splitWords(line);
  const first = split.ok ? split.words[words] : undefined;
  return first ? line.slice(first.start) : undefined;
}

function unknownSubcommand(tools: readonly Tool[], name: string, line: string | undefined): CallFault {
  const known = subcommands(tools);
  if (isLater(name))
    return new CallFault(`${JSON.stringify(name)} is not in this version; known: ${known.join(', ')}`, { pointer: '/cmd' });
  const near = nearestNames(name, known);
  const guess = near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : '';
  const shell = line && near.length === 0 && !/[{}]/.test(line) ? shellHint(tools, line) : '';
  return new CallFault(`unknown subcommand ${JSON.stringify(name)}${guess}; known: ${known.join(', ')}${shell}`, {
    pointer: '/cmd',
  });
}

function shellHint(tools: readonly Tool[], line: string): string {
  if (!subcommands(tools).includes('exec')) return '';
  return `; to run a shell command send {"cmd":"exec","args":{"cmd":${JSON.stringify(line.slice(0, 200))}}}`;
}

function subcommands(tools: readonly Tool[]): string[] {
  return tools.filter((tool) => tool.name.startsWith('@coder ')).map(shortName);
}
