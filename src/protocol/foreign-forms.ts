/**
 * Calls as model families write them by training, when a service passes them on as text: parameters as elements, calls between
 * special tokens, functions named in a channel. They count at the end of a reply only, and only when they are whole.
 */
import { readInside } from '../base/json-tolerant.js';
import { setKey } from '../base/json-types.js';
import type { Json, JsonObject } from '../types/json.js';
import { isObject } from './args-text.js';

export interface ForeignForm {
  readonly name: string;
  /** Fields as texts, or one JSON text. */
  readonly given: { readonly kind: 'object'; readonly object: JsonObject } | { readonly kind: 'json'; readonly text: string };
}

export type ForeignForms =
  | { readonly kind: 'calls'; readonly calls: readonly ForeignForm[]; readonly end: number }
  /** The text ends inside a call. */
  | { readonly kind: 'cut'; readonly name: string }
  /** Marks without a call, up to `end`. */
  | { readonly kind: 'none'; readonly end: number };

interface Piece {
  readonly calls: readonly ForeignForm[];
  readonly end: number;
}

type Reader = (text: string, at: number) => Piece | 'cut' | undefined;

/** What stands around and between calls and means nothing by itself. */
const GLUE =
  /^(?:\s+|<\/?(?:[a-z]+:)?(?:function_calls|tool_calls?)\s*>|<[|｜](?:tool[_▁]calls?(?:[_▁]section)?[_▁](?:begin|end)|\/tool_call|END_ACTION|call|end|im_end|eot_id|eom_id|start|end▁of▁sentence)[|｜]>|assistant(?=<\|)|<\/s>)/;

/** Where such a call may begin. */
export const FOREIGN_START =
  /^(?:<(?:[a-z]+:)?(?:function_calls|invoke)[\s>]|<(?:minimax|seed):tool_call>|<function(?:=|\s+name=)|<\|(?:tool_calls?(?:_section)?_begin|tool_call|python_tag|channel|start|START_ACTION)\|>|<｜tool▁calls?▁begin｜>|\[TOOL_CALLS\]|(?:assistant)?commentary to=functions\.)/;

/** The calls that begin at `from`, one after the other. */
export function readForeignForms(text: string, from: number): ForeignForms {
  const calls: ForeignForm[] = [];
  let at = from;
  for (;;) {
    for (let glue = GLUE.exec(text.slice(at, at + 200)); glue; glue = GLUE.exec(text.slice(at, at + 200))) at += glue[0].length;
    const thought = /^<\|channel\|>analysis<\|message\|>/.test(text.slice(at, at + 60)) ? text.indexOf('<|end|>', at) : -1;
    if (thought >= 0) {
      at = thought;
      continue;
    }
    const piece = firstPiece(text, at);
    if (piece === 'cut') return { kind: 'cut', name: nameAt(text, at) };
    if (!piece) break;
    calls.push(...piece.calls);
    at = piece.end;
  }
  return calls.length > 0 ? { kind: 'calls', calls, end: at } : { kind: 'none', end: at };
}

function firstPiece(text: string, at: number): Piece | 'cut' | undefined {
  for (const reader of READERS) {
    const piece = reader(text, at);
    if (piece) return piece;
  }
  return undefined;
}

function nameAt(text: string, at: number): string {
  const head = text.slice(at, at + 200);
  return /(?:function=|name=|functions\.|\[TOOL_CALLS\])["']?(@?[A-Za-z][\w.-]{0,60})/.exec(head)?.[1] ?? 'tool_call';
}

/** `<function=read><parameter=file>a</parameter></function>`, or `<function=read>{"file":"a"}</function>`. */
const functionElement: Reader = (text, at) => {
  const open = /^<function(?:=|\s+name=)["']?(@?[\w.:-]+)["']?\s*>/.exec(text.slice(at, at + 200));
  const name = open?.[1];
  if (!open || !name) return /^<function[\s=]/.test(text.slice(at, at + 12)) && !text.slice(at).includes('>') ? 'cut' : undefined;
  return elementCall(text, at + open[0].length, name, /^\s*<\/function\s*>/);
};

/** `<invoke name="read"><parameter name="file">a</parameter></invoke>`, with any prefix. */
const invokeElement: Reader = (text, at) => {
  const open = /^<((?:[a-z]+:)?)invoke\s+name=["']?(@?[\w.:-]+)["']?\s*>/.exec(text.slice(at, at + 200));
  const name = open?.[2];
  if (!open || !name) return undefined;
  return elementCall(text, at + open[0].length, name, /^\s*<\/(?:[a-z]+:)?invoke\s*>/);
};

function elementCall(text: string, from: number, name: string, close: RegExp): Piece | 'cut' | undefined {
  const brace = /^\s*(?=\{)/.exec(text.slice(from, from + 200));
  if (brace) {
    const start = from + brace[0].length;
    const inside = readInside(text, start);
    if (!inside.ok) return inside.kind === 'cut' ? 'cut' : undefined;
    const end = close.exec(text.slice(inside.end, inside.end + 200));
    if (!end) return text.slice(inside.end).trim() === '' ? 'cut' : undefined;
    return { calls: [{ name, given: { kind: 'json', text: text.slice(start, inside.end) } }], end: inside.end + end[0].length };
  }
  const read = readParameters(text, from);
  if (read === 'cut') return 'cut';
  const end = close.exec(text.slice(read.end, read.end + 200));
  if (end) return { calls: [{ name, given: { kind: 'object', object: read.object } }], end: read.end + end[0].length };
  return /^\s*(?:<\/?[\w:=]*)?$/.test(text.slice(read.end)) ? 'cut' : undefined;
}

const PARAMETER =
  /^\s*<(?:[a-z]+:)?(?:parameter|param)(?:=["']?([\w.@-]+)["']?|\s+name=["']?([\w.@-]+)["']?(?:\s+\w+=["'][^"'>]*["'])*)\s*>/;
const PARAMETER_END = /<\/(?:[a-z]+:)?(?:parameter|param)\s*>/g;

/**
 * Parameters one after the other. A value ends at the first closing mark that is followed by the next parameter or by the end of
 * the call; entities in it are text. `cut` when a value never ends.
 */
function readParameters(text: string, from: number): { readonly object: JsonObject; readonly end: number } | 'cut' {
  const object: JsonObject = {};
  let at = from;
  for (let open = PARAMETER.exec(text.slice(at, at + 400)); open; open = PARAMETER.exec(text.slice(at, at + 400))) {
    const start = at + open[0].length;
    const end = parameterEnd(text, start);
    if (end === undefined) return 'cut';
    // A name that stands twice makes the arguments unclear: the second is kept under a name no tool has.
    const name = open[1] ?? open[2] ?? '';
    setKey(object, Object.hasOwn(object, name) ? `${name} (again)` : name, withoutOneLineEnd(text.slice(start, end.at)));
    at = end.after;
  }
  return { object, end: at };
}

function parameterEnd(text: string, from: number): { readonly at: number; readonly after: number } | undefined {
  PARAMETER_END.lastIndex = from;
  for (let close = PARAMETER_END.exec(text); close; close = PARAMETER_END.exec(text)) {
    const after = close.index + close[0].length;
    const next = text.slice(after, after + 400);
    if (PARAMETER.test(next) || /^\s*<\/(?:[a-z]+:)?(?:function|invoke|tool_call|tool)\s*>/.test(next) || next.trim() === '')
      return { at: close.index, after };
  }
  return undefined;
}

/** The line ends right behind the opening and before the closing mark belong to the form. */
function withoutOneLineEnd(value: string): string {
  return /^\r?\n/.test(value) && /\n$/.test(value) && value.length > 1
    ? value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
    : value.replace(/^\r?\n/, '');
}

/** Special tokens around a name and JSON: Kimi `<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{…}`, DeepSeek. */
const tokenCall: Reader = (text, at) => {
  const kimi = /^(?:functions\.)?(@?[\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>/.exec(text.slice(at, at + 200));
  const deep = /^(?:function<｜tool▁sep｜>)(@?[\w.-]+)\s*(?:```json\s*)?|^(@?[\w.-]+)<｜tool▁sep｜>/.exec(
    text.slice(at, at + 200),
  );
  const open = kimi ?? deep;
  const name = open?.[1] ?? open?.[2];
  if (!open || !name) return undefined;
  const piece = jsonCall(text, at + open[0].length, name);
  if (piece === undefined || piece === 'cut') return piece;
  return { ...piece, end: piece.end + (/^\s*```/.exec(text.slice(piece.end, piece.end + 20))?.[0].length ?? 0) };
};

/** `<|channel|>commentary to=functions.read <|constrain|>json<|message|>{…}<|call|>`, also where the tokens were lost. */
const channelCall: Reader = (text, at) => {
  const open =
    /^(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?commentary\s+to=functions\.([\w.-]+)\s*(?:<\|channel\|>commentary)?\s*(?:<\|constrain\|>)?\s*(?:json)?\s*(?:<\|message\|>)?\s*(?=\{|$)/.exec(
      text.slice(at, at + 300),
    );
  return open?.[1] ? jsonCall(text, at + open[0].length, open[1]) : undefined;
};

/** `[TOOL_CALLS]read[ARGS]{…}`, `[TOOL_CALLS]read{…}`. */
const bracketCall: Reader = (text, at) => {
  const open = /^\[TOOL_CALLS\]\s*(@?[\w.-]+)\s*(?:\[CALL_ID\][\w-]+\s*)?(?:\[ARGS\])?\s*(?=\{|$)/.exec(text.slice(at, at + 300));
  return open?.[1] ? jsonCall(text, at + open[0].length, open[1]) : undefined;
};

/** A mark, and behind it one call or a list of calls in JSON: `[TOOL_CALLS][{"name":…}]`, `<|python_tag|>{…}`. */
const markedJson: Reader = (text, at) => {
  const open = /^(?:\[TOOL_CALLS\]|<\|(?:python_tag|tool_call|START_ACTION)\|>)\s*(?=[[{]|$)/.exec(text.slice(at, at + 100));
  if (!open) return undefined;
  const start = at + open[0].length;
  const inside = readInside(text, start);
  if (!inside.ok) return inside.kind === 'cut' ? 'cut' : undefined;
  const items = Array.isArray(inside.value) ? inside.value : [inside.value];
  const calls = items.map(namedCall);
  if (calls.length === 0 || !calls.every((call) => call !== undefined)) return undefined;
  return { calls, end: inside.end };
};

function namedCall(item: Json): ForeignForm | undefined {
  if (!isObject(item)) return undefined;
  const inner = item['function'];
  const call = isObject(inner) ? inner : item;
  const name = call['name'] ?? call['tool_name'];
  const args = call['arguments'] ?? call['parameters'] ?? call['args'] ?? {};
  if (typeof name !== 'string') return undefined;
  if (typeof args === 'string') return { name, given: { kind: 'json', text: args } };
  return isObject(args) ? { name, given: { kind: 'object', object: args } } : undefined;
}

function jsonCall(text: string, from: number, name: string): Piece | 'cut' | undefined {
  if (text.slice(from).trim() === '') return 'cut';
  const inside = readInside(text, from);
  if (!inside.ok) return inside.kind === 'cut' ? 'cut' : undefined;
  return { calls: [{ name, given: { kind: 'json', text: text.slice(from, inside.end) } }], end: inside.end };
}

const READERS: readonly Reader[] = [functionElement, invokeElement, tokenCall, channelCall, bracketCall, markedJson];

/** What a call tag holds when it is none of JSON: one call as an element, a name with pairs, or parameters of the tag's own name. */
export interface ForeignBody {
  readonly form?: ForeignForm;
  readonly parameters?: JsonObject;
  readonly end: number;
}

/** Reads the inside of a call tag from behind its `>`; undefined when it is in none of these forms. */
export function readForeignBody(text: string, from: number): ForeignBody | 'cut' | undefined {
  const at = from + (/^\s*/.exec(text.slice(from, from + 200))?.[0].length ?? 0);
  if (/^<(?:function|(?:[a-z]+:)?invoke)[\s=]/.test(text.slice(at, at + 40))) {
    const piece = functionElement(text, at) ?? invokeElement(text, at);
    return piece === undefined || piece === 'cut' ? piece : { form: piece.calls[0], end: piece.end };
  }
  if (PARAMETER.test(text.slice(at, at + 400))) {
    const read = readParameters(text, at);
    return read === 'cut' ? 'cut' : { parameters: read.object, end: read.end };
  }
  const name = /^(@?[A-Za-z][\w.-]*)\s*(?=<arg_key>)/.exec(text.slice(at, at + 200));
  return name?.[1] ? readPairs(text, at + name[0].length, name[1]) : undefined;
}

/** `<arg_key>file</arg_key><arg_value>a</arg_value>`, one after the other. */
function readPairs(text: string, from: number, name: string): ForeignBody | 'cut' {
  const object: JsonObject = {};
  let at = from;
  for (;;) {
    const key = /^\s*<arg_key>([^<]*)<\/arg_key>\s*<arg_value>/.exec(text.slice(at, at + 400));
    if (!key) break;
    const start = at + key[0].length;
    const close = /<\/arg_value>(?=\s*(?:<arg_key>|<\/tool_call\s*>|$))/.exec(text.slice(start));
    if (!close) return 'cut';
    const field = key[1]?.trim() ?? '';
    setKey(
      object,
      Object.hasOwn(object, field) ? `${field} (again)` : field,
      withoutOneLineEnd(text.slice(start, start + close.index)),
    );
    at = start + close.index + close[0].length;
  }
  return { form: { name, given: { kind: 'object', object } }, end: at };
}
