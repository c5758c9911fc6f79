/** Replies that are one call without a tag: nothing but one object, one fence around it, or the bracket form. */
import { recoverJson } from '../base/json-recover.js';
import { parseStrict } from '../base/json-strict.js';
import type { Ending, Json, JsonObject } from '../base/json-types.js';
import { stableJson } from '../base/stable-json.js';
import type { Tool } from '../types/tool.js';
import { isObject } from './args-text.js';
import type { GivenArgs } from './canonical.js';
import { findSubcommand, resolveName } from './find-tool.js';
import { readTag } from './tags.js';
import { takesCommand } from './word-args.js';

export type WholeReply =
  /** `broken`: the JSON is not whole, so the call will only be answered with what is wrong. */
  | { readonly kind: 'call'; readonly name: string; readonly given: GivenArgs; readonly broken?: boolean }
  /** Something that is meant to act but is no call; the text says what to send instead. */
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'text' };

const NAME_KEYS = ['tool_call', 'tool', 'name', 'function', 'tool_name'];
const ARGS_KEYS = ['args', 'arguments', 'parameters', 'params', 'input', 'tool_input', 'flags'];
const SHELL_INFO = /^(sh|bash|zsh|shell|console|terminal|shell-session|powershell|ps1|cmd|bat|execute:\w+)$/i;
const SHELL_PROBLEM =
  'Shell text is not run. To run a command, call exec with {"cmd":"the command"}; to only show it, say so in a sentence.';
const TEXT: WholeReply = { kind: 'text' };

/** What a reply without tags is; `text` is the reply without its reasoning, trimmed. */
export function readWholeReply(text: string, tools: readonly Tool[], ending: Ending = 'open'): WholeReply {
  const whole = readForm(text, tools, ending);
  // Where nothing can run a command, shell text is an answer like any other.
  return whole.kind === 'problem' && whole.problem === SHELL_PROBLEM && !tools.some(takesCommand) ? TEXT : whole;
}

function readForm(text: string, tools: readonly Tool[], ending: Ending): WholeReply {
  if (!text) return TEXT;
  const fence = /^(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)\r?\n?[ \t]*\1$/.exec(text);
  if (fence && !(fence[3] ?? '').includes(`\n${fence[1]}`))
    return inFence((fence[2] ?? '').trim(), (fence[3] ?? '').trim(), tools);
  if (text.startsWith('{')) return ofObject(text, ending, tools);
  const list = text.startsWith('[') ? parseStrict(text) : undefined;
  if (list?.ok && Array.isArray(list.value)) return ofList(list.value, tools);
  const bracket = /^\[\s*(?:tool_call|toolcall|tool|call)\s*:\s*(@?[\w.-]+(?:\s+[\w-]+)?)\s*(\{[\s\S]*)$/i.exec(text);
  if (bracket) return inBrackets(bracket[1] ?? '', bracket[2] ?? '', ending);
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.length > 0 && lines.every((line) => /^\s*[$]\s+\S/.test(line)) ? shellText() : TEXT;
}

function inFence(info: string, content: string, tools: readonly Tool[]): WholeReply {
  const word = info.split(/\s/)[0] ?? '';
  if (SHELL_INFO.test(word) && content) return shellText();
  const tag = /^</.test(content) ? readTag(content, 0) : undefined;
  if (tag && !tag.fault)
    return { kind: 'problem', problem: 'The call stands in a code fence, so it was not run. Send it again without the fence.' };
  return content.startsWith('{') ? ofObject(content, 'closed', tools) : TEXT;
}

function inBrackets(name: string, rest: string, ending: Ending): WholeReply {
  const body = rest.trimEnd().replace(/\]$/, '').trimEnd();
  const whole = body.endsWith('}') ? body : rest;
  const atName = name.startsWith('@') ? name : `@${name}`;
  return {
    kind: 'call',
    name: atName,
    given: { kind: 'text', text: whole, ending },
    broken: !recoverJson(whole, ending).ok,
  };
}

function ofObject(text: string, ending: Ending, tools: readonly Tool[]): WholeReply {
  const read = recoverJson(text, ending);
  if (read.ok && isObject(read.value))
    return Array.isArray(read.value['tool_calls'])
      ? ofList(read.value['tool_calls'], tools)
      : (callOf(read.value, tools) ?? TEXT);
  if (read.ok) return TEXT;
  // Broken JSON is an attempt at a call when its first key names a known tool; then the fault is worth saying.
  const head = /^\{\s*["']?(cmd|tool_call|tool|name|function|tool_name)["']?\s*:\s*["'](@?[\w.-]+)/.exec(text);
  const key = head?.[1];
  const named = head?.[2] ?? '';
  if (key === undefined) return TEXT;
  if (key === 'cmd')
    return findSubcommand(tools, named)
      ? { kind: 'call', name: '@coder', given: { kind: 'text', text, ending }, broken: true }
      : TEXT;
  if (resolveName(tools, named).kind === 'none') return TEXT;
  return {
    kind: 'problem',
    problem: `The call of ${named} is not valid JSON, so it was not run: ${read.message}${read.pointer ? ` (at ${read.pointer})` : ''}. Send the whole call again.`,
  };
}

/** A list of calls as some services write them: one is a call, several must be sent as such. */
function ofList(list: readonly Json[], tools: readonly Tool[]): WholeReply {
  const calls = list.flatMap((item) => (isObject(item) ? (callOf(item, tools) ?? []) : []));
  if (calls.length === 0 || calls.length < list.length) return TEXT;
  if (calls.length === 1) return calls[0] ?? TEXT;
  return { kind: 'problem', problem: 'A list of calls is not run. Send each call in a form of its own, several in one reply.' };
}

/** The call an object stands for: it must name a tool and carry arguments, or be the `{cmd, args}` of a known subcommand. */
export function callOf(object: JsonObject, tools: readonly Tool[]): Extract<WholeReply, { kind: 'call' }> | undefined {
  const wrapped = ['function', 'function_call', 'tool_call'].map((key) => object[key]).find(isObject);
  if (wrapped) return callOf(wrapped, tools);
  const nameKey = NAME_KEYS.find((key) => typeof object[key] === 'string');
  const argsKey = ARGS_KEYS.find((key) => object[key] !== undefined);
  if (nameKey !== undefined && argsKey !== undefined) {
    const name = String(object[nameKey]);
    if (!name.startsWith('@') && resolveName(tools, name).kind === 'none') return undefined;
    const args = object[argsKey];
    const beside = otherFields(object, argsKey);
    if (beside) return { kind: 'call', name, given: { kind: 'object', object: beside } };
    if (typeof args === 'string') return { kind: 'call', name, given: { kind: 'text', text: args, ending: 'closed' } };
    return isObject(args) ? { kind: 'call', name, given: { kind: 'object', object: args } } : undefined;
  }
  const { cmd } = object;
  if (typeof cmd !== 'string' || !findSubcommand(tools, cmd.trim().split(/\s+/)[0] ?? '')) return undefined;
  return { kind: 'call', name: '@coder', given: { kind: 'object', object } };
}

/** Keys of the envelope of a call, which may stand in its arguments too. */
const ENVELOPE_KEYS = [...NAME_KEYS, 'id', 'type', 'index', 'call_id', 'tool_call_id'];

/** The arguments with what contradicts them beside them, for the reader of fields to refuse; undefined when nothing does. */
function otherFields(object: JsonObject, argsKey: string): JsonObject | undefined {
  const args = object[argsKey] ?? null;
  const found = Object.entries(object).filter(([key, value]) => {
    if (key === argsKey || value === null || ENVELOPE_KEYS.includes(key)) return false;
    if (ARGS_KEYS.includes(key)) return stableJson(value) !== stableJson(args);
    return isObject(args) && Object.hasOwn(args, key) && stableJson(value) !== stableJson(args[key]);
  });
  return found.length > 0 ? Object.fromEntries([[argsKey, args], ...found]) : undefined;
}

function shellText(): WholeReply {
  return { kind: 'problem', problem: SHELL_PROBLEM };
}
