/** Arguments in any shape -> the words of a tool that has a command line of its own. */
import { ArgvFault, argvOf } from '../base/argv-words.js';
import type { JsonObject } from '../types/json.js';
import type { ArgsText } from './args-text.js';
import { CallFault } from './call-fault.js';
import { CMD_KEYS, wordsOf } from './tool-fields.js';

const LISTS = ['argv', 'args', 'words', '_'];

/** Words as they are, a line split once, or fields as flags: `{"cmd":"get","args":{"n":"x"}}` is `get --n x`. Throws CallFault. */
export function commandWords(args: ArgsText): JsonObject {
  if (args.kind === 'words') return { argv: [...args.words] };
  if (args.kind === 'text') return { argv: wordsOf(args.text) };
  if (args.kind === 'list')
    throw new CallFault('a list of objects is no command line; send its words, as in {"argv":["list","--all"]}');
  try {
    return { argv: argvOf(plainFields(args.object)) };
  } catch (error) {
    if (!(error instanceof ArgvFault)) throw error;
    throw new CallFault(error.message);
  }
}

/** A field that is all there is counts as the words; `command` and the like beside `args` name the subcommand. */
function plainFields(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  const [only] = keys;
  const value = only === undefined ? undefined : object[only];
  if (keys.length === 1 && only !== undefined && LISTS.includes(only))
    return Array.isArray(value) ? { argv: value } : { args: value ?? null };
  const name = CMD_KEYS.find((key) => typeof object[key] === 'string');
  if (name === undefined || name === 'cmd' || !keys.includes('args') || keys.length > 2) return object;
  return { cmd: object[name] ?? null, args: object['args'] ?? null };
}
