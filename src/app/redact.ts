/** Which keys this process knows, and the functions that take them out of what is shown to a model or written to disk. */
import { createRedactor, KEY_MARK, type Redact, redactValue } from '../base/secret-text.js';
import { isProviderSecret } from '../process/scrub-env.js';
import type { Config } from './config.js';

export { KEY_MARK };

/** Shorter values would blank out ordinary words. */
const SHORTEST_KEY = 8;
/** A value of letters alone is a word, unless it is as long as no word is. */
const LONGEST_WORD = 24;

/** The values of all provider keys this process knows, longest first; never a plain number or word. */
export function providerKeys(config: Pick<Config, 'env' | 'keys'>): string[] {
  const values = Object.entries(config.env).flatMap(([name, value]) => (isProviderSecret(name) ? [value.trim()] : []));
  values.push(...Object.values(config.keys).map((value) => value.trim()));
  const isPlain = (value: string) => /^\d+$/.test(value) || (value.length <= LONGEST_WORD && /^[A-Za-z-]+$/.test(value));
  const keys = values.filter((value) => value.length >= SHORTEST_KEY && !isPlain(value));
  return [...new Set(keys)].sort((a, b) => b.length - a.length);
}

/** Replaces every key in a text, and what looks like the key of a well-known service. */
export function textRedactor(keys: readonly string[]): Redact {
  return createRedactor(keys);
}

/** Replaces keys inside the string values of one line of JSON; names, numbers and the shape of the line stay. */
export function lineRedactor(config: Pick<Config, 'env' | 'keys'>): (json: string) => string {
  const redact = createRedactor(providerKeys(config));
  return (json) => {
    const value: unknown = JSON.parse(json);
    const safe = redactValue(value, redact);
    return safe === value ? json : JSON.stringify(safe);
  };
}
