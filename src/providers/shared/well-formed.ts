/** Text and JSON guards shared by the conversions. */
import type { Json } from '../../types/json.js';

/** Half of a surrogate pair cannot be written as UTF-8; services refuse the whole request for it. */
export function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}

/** A plain object, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as JSON data without undefined, or undefined when it is nothing. */
export function asJson(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

/** Parsed JSON, or undefined for text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
