/** The tools of a run as far as rules can speak of them. */
import type { KnownTool } from '../policy/word-forms.js';
import type { Tool } from '../types/tool.js';

/** Names, fields, the order of words and the values of fields that have only some. */
export function knownTools(tools: readonly Tool[]): KnownTool[] {
  return tools.map(({ name, schema, positional }) => {
    const values = Object.entries(schema.properties).flatMap(([field, { enum: list }]) =>
      list === undefined ? [] : [[field, list.filter((value) => typeof value === 'string')] as const],
    );
    return { name, fields: Object.keys(schema.properties), positional, values: Object.fromEntries(values) };
  });
}
