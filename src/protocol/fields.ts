/** One object of arguments -> canonical fields with values of the right type. Nothing is guessed: what does not fit is left to validation. */
import { recoverJson } from '../base/json-recover.js';
import { pointerOf } from '../base/json-strict.js';
import { setKey } from '../base/json-types.js';
import { stableJson } from '../base/stable-json.js';
import type { Json, JsonObject, ObjectSchema, PropertySchema } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { isObject } from './args-text.js';
import { CallFault } from './call-fault.js';
import { type FieldOwner, isClosed, listField, resolveField, typesOf, unknownField } from './field-names.js';

export interface Fields {
  readonly args: JsonObject;
  /** Given key of every canonical field, for messages. */
  readonly givenAs: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** Canonical names and types for one object of arguments; `raw` is the text they came from. Throws CallFault. */
export function canonicalFields(tool: Tool, given: JsonObject, raw: string): Fields {
  const notes: string[] = [];
  const owner = { properties: tool.schema.properties, aliases: tool.fieldAliases, closed: isClosed(tool), raw };
  const { args, givenAs } = namedFields(owner, forEachItem(tool, owner, given), [], notes);
  return { args, givenAs, notes };
}

interface Owner extends FieldOwner {
  readonly closed: boolean;
  readonly raw: string;
}

/** `{"file":"a","edits":[{…},{…}]}`: what only the items of the tool's list know stands for each item that does not say otherwise. */
function forEachItem(tool: Tool, owner: Owner, given: JsonObject): JsonObject {
  const list = listField(tool);
  const items = list === undefined ? undefined : itemsOf(tool.schema.properties[list]);
  const key = list === undefined ? undefined : Object.keys(given).find((name) => resolveField(owner, name) === list);
  if (!owner.closed || !items?.properties || key === undefined) return given;
  const itemOwner = { properties: items.properties, aliases: tool.fieldAliases };
  const shared = Object.keys(given).filter(
    (name) => given[name] !== null && resolveField(owner, name) === undefined && resolveField(itemOwner, name) !== undefined,
  );
  const entries = shared.length > 0 ? entriesOf(given[key]) : undefined;
  if (!entries) return given;
  const rest: JsonObject = {};
  for (const [name, value] of Object.entries(given)) if (!shared.includes(name)) setKey(rest, name, value);
  rest[key] = entries.map((entry) => {
    if (!isObject(entry)) return entry;
    const own = new Set(Object.keys(entry).map((name) => resolveField(itemOwner, name) ?? name));
    const filled: JsonObject = { ...entry };
    for (const name of shared) if (!own.has(resolveField(itemOwner, name) ?? name)) setKey(filled, name, given[name] ?? null);
    return filled;
  });
  return rest;
}

/** The items of a list, also of one written as text; undefined when it cannot be told. */
function entriesOf(value: Json | undefined): Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (value !== null && typeof value === 'object') return [value];
  if (typeof value !== 'string') return undefined;
  const read = recoverJson(value.trim(), 'closed');
  return read.ok && read.repairs.length === 0 && typeof read.value === 'object' && read.value !== null
    ? entriesOf(read.value)
    : undefined;
}

/** Whether a number stands in the text exactly as its value is written: `1e3`, `1.0` and `-0` do not. */
function isWrittenSo(value: number, raw: string): boolean {
  return new RegExp(`(?<![\\d.eE+-])${String(value)}(?![\\d.eE])`).test(raw);
}

function namedFields(owner: Owner, given: JsonObject, path: readonly (string | number)[], notes: string[]) {
  const args: JsonObject = {};
  const givenAs = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    const field = resolveField(owner, key, value);
    if (value === null && (field === undefined || !typesOf(owner.properties[field]).includes('null'))) continue;
    if (field === undefined) {
      if (owner.closed) throw new CallFault(unknownField(owner, key, 'field'), { pointer: pointerOf([...path, key]) });
      setKey(args, key, value);
      continue;
    }
    const typed = typedValue(owner, value, owner.properties[field], [...path, field], notes);
    const other = givenAs.get(field);
    if (other !== undefined && stableJson(args[field]) !== stableJson(typed)) {
      throw new CallFault(`given twice, as ${JSON.stringify(other)} and as ${JSON.stringify(key)}, with different values`, {
        pointer: pointerOf([...path, field]),
      });
    }
    givenAs.set(field, key);
    setKey(args, field, typed);
  }
  return { args: inOrder(owner, args), givenAs };
}

/** Fields in the order of the schema, so that equal calls are equal texts. */
function inOrder(owner: Owner, args: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const field of Object.keys(owner.properties)) if (Object.hasOwn(args, field)) setKey(ordered, field, args[field] ?? null);
  for (const [key, value] of Object.entries(args)) if (!Object.hasOwn(ordered, key)) setKey(ordered, key, value);
  return ordered;
}

function typedValue(
  owner: Owner,
  value: Json,
  property: PropertySchema | ObjectSchema | undefined,
  path: readonly (string | number)[],
  notes: string[],
): Json {
  const types = typesOf(property);
  if (typeof value === 'string')
    return types.length === 0 || types.includes('string') ? value : fromText(owner, value, property, path, notes);
  if (typeof value === 'number')
    return types.length === 1 && types[0] === 'string' && Number.isSafeInteger(value) && isWrittenSo(value, owner.raw)
      ? String(value)
      : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return value.map((item, index) => typedValue(owner, item, itemsOf(property), [...path, index], notes));
  if (types.includes('array') && !types.includes('object'))
    return [typedValue(owner, value, itemsOf(property), [...path, 0], notes)];
  if (!property?.properties) return value;
  const inner = {
    properties: property.properties,
    aliases: owner.aliases,
    closed: owner.closed && property.additionalProperties !== true,
    raw: owner.raw,
  };
  return namedFields(inner, value, path, notes).args;
}

/** A text where something else is wanted: "10", "true", or a list or object written as JSON text. */
function fromText(
  owner: Owner,
  text: string,
  property: PropertySchema | ObjectSchema | undefined,
  path: readonly (string | number)[],
  notes: string[],
): Json {
  const types = typesOf(property);
  const trimmed = text.trim();
  if (
    (types.includes('integer') || types.includes('number')) &&
    /^[+-]?\d+$/.test(trimmed) &&
    Number.isSafeInteger(Number(trimmed))
  )
    return Number(trimmed);
  if (types.includes('number') && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) return Number(trimmed);
  if (types.includes('boolean') && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  const wantsList = types.includes('array');
  if (!wantsList && !types.includes('object')) return text;
  if (wantsList && typesOf(itemsOf(property)).includes('string') && !trimmed.startsWith('[')) return [text];
  const read = recoverJson(trimmed, 'closed');
  if (!read.ok) {
    const where = read.pointer ? ` (in ${read.pointer})` : '';
    throw new CallFault(`the text is not ${wantsList ? 'a list' : 'an object'} in JSON: ${read.message}${where}`, {
      pointer: pointerOf(path),
    });
  }
  if (read.repairs.length > 0) notes.push(`${pointerOf(path)} was repaired: ${read.repairs.join(', ')}`);
  if (typeof read.value === 'string') return fromText(owner, read.value, property, path, notes);
  return typedValue(owner, read.value, property, path, notes);
}

function itemsOf(property: PropertySchema | ObjectSchema | undefined): PropertySchema | ObjectSchema | undefined {
  return property && 'items' in property ? property.items : undefined;
}
