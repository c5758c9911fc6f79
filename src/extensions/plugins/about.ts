/** What a plugin says about itself (`--metadata`, `--schema`) -> checked data. Nothing it says is taken on trust. */
import { shortProse } from '../../base/one-line.js';
import { cleanText } from '../../process/clean-text.js';
import type { Json, JsonObject, ObjectSchema, PropertySchema } from '../../types/json.js';
import { because, type Reason } from '../../types/reason.js';
import type { PluginAbout, Read } from './types.js';

const NAME = /^@?[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const FIELD = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u;
const MOST_FIELDS = 100;
const MOST_DEPTH = 20;
const DESCRIPTION_CHARS = 300;
const USAGE_CHARS = 2000;
const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  text: 'string',
  path: 'string',
  file: 'string',
  int: 'integer',
  integer: 'integer',
  number: 'number',
  float: 'number',
  bool: 'boolean',
  boolean: 'boolean',
  array: 'array',
  list: 'array',
  object: 'object',
};

/** `@name` for a name plugins may have; undefined for any other. */
export function pluginName(text: string): string | undefined {
  return NAME.test(text) ? `@${text.replace(/^@/, '')}` : undefined;
}

/** The answer to `--metadata`. */
export function readMetadata(text: string): Read<Omit<PluginAbout, 'schema'>> {
  const object = objectOf(text);
  if (object === undefined) return fault(because`--metadata printed no JSON object`);
  const { name, description, usage, version } = object;
  if (typeof name !== 'string') return fault(because`--metadata names no "name"`);
  const known = pluginName(name.trim());
  if (known === undefined)
    return fault(
      because`its name ${shortProse(JSON.stringify(name), 80)} cannot be used; a name is @ and letters, digits, dashes`,
    );
  const odd = Object.entries({ description, usage, version }).find(
    ([, value]) => value !== undefined && value !== null && !['string', 'number'].includes(typeof value),
  );
  if (odd !== undefined) return fault(because`--metadata: "${odd[0]}" is no text`);
  return {
    ok: true,
    value: {
      name: known,
      description: line(description, DESCRIPTION_CHARS),
      usage: prose(usage, USAGE_CHARS),
      version: line(version, 40),
    },
  };
}

/** The answer to `--schema`; undefined: it has none. */
export function readSchema(text: string): Read<ObjectSchema | undefined> {
  if (text.trim() === '') return { ok: true, value: undefined };
  const object = objectOf(text);
  if (object === undefined) return fault(because`--schema printed no JSON object`);
  if (depthOf(object) > MOST_DEPTH) return fault(because`--schema is nested too deep`);
  if (Array.isArray(object['parameters'])) return fromParameters(object['parameters']);
  const { properties } = object;
  if (Object.keys(object).length === 0) return { ok: true, value: undefined };
  if (object['type'] !== 'object' && properties === undefined)
    return fault(because`--schema is neither a JSON Schema of an object nor a list of "parameters"`);
  if (properties !== undefined && !isObject(properties)) return fault(because`--schema: "properties" is no object`);
  return fromSchema(object, properties ?? {});
}

function fromSchema(object: JsonObject, properties: JsonObject): Read<ObjectSchema> {
  const names = Object.keys(properties);
  const odd = fieldFault(names);
  if (odd) return fault(odd);
  if (names.some((name) => !isObject(properties[name]) && typeof properties[name] !== 'boolean'))
    return fault(because`--schema: a property is no schema`);
  const { required } = object;
  if (required !== undefined && !(Array.isArray(required) && required.every((one) => typeof one === 'string')))
    return fault(because`--schema: "required" is no list of names`);
  const shown = Object.fromEntries(
    names.map((name): [string, PropertySchema] => [
      name,
      isObject(properties[name]) ? withPlainText(plainSchema(properties[name]) as JsonObject) : {},
    ]),
  );
  const { properties: _, ...rest } = plainSchema(object) as JsonObject;
  return { ok: true, value: { ...rest, type: 'object', properties: shown } as ObjectSchema };
}

/** Keywords that cost no more than the value is long: no expressions, no references, nothing that compares all with all. */
const KEPT = new Set(
  'type enum const default description title minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems required'.split(
    ' ',
  ),
);
const NESTED = new Set(['items', 'additionalProperties', 'not']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);

/** A schema without what a hostile value could make slow. */
function plainSchema(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (KEPT.has(key)) kept.push([key, value]);
    else if (NESTED.has(key)) kept.push([key, plainSchema(value)]);
    else if (LISTS.has(key) && Array.isArray(value)) kept.push([key, value.map(plainSchema)]);
    else if (key === 'properties' && isObject(value))
      kept.push([key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainSchema(one)]))]);
  }
  return Object.fromEntries(kept);
}

/** The form of the original's plugins. */
function fromParameters(list: readonly Json[]): Read<ObjectSchema> {
  const properties = new Map<string, PropertySchema>();
  const required: string[] = [];
  for (const one of list) {
    if (!isObject(one) || typeof one['name'] !== 'string') return fault(because`--schema: a parameter has no "name"`);
    const name = one['name'].replace(/^--?/, '');
    const odd = fieldFault([name]);
    if (odd) return fault(odd);
    const given = typeof one['type'] === 'string' ? one['type'].toLowerCase() : 'string';
    const type = Object.hasOwn(TYPES, given) ? TYPES[given] : undefined;
    const description = line(one['description'], DESCRIPTION_CHARS);
    const property = { ...(type === undefined ? {} : { type }), ...(description ? { description } : {}) } as PropertySchema;
    properties.set(name, Array.isArray(one['enum']) ? { ...property, enum: one['enum'] } : property);
    if (one['required'] === true) required.push(name);
  }
  const odd = fieldFault([...properties.keys()]);
  if (odd) return fault(odd);
  const schema = { type: 'object', properties: Object.fromEntries(properties) } as const;
  return { ok: true, value: required.length > 0 ? { ...schema, required } : schema };
}

function fieldFault(names: readonly string[]): Reason | undefined {
  if (names.length > MOST_FIELDS) return because`--schema has more than ${MOST_FIELDS} fields`;
  const odd = names.find((name) => !FIELD.test(name));
  return odd === undefined
    ? undefined
    : because`--schema: the field name ${shortProse(JSON.stringify(odd), 80)} cannot be a flag`;
}

/** A property whose description is one harmless line. */
function withPlainText(property: JsonObject): PropertySchema {
  const { description, ...rest } = property;
  const text = line(description, DESCRIPTION_CHARS);
  return { ...rest, ...(text ? { description: text } : {}) } as PropertySchema;
}

function line(value: unknown, most: number): string {
  return typeof value === 'string' || typeof value === 'number'
    ? shortProse(cleanText(String(value).slice(0, 10 * most)), most)
    : '';
}

/** Several lines without control characters. */
function prose(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  return cleanText(value.slice(0, most))
    .split('\n')
    .map((each) => shortProse(each, most))
    .join('\n')
    .trim();
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function depthOf(value: Json, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return depth;
  return Object.values(value).reduce<number>((most, one) => Math.max(most, depthOf(one, depth + 1)), depth);
}

function fault(why: Reason): { readonly ok: false; readonly why: Reason } {
  return { ok: false, why };
}
