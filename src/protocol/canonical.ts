/** One call as anyone may write it -> one canonical call, checked. Everything later sees only that. */
import type { Ending } from '../base/json-types.js';
import { oneLine } from '../base/one-line.js';
import type { JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { type ArgsText, isObject, onlyOf, readArgsText } from './args-text.js';
import { CallFault } from './call-fault.js';
import { commandWords } from './command-words.js';
import { foreignTarget, fromEnvelope, fromLine, type Seen, type Target } from './envelope.js';
import { listField } from './field-names.js';
import { canonicalFields } from './fields.js';
import {
  foldName,
  isAgentName,
  isElsewhereOnly,
  isLater,
  type Named,
  namesLike,
  plainName,
  resolveName,
  shortName,
} from './find-tool.js';
import { isForeignName } from './foreign-tools.js';
import type { CallOrigin, ParsedCall } from './parsed-call.js';
import { textArgs } from './text-args.js';
import { fieldsOf, ownNameOff, wordsOf } from './tool-fields.js';
import { validateArgs } from './validate.js';
import { wordArgs } from './word-args.js';

/** The arguments of a call as they came. */
export type GivenArgs =
  | { readonly kind: 'text'; readonly text: string; readonly ending: Ending }
  | { readonly kind: 'object'; readonly object: JsonObject }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** Finds the tool, reads the arguments, names and types the fields, validates. Faults are answers; never throws. */
export function canonicalCall(tools: readonly Tool[], name: string, given: GivenArgs, origin: CallOrigin): ParsedCall {
  const seen: Seen = {};
  try {
    const target = targetOf(tools, name, given, seen);
    return finishCall(target, origin, seen);
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    return refused(seen.tool?.name ?? name, error, origin, seen.tool);
  }
}

/** An answer in place of a call. */
export function refused(name: string, fault: CallFault, origin: CallOrigin, tool?: Tool): ParsedCall {
  const place = fault.pointer ? ` at ${fault.pointer}` : '';
  const example = tool && fault.code === 'InvalidArgs' ? `\nExample: ${exampleText(tool, origin.source)}` : '';
  return {
    ok: false,
    id: origin.id,
    name,
    raw: origin.raw,
    code: fault.code,
    message: `${name}${place}: ${fault.message}${example}`,
  };
}

/** A valid call of the tool as its caller would write it. */
export function exampleText(tool: Tool, source: CallOrigin['source']): string {
  const isSub = tool.name.startsWith('@coder ');
  if (source === 'native' && tool.inFull) return `${tool.native ?? tool.name} ${JSON.stringify(tool.example)}`;
  return isSub
    ? `@coder ${JSON.stringify({ cmd: shortName(tool), args: tool.example })}`
    : `${tool.name} ${JSON.stringify(tool.example)}`;
}

function targetOf(tools: readonly Tool[], name: string, given: GivenArgs, seen: Seen): Target {
  const named = resolveName(tools, name);
  if (named.kind === 'none' && !isForeignName(name)) throw unknownTool(tools, name);
  if (named.kind === 'tool') seen.tool = named.tool;
  const args: ArgsText =
    given.kind === 'text' ? readArgsText(given.text, given.ending) : given.kind === 'object' ? { ...given, repairs: [] } : given;
  if (args.kind === 'object' && args.assumed) seen.assumed = true;
  if (named.kind === 'call') return fromCallTool(tools, args, seen);
  const notes = 'repairs' in args && args.repairs.length > 0 ? [`the arguments were repaired: ${args.repairs.join(', ')}`] : [];
  const target = named.kind === 'coder' ? ofCoder(tools, args, seen) : ofTool(tools, named, name, args, seen);
  return { ...target, notes: [...notes, ...target.notes] };
}

function ofTool(tools: readonly Tool[], named: Named, name: string, args: ArgsText, seen: Seen): Target {
  if (named.kind === 'tool' && named.tool.words) return { tool: named.tool, given: commandWords(args), notes: [] };
  const foreign = args.kind === 'object' && !isOwnName(named, name) ? foreignTarget(tools, name, args.object, seen) : undefined;
  if (foreign) return foreign;
  if (named.kind !== 'tool') throw unknownTool(tools, name);
  const { tool } = named;
  if (args.kind === 'list') {
    const field = listField(tool);
    if (field !== undefined && !args.list.some((item) => isObject(item[field] ?? null) || Array.isArray(item[field])))
      return { tool, given: { [field]: [...args.list] }, notes: [] };
  }
  if (args.kind === 'object' || args.kind === 'list') {
    const parts = fieldsOf(tool, args.kind === 'list' ? onlyOf(args.list) : args.object);
    return { tool, given: parts.given, notes: parts.notes };
  }
  return {
    tool,
    given: args.kind === 'words' ? wordArgs(tool, ownNameOff(tool, args.words)) : textArgs(tool, args.text),
    notes: [],
  };
}

function ofSubcommand(tools: readonly Tool[], args: ArgsText, seen: Seen): Target {
  if (args.kind === 'object') return fromEnvelope(tools, args.object, seen);
  if (args.kind === 'list') return fromEnvelope(tools, onlyOf(args.list), seen);
  if (args.kind === 'words') return fromLine(tools, args.words, undefined, seen);
  return fromLine(tools, wordsOf(args.text), args.text, seen);
}

/** A plugin may have a name other agents have for something else. */
function isOwnName(named: Named, name: string): boolean {
  return (
    named.kind === 'tool' &&
    named.tool.origin !== 'builtin' &&
    foldName(`@${plainName(name).replace(/^@/, '')}`) === foldName(named.tool.name)
  );
}

/** What is no builtin subcommand goes, as it is, to the plugin that stands in for all of `@coder`. */
function ofCoder(tools: readonly Tool[], args: ArgsText, seen: Seen): Target {
  const plugin = tools.find(({ name, words }) => words === true && foldName(name) === '@coder');
  if (plugin === undefined) return ofSubcommand(tools, args, seen);
  try {
    return ofSubcommand(tools, args, seen);
  } catch (error) {
    if (!(error instanceof CallFault) || error.pointer !== '/cmd') throw error;
    seen.tool = plugin;
    return { tool: plugin, given: commandWords(args), notes: [] };
  }
}

/** `call_tool {name, args}`: any tool by its name. */
function fromCallTool(tools: readonly Tool[], args: ArgsText, seen: Seen): Target {
  const object = args.kind === 'object' ? args.object : {};
  const name = object['name'] ?? object['tool'];
  if (typeof name !== 'string') throw new CallFault('names no tool; use {"name":"@todo","args":{…}}', { pointer: '/name' });
  if (resolveName(tools, name).kind === 'call') throw new CallFault('call_tool cannot call itself', { pointer: '/name' });
  if (resolveName(tools, name).kind === 'none' && !isForeignName(name)) throw unknownTool(tools, name, true);
  const inner = object['args'] ?? object['arguments'] ?? object['input'] ?? {};
  const known = ['name', 'tool', 'args', 'arguments', 'input'];
  const extra = Object.keys(object).find((key) => !known.includes(key));
  if (extra !== undefined) throw new CallFault('unknown field; call_tool takes "name" and "args"', { pointer: `/${extra}` });
  if (typeof inner === 'string') return targetOf(tools, name, { kind: 'text', text: inner, ending: 'closed' }, seen);
  if (Array.isArray(inner)) return targetOf(tools, name, { kind: 'text', text: JSON.stringify(inner), ending: 'closed' }, seen);
  return targetOf(tools, name, { kind: 'object', object: isObject(inner) ? inner : {} }, seen);
}

function finishCall(target: Target, origin: CallOrigin, seen: Seen): ParsedCall {
  const { tool } = target;
  try {
    const fields = canonicalFields(tool, target.given, origin.raw);
    const notes = [...target.notes, ...fields.notes];
    const args = decodeDiff(fields.args, notes);
    const fault = validateArgs(tool, args);
    if (fault) throw new CallFault(fault.message, { pointer: fault.pointer });
    if (seen.assumed && !onlyReads(tool, args)) throw maybeCut();
    const call = {
      id: origin.id,
      tool: tool.name,
      args,
      source: origin.source,
      agent: origin.agent,
      ...(notes.length > 0 ? { notes } : {}),
    };
    return { ok: true, call, tool };
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    return refused(tool.name, error, origin, tool);
  }
}

function onlyReads(tool: Tool, args: JsonObject): boolean {
  try {
    return tool.facts(args).readOnly;
  } catch {
    return false;
  }
}

/** A call that only reads may be completed; one that changes something may not be run without what is missing. */
function maybeCut(): CallFault {
  return new CallFault('the closing brackets are missing, so the call may have been cut off; nothing was run, send it whole');
}

/** A diff has lines: one that holds `\n` and not a single real line end was escaped once too often. No other value is decoded. */
function decodeDiff(args: JsonObject, notes: string[]): JsonObject {
  const diff = Object.hasOwn(args, 'diff') ? args['diff'] : undefined;
  if (typeof diff !== 'string' || diff.includes('\n') || !diff.includes('\\n')) return args;
  notes.push('"diff" had no line ends: \\n, \\t and \\\\ in it were decoded once');
  return { ...args, diff: diff.replace(/\\([nt\\])/g, (_, mark: string) => (mark === 'n' ? '\n' : mark === 't' ? '\t' : '\\')) };
}

/** `named`: the answer begins with another name, so this one is said. */
function unknownTool(tools: readonly Tool[], name: string, named = false): CallFault {
  const who = named ? `${oneLine(name).slice(0, 80)}: ` : '';
  return new CallFault(who + unknownText(tools, name), { code: 'NotFound' });
}

function unknownText(tools: readonly Tool[], name: string): string {
  const known = tools.map((tool) => tool.name);
  const list = `known: ${known.join(', ')}`;
  if (isAgentName(name)) return `agents cannot be called in this run; use the tools yourself; ${list}`;
  if (isLater(name)) return `not in this version; ${list}`;
  if (isElsewhereOnly(name)) return `not among your tools here; ${list}`;
  const near = namesLike(tools, name);
  const guess = near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : '';
  return `no such tool${guess}; ${list}`;
}
