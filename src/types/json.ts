/** Plain JSON values and the JSON Schema subset tools are described with. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A JSON Schema (draft 2020-12) of an object: what a tool accepts. Kept as plain data so that it can be sent, printed and validated. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: PropertySchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export interface PropertySchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | readonly string[];
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly items?: PropertySchema | ObjectSchema;
  readonly properties?: { readonly [name: string]: PropertySchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}
