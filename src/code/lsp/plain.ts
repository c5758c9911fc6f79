/** Text and findings from servers, made safe, short and one line each. */
import { cleanText } from '../../process/clean-text.js';
import type { Finding, Severity } from '../../types/language.js';
import { linesOf, type PositionEncoding, readRange, toPosition } from './positions.js';

const LONGEST_MESSAGE = 400;
const LONGEST_SOURCE = 40;
/** Findings of one file that are looked at. */
const MOST_FINDINGS = 2000;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/** Marks that change the order of letters or cannot be seen. */
const UNSEEN = /[\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Several lines without control characters and marks nobody sees. */
export function plainText(text: string): string {
  return cleanText(text).replace(UNSEEN, '').trim();
}

/** One line without control characters, at most so many characters; never half a character. */
export function oneLine(text: string, most: number): string {
  const line = cleanText(text.slice(0, most * 4))
    .replace(UNSEEN, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Text of a `string`, a `MarkupContent`, a `MarkedString` or a list of those; empty for anything else. */
export function markedText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && depth === 0)
    return value
      .slice(0, 50)
      .map((part) => markedText(part, 1))
      .filter((part) => part !== '')
      .join('\n\n');
  const { value: text } = (value ?? {}) as { value?: unknown };
  return typeof text === 'string' ? text : '';
}

/** What a server sent as diagnostics of one file; entries that are none are passed over. Most severe first, then by place. */
export function readFindings(
  items: unknown,
  about: { readonly path: string; readonly text: string | undefined; readonly encoding: PositionEncoding },
): Finding[] {
  if (!Array.isArray(items)) return [];
  const lines = about.text === undefined || about.encoding === 'utf-16' ? undefined : linesOf(about.text);
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const item of items.slice(0, MOST_FINDINGS)) {
    const finding = readFinding(item, about, lines);
    if (finding === undefined) continue;
    const key = JSON.stringify([finding.line, finding.column, finding.severity, finding.message]);
    if (!seen.has(key)) findings.push(finding);
    seen.add(key);
  }
  return findings.sort(bySeverity);
}

/** Errors first; within one severity in the order of the file. */
function bySeverity(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.line - b.line || a.column - b.column || compare(a, b)
  );
}

const compare = (a: Finding, b: Finding): number => (a.message < b.message ? -1 : a.message > b.message ? 1 : 0);

function readFinding(
  item: unknown,
  { path, encoding }: { readonly path: string; readonly encoding: PositionEncoding },
  lines: readonly string[] | undefined,
): Finding | undefined {
  const { range, severity, message, source } = (item ?? {}) as Record<string, unknown>;
  const place = readRange(range);
  const text = oneLine(markedText(message), LONGEST_MESSAGE);
  if (place === undefined || text === '') return undefined;
  const { line, column } = toPosition(place.start, lines?.[place.start.line], encoding);
  const index = typeof severity === 'number' ? severity - 1 : 0;
  const from = typeof source === 'string' ? oneLine(source, LONGEST_SOURCE) : '';
  return { path, line, column, severity: SEVERITIES[index] ?? 'error', message: text, source: from };
}
