/** The one line under the input: mode, model, how full the window is, cost, rights, sandbox. */

import { clipped } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Theme } from '../theme/theme.js';
import { textWidth } from '../width.js';

/** What the line shows, from the most to the least important; empty ones are left out. */
export interface StatusPart {
  readonly text: string;
  readonly look?: 'accent' | 'warn' | 'bad';
}

/** As many parts as fit, the later ones dropped first. */
export function statusLine(parts: readonly StatusPart[], columns: number, theme: Theme, separator: string): ScreenLine {
  let line = '';
  let width = 0;
  for (const { text, look } of parts) {
    const shown = safeLine(text, 120);
    if (shown === '') continue;
    const between = width === 0 ? '' : separator;
    const room = columns - width - textWidth(between);
    if (textWidth(shown) > room) {
      if (width === 0) return theme.dim(clipped(shown, columns));
      continue;
    }
    line += theme.dim(between) + (look ? theme[look](shown) : theme.dim(shown));
    width += textWidth(between) + textWidth(shown);
  }
  return line;
}
