/** Card of a test run: green or red, with the counts, and what failed. */
import type { Display } from '../../types/tool.js';
import { safeLine } from '../safe-text.js';
import type { CardTools } from './shared.js';

type Tests = Extract<Display, { kind: 'tests' }>;

const MOST_LINES = 12;
const LAST_LINES = 6;

export function testsCard({ ok, passed, failed, skipped }: Tests, { text, paint }: CardTools): string[] {
  if (ok) return [paint.green(text.t('card.testsGreen', { passed, skipped }))];
  return [paint.red(text.t('card.testsRed', { failed, passed, skipped }))];
}

/** Below the counts: the failing tests a red result begins with; without any count, how the run ended and its last lines. */
export function testReport({ ok, passed, failed, skipped }: Tests, output: string, { text, paint }: CardTools): string[] {
  const lines = output.split('\n');
  const end = lines.findIndex((line) => line.startsWith('Output of'));
  if (passed + failed + skipped === 0) {
    const last = ok || end < 0 ? [] : lines.slice(end + 1).filter((line) => line.trim() !== '');
    return [...lines.slice(0, 1), ...last.slice(-LAST_LINES)].map(shownLine).filter((line) => line.trim() !== '');
  }
  if (ok) return [];
  const listed = lines.slice(1, end < 0 ? lines.length : end).filter((line) => line.trim() !== '');
  const rest = listed.length - MOST_LINES;
  const shown = listed.slice(0, MOST_LINES).map(shownLine);
  return rest > 0 ? [...shown, `  ${paint.dim(text.t('card.moreLines', { count: rest }))}`] : shown;
}

/** Indented, its own indentation kept. */
function shownLine(line: string): string {
  const indent = /^ {0,12}/.exec(line)?.[0] ?? '';
  return `  ${indent}${safeLine(line, 160)}`;
}
