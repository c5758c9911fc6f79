/** Arguments of a script, checked as those of a tool are. */
import { canonicalCall } from '../protocol/canonical.js';
import { fieldLines } from '../protocol/field-text.js';
import type { Json, JsonObject } from '../types/json.js';
import type { ScriptSkill } from '../types/skill.js';
import type { Tool } from '../types/tool.js';

export type CheckedArgs = { readonly ok: true; readonly args: JsonObject } | { readonly ok: false; readonly message: string };

/** Names fields, types values and validates, by the same rules as calls of tools. */
export function checkedScriptArgs(script: ScriptSkill, given: Json | undefined): CheckedArgs {
  const object = given === undefined || given === null ? {} : given;
  if (typeof object !== 'object' || Array.isArray(object))
    return { ok: false, message: `args must be an object. ${fieldsOf(script)}` };
  const parsed = canonicalCall([asTool(script)], script.name, { kind: 'object', object }, ORIGIN);
  if (parsed.ok) return { ok: true, args: parsed.call.args };
  return { ok: false, message: `${parsed.message}\n${fieldsOf(script)}` };
}

const ORIGIN = { id: 'script', agent: '', source: 'native', raw: '' } as const;

function fieldsOf(script: ScriptSkill): string {
  const lines = fieldLines(script.schema);
  return lines.length > 0 ? `Fields of ${script.name}:\n${lines.join('\n')}` : `${script.name} has no fields.`;
}

/** Only its names and its schema are looked at. */
function asTool(script: ScriptSkill): Tool {
  return {
    name: script.name,
    aliases: [],
    summary: script.summary,
    schema: script.schema,
    fieldAliases: {},
    positional: [],
    example: script.example,
    inFull: true,
    limit: 0,
    cut: 'ends',
    origin: 'builtin',
    facts: () => {
      throw new Error('not a tool');
    },
    run: () => Promise.reject(new Error('not a tool')),
  };
}
