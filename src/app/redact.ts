/** Takes the keys of model services out of what is shown to a model or written to disk. */
import { isProviderSecret } from '../process/scrub-env.js';
import type { Config } from './config.js';

/** Shorter values would blank out ordinary words. */
const SHORTEST_KEY = 8;
export const KEY_MARK = '[key]';

/** The values of all provider keys this process knows, longest first; never a plain number or word. */
export function providerKeys(config: Pick<Config, 'env' | 'keys'>): string[] {
  const values = Object.entries(config.env).flatMap(([name, value]) => (isProviderSecret(name) ? [value.trim()] : []));
  values.push(...Object.values(config.keys));
  const keys = values.filter((value) => value.length >= SHORTEST_KEY && !/^(?:\d+|[A-Za-z-]+)$/.test(value));
  return [...new Set(keys)].sort((a, b) => b.length - a.length);
}

/** Replaces every key in a text. */
export function textRedactor(keys: readonly string[]): (text: string) => string {
  return (text) => keys.reduce((rest, key) => (rest.includes(key) ? rest.replaceAll(key, KEY_MARK) : rest), text);
}

/** Replaces keys inside the string values of one line of JSON; names, numbers and the shape of the line stay. */
export function lineRedactor(config: Pick<Config, 'env' | 'keys'>): (json: string) => string {
  const keys = providerKeys(config);
  const inJson = keys.map((key) => JSON.stringify(key).slice(1, -1));
  const redact = textRedactor(keys);
  return (json) => {
    if (!inJson.some((key) => json.includes(key))) return json;
    return JSON.stringify(
      JSON.parse(json, (name, value: unknown) => (typeof value === 'string' && name !== 'type' ? redact(value) : value)),
    );
  };
}
