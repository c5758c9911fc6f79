/** The model's reasoning, folded: one line while it comes, one line for good, the whole on request. */

import { clipped } from '../markdown/cells.js';
import { safeText } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Text } from '../text/index.js';
import type { Theme } from '../theme/theme.js';
import { wrap } from '../width.js';

/** More is not kept for unfolding. */
const MOST_KEPT = 200_000;

export interface Thinking {
  push(text: string, now: number): void;
  /** Something was thought and is not folded yet. */
  readonly open: boolean;
  /** The line that shows what it is at; only while open. */
  live(columns: number, theme: Theme, unicode: boolean): ScreenLine[];
  /** Ends this piece of thinking: the line that stays. */
  fold(now: number, columns: number, theme: Theme, unicode: boolean): ScreenLine[];
  /** All of the last folded piece; empty when there is none. */
  whole(columns: number, theme: Theme): ScreenLine[];
}

export function createThinking(text: Text): Thinking {
  let current = '';
  let since = 0;
  let last = '';
  return {
    push(piece, now) {
      if (current === '') since = now;
      if (current.length < MOST_KEPT) current += piece;
    },
    get open() {
      return current.trim() !== '';
    },
    live(columns, theme, unicode) {
      if (current.trim() === '') return [];
      const line = safeText(current.slice(-2000)).trimEnd().split('\n').at(-1)?.trim() ?? '';
      const head = `${unicode ? '✻' : '*'} ${text.t('shell.thinking')}`;
      return [theme.dim(clipped(line === '' ? head : `${head}: ${line}`, columns))];
    },
    fold(now, columns, theme, unicode) {
      if (current.trim() === '') {
        current = '';
        return [];
      }
      last = current;
      current = '';
      const spent = Math.max(0, now - since);
      const said = spent < 1000 ? text.t('shell.thoughtBriefly') : text.t('shell.thought', { time: text.duration(spent) });
      return [theme.dim(clipped(`${unicode ? '✻' : '*'} ${said}`, columns))];
    },
    whole: (columns, theme) =>
      last === '' ? [] : wrap(safeText(last).trim(), columns - 2).map((line) => `  ${theme.dim(line)}`),
  };
}
