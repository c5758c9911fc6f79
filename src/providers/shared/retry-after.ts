/** How long a service asks us to wait. */
import { isRecord, parseJson } from './well-formed.js';

/** Milliseconds from `Retry-After` (seconds or an HTTP date), `retry-after-ms`, or Google's RetryInfo; undefined when none is told. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, body: string, now: number): number | undefined {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return wholeMs(lower['retry-after-ms'], 1) ?? headerMs(lower['retry-after'], now) ?? googleMs(body);
}

function headerMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = wholeMs(value, 1000);
  if (seconds !== undefined) return seconds;
  // Anything else Date.parse would make a date of, even `-5`.
  const date = /^\s*[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function wholeMs(value: string | undefined, unit: number): number | undefined {
  if (value === undefined || !/^\s*\d{1,9}(?:\.\d{1,6})?\s*$/.test(value)) return undefined;
  return Math.round(Number(value) * unit);
}

/** `{"error":{"details":[{"@type":"…RetryInfo","retryDelay":"17s"}]}}` */
function googleMs(body: string): number | undefined {
  if (!body.includes('RetryInfo')) return undefined;
  const parsed = parseJson(body);
  const error = isRecord(parsed) ? parsed['error'] : undefined;
  const details = isRecord(error) ? error['details'] : undefined;
  if (!Array.isArray(details)) return undefined;
  const delay = details.filter(isRecord).find((detail) => String(detail['@type']).endsWith('RetryInfo'))?.['retryDelay'];
  const seconds = typeof delay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}
