/** Makes text of a service safe to show: no key values, no terminal codes, bounded. */
import type { ProviderSettings } from './entry.js';

const SECRET_NAME = /(?:_API_KEY|_TOKEN|_SECRET|_PASSWORD|_CLIENT_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY)$/;
/** Shapes of well-known keys, so that one we were not told about does not show either. */
const SECRET_SHAPE =
  /\b(?:sk-[A-Za-z0-9_-]{12,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xai-[A-Za-z0-9]{16,}|gsk_[A-Za-z0-9]{16,})/g;
/** Shorter values would blank out ordinary words. */
const MIN_LENGTH = 6;
const MAX_MESSAGE = 600;

/** All key values the settings hold, longest first. */
export function secretsOf(settings: ProviderSettings): string[] {
  const values = Object.entries(settings.env).flatMap(([name, value]) => (SECRET_NAME.test(name) && value ? [value] : []));
  values.push(...Object.values(settings.config.keys ?? {}));
  return normalize(values);
}

/** Trimmed, long enough to be a key, each once, longest first. */
function normalize(values: readonly string[]): string[] {
  const long = values.map((value) => value.trim()).filter((value) => value.length >= MIN_LENGTH);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

/** The text on one line, without keys and control characters, at most 600 characters. */
export function safeText(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of normalize(secrets)) safe = safe.replaceAll(secret, '[key]');
  safe = safe
    .replace(SECRET_SHAPE, '[key]')
    .replace(/\/\/[^/@\s]+@/g, '//[key]@')
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return safe.length > MAX_MESSAGE ? `${safe.slice(0, MAX_MESSAGE)}…` : safe;
}
