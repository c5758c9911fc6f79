/** A tool's fields in few words, for prompts and help. */
import type { ObjectSchema, PropertySchema } from '../types/json.js';
import { typesOf } from './field-names.js';

/** `{file, start?: int, encoding?: text|base64, edits: [{file, search}]}` */
export function fieldsText(schema: Pick<ObjectSchema, 'properties' | 'required'>): string {
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const type = typeText(property);
    return `${name}${schema.required?.includes(name) ? '' : '?'}${type === '' ? '' : `: ${type}`}`;
  });
  return `{${fields.join(', ')}}`;
}

const SHORT: Readonly<Record<string, string>> = {
  string: '',
  integer: 'int',
  number: 'number',
  boolean: 'bool',
  object: 'object',
};

/** Empty for plain text. */
function typeText(property: PropertySchema | ObjectSchema): string {
  if ('enum' in property && property.enum) return property.enum.map(String).join('|');
  const names = typesOf(property).map((type) => {
    if (type === 'array') return `[${'items' in property && property.items ? typeText(property.items) || 'text' : ''}]`;
    if (type === 'object' && property.properties)
      return fieldsText({ properties: property.properties, required: property.required });
    return SHORT[type] ?? type;
  });
  return names.length > 1 ? names.map((name) => name || 'text').join('|') : (names[0] ?? '');
}

/** One line for each field: name, type, whether it must be given, what it means. */
export function fieldLines(schema: ObjectSchema): string[] {
  return Object.entries(schema.properties).map(([name, property]) => {
    const parts = [
      typeText(property) || 'text',
      schema.required?.includes(name) ? 'required' : '',
      'default' in property ? `default ${JSON.stringify(property.default)}` : '',
    ];
    const about = property.description ? `: ${property.description}` : '';
    return `  ${name} (${parts.filter(Boolean).join(', ')})${about}`;
  });
}
