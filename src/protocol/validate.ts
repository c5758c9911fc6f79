/** Canonical arguments against the tool's JSON Schema (draft 2020-12): the first fault, with its place and what was expected. */
import { type Schema, Validator } from '@cfworker/json-schema';
import { pointerOf } from '../base/json-strict.js';
import type { Json, JsonObject, ObjectSchema, PropertySchema } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { isObject } from './args-text.js';
import { typesOf } from './field-names.js';

interface ArgumentFault {
  /** JSON pointer of the field; empty for the whole. */
  readonly pointer: string;
  /** What was expected, and what came. */
  readonly message: string;
}

const validators = new WeakMap<ObjectSchema, Validator>();

/** Undefined when the arguments are valid. A foreign schema that is itself broken lets everything pass. */
export function validateArgs(tool: Pick<Tool, 'schema'>, args: JsonObject): ArgumentFault | undefined {
  const halved = loneSurrogate(args, []) ?? lostNumber(args, []);
  if (halved) return halved;
  let errors: readonly { readonly instanceLocation: string; readonly keyword: string; readonly error: string }[];
  try {
    errors = validatorOf(tool.schema).validate(args).errors;
  } catch {
    return undefined;
  }
  const leaf =
    errors.find(
      (error) => !['properties', 'items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', '$ref'].includes(error.keyword),
    ) ?? errors[0];
  if (!leaf) return undefined;
  const steps = leaf.instanceLocation
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .map((step) => decodeURIComponentSafe(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = valueAt(args, steps);
  const property = schemaAt(tool.schema, steps);
  if (leaf.keyword === 'required') return missing(property, found, steps, leaf.error);
  return { pointer: pointerOf(steps), message: `${expectation(leaf.keyword, property, leaf.error)}, got ${shown(found)}` };
}

function validatorOf(schema: ObjectSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made = new Validator(schema as unknown as Schema, '2020-12', false);
  validators.set(schema, made);
  return made;
}

function missing(
  property: PropertySchema | ObjectSchema | undefined,
  found: Json | undefined,
  steps: readonly string[],
  fallback: string,
): ArgumentFault {
  const has = isObject(found) ? found : {};
  const name = property?.required?.find((field) => !Object.hasOwn(has, field));
  if (name === undefined) return { pointer: pointerOf(steps), message: fallback };
  return {
    pointer: pointerOf([...steps, name]),
    message: `required, but missing: expected ${typeName(property?.properties?.[name])}`,
  };
}

function expectation(keyword: string, property: PropertySchema | ObjectSchema | undefined, fallback: string): string {
  const value = property as PropertySchema | undefined;
  if (keyword === 'type') return `expected ${typeName(value)}`;
  if (keyword === 'enum' && value?.enum) return `expected one of ${value.enum.map((item) => JSON.stringify(item)).join(', ')}`;
  if (keyword === 'minimum' && value?.minimum !== undefined) return `expected ${rangeOf(value)}`;
  if (keyword === 'maximum' && value?.maximum !== undefined) return `expected ${rangeOf(value)}`;
  if (keyword === 'minLength')
    return value?.minLength === 1 ? 'expected a text that is not empty' : `expected at least ${value?.minLength} characters`;
  if (keyword === 'minItems') return `expected at least ${value?.minItems} ${value?.minItems === 1 ? 'entry' : 'entries'}`;
  if (keyword === 'false') return 'a field the tool does not know';
  return fallback.replace(/\.$/, '');
}

function rangeOf(property: PropertySchema): string {
  const type = typeName(property);
  if (property.minimum !== undefined && property.maximum !== undefined)
    return `${type} from ${property.minimum} to ${property.maximum}`;
  return property.minimum === undefined ? `${type} of at most ${property.maximum}` : `${type} of at least ${property.minimum}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeName(property: PropertySchema | ObjectSchema | undefined): string {
  const names = typesOf(property).map((type) => TYPE_NAMES[type] ?? type);
  return names.length > 0 ? names.join(' or ') : 'a value';
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  const cut = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  if (typeof value === 'string') return `the text ${cut}`;
  if (Array.isArray(value)) return `a list (${cut})`;
  return value !== null && typeof value === 'object' ? `an object (${cut})` : cut;
}

function valueAt(args: JsonObject, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = args;
  for (const step of steps) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Array.isArray(value) ? value[Number(step)] : Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function schemaAt(schema: ObjectSchema, steps: readonly string[]): PropertySchema | ObjectSchema | undefined {
  let at: PropertySchema | ObjectSchema | undefined = schema;
  for (const step of steps) {
    if (at?.properties && Object.hasOwn(at.properties, step)) at = at.properties[step];
    else at = at && 'items' in at ? at.items : undefined;
  }
  return at;
}

/** Half a surrogate pair cannot be written as UTF-8: it would become another character in silence. */
function loneSurrogate(value: Json, path: readonly (string | number)[]): ArgumentFault | undefined {
  if (typeof value === 'string')
    return isWellFormed(value)
      ? undefined
      : {
          pointer: pointerOf(path),
          message: 'the text holds half of a surrogate pair (\\ud800 to \\udfff), which is no character',
        };
  if (value === null || typeof value !== 'object') return undefined;
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of entries) {
    const fault = loneSurrogate(item, [...path, key]);
    if (fault) return fault;
  }
  return undefined;
}

/** A number beyond what can be kept exactly would become another one in silence. */
function lostNumber(value: Json, path: readonly (string | number)[]): ArgumentFault | undefined {
  if (typeof value === 'number') {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return undefined;
    return { pointer: pointerOf(path), message: 'the number is too large to be kept exactly; write it as a text' };
  }
  if (value === null || typeof value !== 'object') return undefined;
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of entries) {
    const fault = lostNumber(item, [...path, key]);
    if (fault) return fault;
  }
  return undefined;
}

function isWellFormed(text: string): boolean {
  return !/(?:[\ud800-\udbff](?![\udc00-\udfff]))|(?:(?<![\ud800-\udbff])[\udc00-\udfff])/.test(text);
}

function decodeURIComponentSafe(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
