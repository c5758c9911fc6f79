/** Card of a test run: green or red, with the counts. */
import type { Display } from '../../types/tool.js';
import type { CardTools } from './shared.js';

export function testsCard(
  { ok, passed, failed, skipped }: Extract<Display, { kind: 'tests' }>,
  { text, paint }: CardTools,
): string[] {
  if (ok) return [paint.green(text.t('card.testsGreen', { passed, skipped }))];
  return [paint.red(text.t('card.testsRed', { failed, passed, skipped }))];
}
