/** Card of a plain text: its first lines. */
import type { Display } from '../../types/tool.js';
import { safeLine } from '../safe-text.js';
import type { CardTools } from './shared.js';

const SHOWN = 6;

export function textCard(display: Extract<Display, { kind: 'text' }>, { text, verbose, paint }: CardTools): string[] {
  const lines = display.text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, verbose ? SHOWN : 1).map((line) => safeLine(line, 160));
  const rest = lines.length - shown.length;
  return rest > 0 && verbose ? [...shown, paint.dim(text.t('card.moreLines', { count: rest }))] : shown;
}
