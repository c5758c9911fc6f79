/** Field names as models write them -> the tool's own. */
import { nearestNames } from '../base/nearest.js';
import type { Json, ObjectSchema, PropertySchema } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { foldName } from './find-tool.js';

/** Other names of common fields, used when the tool has the field and claims the name for nothing else. Keys are folded. */
const COMMON_FIELDS: Readonly<Record<string, readonly string[]>> = {
  path: ['file', 'dir'],
  filepath: ['file'],
  filename: ['file'],
  target: ['file'],
  targetfile: ['file'],
  files: ['file'],
  directory: ['dir'],
  cwd: ['dir'],
  workdir: ['dir'],
  workingdir: ['dir'],
  workingdirectory: ['dir'],
  folder: ['dir'],
  root: ['dir'],
  pattern: ['term', 'glob'],
  query: ['term'],
  regex: ['term'],
  regexp: ['term'],
  text: ['term', 'content', 'description'],
  command: ['cmd'],
  commandline: ['cmd'],
  script: ['cmd'],
  body: ['content'],
  data: ['content'],
  contents: ['content'],
  contentb64: ['content'],
  filetext: ['content'],
  oldstring: ['search'],
  oldstr: ['search'],
  old: ['search'],
  oldtext: ['search'],
  find: ['search'],
  newstring: ['replace'],
  newstr: ['replace'],
  new: ['replace'],
  newtext: ['replace'],
  replacement: ['replace'],
  begin: ['start', 'from_line'],
  from: ['start', 'from_line'],
  fromline: ['start'],
  startline: ['start', 'from_line'],
  start: ['from_line'],
  to: ['end', 'to_line'],
  toline: ['end'],
  endline: ['end', 'to_line'],
  end: ['to_line'],
  maxdepth: ['depth'],
  depth: ['max-depth', 'max_depth'],
  skip: ['exclude'],
  ignore: ['exclude'],
  include: ['glob'],
  glob: ['include'],
  limit: ['max-results', 'max_results'],
  patch: ['diff'],
  changes: ['edits'],
  title: ['description'],
  task: ['description'],
  content: ['description'],
};

export interface FieldOwner {
  readonly properties: ObjectSchema['properties'];
  readonly aliases: Tool['fieldAliases'];
}

export function ownerOf(tool: Pick<Tool, 'schema' | 'fieldAliases'>): FieldOwner {
  return { properties: tool.schema.properties, aliases: tool.fieldAliases };
}

/** The tool's field a key means, or undefined. `value` settles keys that are a switch here and a text elsewhere. */
export function resolveField(owner: FieldOwner, key: string, value?: Json): string | undefined {
  const exact = ownField(owner, key);
  if (exact === undefined) return aliasOf(owner, key);
  const property = owner.properties[exact];
  if (typeof value !== 'string' || property?.type !== 'boolean' || /^(true|false)$/i.test(value.trim())) return exact;
  const other = aliasOf(owner, key);
  return other !== undefined && other !== exact ? other : exact;
}

function ownField(owner: FieldOwner, key: string): string | undefined {
  if (Object.hasOwn(owner.properties, key)) return key;
  const folded = foldName(key);
  return Object.keys(owner.properties).find((name) => foldName(name) === folded);
}

function aliasOf(owner: FieldOwner, key: string): string | undefined {
  const folded = foldName(key);
  for (const [alias, target] of Object.entries(owner.aliases)) {
    if (foldName(alias) === folded && Object.hasOwn(owner.properties, target)) return target;
  }
  const common = Object.hasOwn(COMMON_FIELDS, folded) ? COMMON_FIELDS[folded] : undefined;
  return common?.find((target) => Object.hasOwn(owner.properties, target));
}

/** Whether unknown keys are a fault: always for our own tools, and where a foreign schema says so. */
export function isClosed(tool: Pick<Tool, 'origin' | 'schema'>): boolean {
  return tool.origin === 'builtin' ? tool.schema.additionalProperties !== true : tool.schema.additionalProperties === false;
}

/** The tool's one field that is a list of objects, if it has just one such: `edits`, `todos`. */
export function listField(tool: Pick<Tool, 'schema'>): string | undefined {
  const fields = Object.entries(tool.schema.properties).filter(
    ([, property]) => typesOf(property).includes('array') && typesOf(property.items).includes('object'),
  );
  return fields.length === 1 ? fields[0]?.[0] : undefined;
}

/** What only the operator may set, in the spelling of `foldName`. */
const OPERATOR_ONLY: ReadonlyMap<string, string> = new Map([
  ['allowunsafe', 'allowUnsafe'],
  ['allowsudo', 'allowSudo'],
]);

/** "unknown field "fil" (did you mean "file"?); known: file, start". */
export function unknownField(owner: Pick<FieldOwner, 'properties'>, key: string, noun: 'field' | 'flag'): string {
  const setting = OPERATOR_ONLY.get(foldName(key));
  if (setting !== undefined)
    return `${JSON.stringify(key)} is not an argument: only the operator widens what is allowed (${setting} in the user's own configuration). Send the call without it`;
  const names = Object.keys(owner.properties);
  const near = nearestNames(key, names, 1)[0];
  const dash = noun === 'flag' ? '--' : '';
  const shown = names.map((name) => (noun === 'flag' ? flagText(name, owner.properties[name]) : name));
  const known = names.length > 0 ? `known: ${shown.join(', ')}` : 'it takes none';
  const given = noun === 'flag' && !key.startsWith('-') ? dash + key : key;
  return `unknown ${noun} ${JSON.stringify(given)}${near === undefined ? '' : ` (did you mean ${JSON.stringify(dash + near)}?)`}; ${known}`;
}

/** `--max-bytes (int, default 200000)`: a flag as its list shows it; text without a default has no bracket. */
export function flagText(name: string, property: PropertySchema | ObjectSchema | undefined): string {
  const value = property && 'default' in property ? `default ${JSON.stringify(property.default)}` : '';
  const types = typesOf(property);
  const type = types.includes('integer') ? 'int' : types.includes('boolean') ? 'switch' : types[0] === 'number' ? 'number' : '';
  const words = [type, value].filter(Boolean).join(', ');
  return `--${name}${words ? ` (${words})` : ''}`;
}

export function typesOf(property: PropertySchema | ObjectSchema | undefined): readonly string[] {
  const type = property?.type;
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}
