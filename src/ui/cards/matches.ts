/** Card of a search: how many hits in how many files, and the first of them. */
import type { Display } from '../../types/tool.js';
import { safeLine } from '../safe-text.js';
import type { CardTools } from './shared.js';

const SHOWN = 5;

export function matchesCard(
  { hits, more }: Extract<Display, { kind: 'matches' }>,
  { text, paint, verbose }: CardTools,
): string[] {
  if (hits.length === 0 && !more) return [text.t('card.noMatches')];
  const files = text.t('card.files', { count: new Set(hits.map((hit) => hit.path)).size });
  const head = text.t(more ? 'card.moreMatches' : 'card.matches', { count: hits.length, files });
  if (!verbose) return [head];
  return [
    head,
    ...hits.slice(0, SHOWN).map((hit) => paint.dim(`${safeLine(hit.path, 100)}:${hit.line}: ${safeLine(hit.text, 100)}`)),
  ];
}
