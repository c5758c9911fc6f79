/** Native function calls: the functions offered to the model, and what comes back. */
import type { ObjectSchema } from '../types/json.js';
import type { NativeFunction } from '../types/provider.js';
import type { Tool } from '../types/tool.js';
import { canonicalCall } from './canonical.js';
import type { ParsedCall } from './parsed-call.js';

const ENVELOPE: ObjectSchema = {
  type: 'object',
  properties: { cmd: { type: 'string' }, args: { type: 'object' } },
  required: ['cmd'],
};
const ANY_TOOL: ObjectSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, args: { type: 'object' } },
  required: ['name'],
};

/** The tools in full in their order, then `coder` and `call_tool` for the rest. The same bytes for the same tools. */
export function functionsFor(tools: readonly Tool[]): NativeFunction[] {
  const full = tools.flatMap((tool) =>
    tool.inFull && tool.native !== undefined ? [{ name: tool.native, description: tool.summary, schema: tool.schema }] : [],
  );
  const named = new Set(full.map((item) => item.name));
  const envelopes: NativeFunction[] = [];
  if (tools.some((tool) => tool.name.startsWith('@coder ')) && !named.has('coder')) {
    envelopes.push({ name: 'coder', description: 'Any @coder subcommand by name', schema: ENVELOPE });
  }
  if (tools.length > 0 && !named.has('call_tool'))
    envelopes.push({ name: 'call_tool', description: 'Any listed tool by name', schema: ANY_TOOL });
  return [...full, ...envelopes];
}

/** A native call as one canonical call. Its text may have been cut off by the service, so nothing missing is added. Never throws. */
export function callFromNative(
  native: { readonly id: string; readonly name: string; readonly input: string },
  options: {
    readonly tools: readonly Tool[];
    readonly agent: string;
    /** The service says the reply did not end by itself: only arguments that are whole as they stand are run. */
    readonly cut?: boolean;
  },
): ParsedCall {
  const origin = { id: native.id, agent: options.agent, source: 'native', raw: native.input } as const;
  return canonicalCall(
    options.tools,
    native.name,
    { kind: 'text', text: native.input, ending: options.cut ? 'cut' : 'open' },
    origin,
  );
}
