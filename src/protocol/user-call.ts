/** A call typed by a person or a program: a tool's name, and what stood behind `--`. */
import type { Tool } from '../types/tool.js';
import { CallFault } from './call-fault.js';
import { canonicalCall, refused } from './canonical.js';
import { resolveName } from './find-tool.js';
import { parseReply } from './parse-reply.js';
import type { CallOrigin, ParsedCall } from './parsed-call.js';

/**
 * One word: JSON, or whatever a model might have written for the arguments, a whole tag included.
 * Several words: CLI-style, already split by the shell. Never throws.
 */
export function callFromUser(
  name: string,
  words: readonly string[],
  options: { readonly tools: readonly Tool[]; readonly agent: string; nextId(): string },
): ParsedCall {
  const only = words[0];
  const origin: CallOrigin = { id: options.nextId(), agent: options.agent, source: 'user', raw: words.join(' ') };
  if (only !== undefined && words.length === 1) {
    if (/^\s*<(tool_call|tool|agent_call)[\s>]/i.test(only)) return wholeTag(name, only, options, origin);
    return canonicalCall(options.tools, name, { kind: 'text', text: only, ending: 'word' }, origin);
  }
  return canonicalCall(
    options.tools,
    name,
    words.length === 0 ? { kind: 'object', object: {} } : { kind: 'words', words },
    origin,
  );
}

/** The tag must call what the command names. */
function wholeTag(
  name: string,
  text: string,
  options: { readonly tools: readonly Tool[]; readonly agent: string },
  origin: CallOrigin,
): ParsedCall {
  const { calls, visible } = parseReply(text, { ...options, nextId: () => origin.id });
  const [call] = calls;
  if (!call || calls.length > 1 || visible) return refused(name, new CallFault('expected one call tag and nothing else'), origin);
  if (!call.ok) return call;
  const named = resolveName(options.tools, name);
  const fits =
    named.kind === 'coder'
      ? call.tool.name.startsWith('@coder ')
      : named.kind === 'tool'
        ? named.tool === call.tool
        : named.kind === 'call';
  if (!fits) return refused(name, new CallFault(`the tag calls ${call.tool.name}, not ${name}`), origin);
  return { ...call, call: { ...call.call, source: 'user' } };
}
