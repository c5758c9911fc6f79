/** The fields that `@coder tree` and `@tree` share. */
import type { ObjectSchema, PropertySchema } from '../../types/json.js';
import { TREE_ENTRIES } from './tool-limits.js';

const PROPERTIES: ObjectSchema['properties'] = {
  dir: { type: 'string', default: '.' },
  glob: { type: ['string', 'array'], items: { type: 'string' }, description: 'only such files, e.g. *.go' },
  max_entries: { type: 'integer', minimum: 1, default: TREE_ENTRIES },
  depth: { type: 'integer', minimum: 1, maximum: 20 },
  include_hidden: { type: 'boolean' },
  exclude: { type: ['string', 'array'], items: { type: 'string' }, description: 'names or globs' },
};

/** The fields of both names; only the default depth differs. `brief`: as it stands in every request, every word of which costs. */
export function treeSchema(depth: number, brief = false): ObjectSchema {
  const bare = ({ description: _words, default: _usual, ...field }: PropertySchema): PropertySchema => field;
  const fields = Object.entries(PROPERTIES).map(([name, field]) => [name, brief ? bare(field) : field] as const);
  const properties = { ...Object.fromEntries(fields), depth: { ...PROPERTIES['depth'], default: depth } };
  return { type: 'object', properties, additionalProperties: false };
}

export const TREE_ALIASES: Readonly<Record<string, string>> = {
  path: 'dir',
  directory: 'dir',
  max_depth: 'depth',
  ignore: 'exclude',
  skip: 'exclude',
  hidden: 'include_hidden',
  include: 'glob',
  pattern: 'glob',
};
