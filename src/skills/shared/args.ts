/** Arguments of scripts, already checked against their schemas. */
import type { JsonObject, PropertySchema } from '../../types/json.js';

export const DIR: PropertySchema = { type: 'string', default: '.', description: 'Folder of the project' };
export const ECOSYSTEM: PropertySchema = {
  type: 'string',
  enum: ['go', 'javascript', 'python', 'rust', 'java'],
  description: 'Only this one, where a folder has several',
};
export const SECONDS: PropertySchema = {
  type: 'integer',
  minimum: 1,
  maximum: 86_400,
  default: 600,
  description: 'Seconds for each command',
};

export const textOf = (args: JsonObject, name: string): string | undefined => {
  const value = args[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const numberOf = (args: JsonObject, name: string): number | undefined => {
  const value = args[name];
  return typeof value === 'number' ? value : undefined;
};

export const flagOf = (args: JsonObject, name: string): boolean => args[name] === true;

export const dirOf = (args: JsonObject): string => textOf(args, 'dir') ?? '.';

export function listOf(args: JsonObject, name: string): string[] {
  const value = args[name];
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];
}
