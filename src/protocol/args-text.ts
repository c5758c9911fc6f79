/** The text of a call's arguments, in any of the wrappings models put around it -> an object, words, or plain text. */
import { recoverJson } from '../base/json-recover.js';
import { closingQuote, decodeString } from '../base/json-strings.js';
import { readTolerant } from '../base/json-tolerant.js';
import type { Ending, Json, JsonFault, JsonObject } from '../base/json-types.js';
import { CallFault } from './call-fault.js';
import { decodeEntities } from './entities.js';

export type ArgsText =
  /** `assumed`: a bracket was added where more fields might have followed. */
  | { readonly kind: 'object'; readonly object: JsonObject; readonly repairs: readonly string[]; readonly assumed?: true }
  /** A list of objects: several calls, or the one list a tool is about. */
  | { readonly kind: 'list'; readonly list: readonly JsonObject[]; readonly repairs: readonly string[] }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'text'; readonly text: string };

/** Wrappings that are taken off before a text counts as nonsense. */
const MOST_LAYERS = 4;

const CUT = 'the call was cut off and nothing was run. Send it whole, a long one in several smaller calls';

/** Takes the wrappings off, one by one: fence, encoded twice, XML entities around the whole. Throws CallFault. */
export function readArgsText(text: string, ending: Ending, layer = 0): ArgsText {
  const trimmed = bareText(text);
  if (ending === 'cut' && !/^["[{`~]/.test(trimmed)) throw new CallFault(CUT);
  if (trimmed === '' || trimmed === 'null') return { kind: 'object', object: {}, repairs: [] };
  if (layer > MOST_LAYERS) throw new CallFault('encoded too many times');
  const fenced = unfence(trimmed);
  if (fenced !== undefined) return readArgsText(fenced, 'closed', layer + 1);
  if (/^[[{]\s*&(quot|apos|#34|#39|#[xX]22|#[xX]27);/.test(trimmed))
    return readArgsText(decodeEntities(trimmed), ending, layer + 1);
  if (/^[[{]\s*\\+["']/.test(trimmed)) return readArgsText(unescapeWhole(trimmed), ending, layer + 1);
  if (!/^[[{"']/.test(trimmed)) return { kind: 'text', text: trimmed };
  // A text that begins with a quote may be a line of words: nothing but plain reading is tried on it.
  const read = /^[[{]/.test(trimmed) ? recoverJson(trimmed, ending) : readTolerant(trimmed, ending);
  if (!read.ok) {
    if (/^["']/.test(trimmed) && read.kind !== 'duplicate') return quotedText(trimmed, read, ending);
    throw faultOf(read);
  }
  return ofValue(read.value, read.repairs, layer, read.assumed);
}

/** Without what may stand before an object: `json` that is left of a fence without its marks, or comments. */
function bareText(text: string): string {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  return trimmed.replace(/^(?:json\s*|(?:\/\/[^\n]*\n\s*|\/\*[^*]*\*\/\s*)+)(?=[[{])/i, '');
}

/** The fault of a JSON text as one of the call. */
export function faultOf(fault: JsonFault, prefix = ''): CallFault {
  const cut = fault.kind === 'cut' ? `; ${CUT}` : '';
  return new CallFault(`${fault.message}${cut}`, { pointer: prefix + fault.pointer });
}

function ofValue(value: Json, repairs: readonly string[], layer: number, assumed?: true): ArgsText {
  if (typeof value === 'string') return readArgsText(value, 'closed', layer + 1);
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string')) return { kind: 'words', words: value };
    if (value.every(isObject)) return { kind: 'list', list: value, repairs };
    throw new CallFault('a list of such values is no call; send one object with the fields of the tool');
  }
  if (isObject(value)) return { kind: 'object', object: value, repairs, ...(assumed ? { assumed } : {}) };
  if (value === null) return { kind: 'object', object: {}, repairs };
  return { kind: 'text', text: String(value) };
}

/** A line that only begins with a quote (`"my file.txt" --start 3`) is text; one quote that never closes was cut off. */
function quotedText(text: string, fault: JsonFault, ending: Ending): ArgsText {
  const quote = text.charAt(0);
  if (ending === 'cut' || closingQuote(text, 1, quote) < 0) throw faultOf(fault);
  return { kind: 'text', text };
}

/** What a list of objects means where one call is wanted. Throws CallFault. */
export function onlyOf(list: readonly JsonObject[]): JsonObject {
  const only = list[0];
  if (list.length === 1 && only !== undefined) return only;
  throw new CallFault('a list of objects is not one call; send each call on its own');
}

/** The inside of a text that is one code fence; undefined when it is none. */
function unfence(text: string): string | undefined {
  const fence = /^(`{3,}|~{3,})[^\n`]*\n/.exec(text);
  if (!fence) return undefined;
  const mark = fence[1] ?? '';
  if (!text.endsWith(`\n${mark}`)) {
    if (text.includes(`\n${mark}\n`) || text.includes(`\n${mark}\r\n`))
      throw new CallFault('text stands behind the code fence around the arguments; send the arguments alone');
    throw new CallFault('the code fence around the arguments is not closed; the call was cut off and nothing was run');
  }
  return text.slice(fence[0].length, text.length - mark.length).trim();
}

/** `{\"cmd\":\"read\"}`: the inside of a JSON string without its quotes. */
function unescapeWhole(text: string): string {
  const quote = /\\+(["'])/.exec(text)?.[1] ?? '"';
  if (closingQuote(text, 0, quote) >= 0) throw new CallFault(`quotes with and without a backslash are mixed; write plain JSON`);
  return decodeString(text, quote).text;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
