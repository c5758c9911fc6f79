/** Card of a command that ran: how it ended. */
import type { Display } from '../../types/tool.js';
import { safeLine } from '../safe-text.js';
import type { CardTools } from './shared.js';

export function processCard(
  { exitCode, signal, ms }: Extract<Display, { kind: 'process' }>,
  { text, paint }: CardTools,
): string[] {
  const time = text.duration(ms);
  if (exitCode === null && !signal) return [paint.red(text.t('card.stopped', { time }))];
  if (exitCode === null) return [paint.red(text.t('card.signal', { signal: safeLine(signal ?? '', 20), time }))];
  const line = text.t('card.exit', { code: exitCode, time });
  return [exitCode === 0 ? line : paint.red(line)];
}
