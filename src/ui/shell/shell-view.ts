/** The live region of the shell: what moves, what waits, the input, the status line. */
import { clipped } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { Features, LiveView, ScreenLine } from '../screen/port.js';
import type { Text } from '../text/index.js';
import type { Theme } from '../theme/theme.js';
import { type StatusPart, statusLine } from './status-line.js';

export interface ShellParts {
  readonly features: Features;
  readonly theme: Theme;
  readonly text: Text;
  /** What the run shows. */
  readonly running: readonly ScreenLine[];
  /** Lines typed ahead, the oldest first. */
  readonly queued: readonly string[];
  /** The input, or a question in its place. */
  readonly input: LiveView;
  readonly status: readonly StatusPart[];
}

const MOST_QUEUED = 3;
const LOW_ROWS = 10;

/** At most one row less than the window has; what moves gives way first, from its top. */
export function shellView({ features, theme, text, running, queued, input, status }: ShellParts): LiveView {
  const { columns, rows, unicode } = features;
  const rule = theme.border((unicode ? '─' : '-').repeat(columns));
  const waiting = queuedLines(queued, columns, theme, text, unicode);
  const foot = [statusLine(status, columns, theme, unicode ? ' · ' : ' | ')];
  // Set off from what stands above where there is room.
  const gap = rows >= 16 ? [''] : [];
  // In a low window what is said counts for more than what sets it off.
  const low = rows < LOW_ROWS;
  const lines = waiting.length + input.lines.length + foot.length + gap.length + (low ? 1 : 3);
  const room = Math.max(0, rows - 1 - lines);
  const moving = running.length > room ? running.slice(running.length - room) : running;
  const set = moving.length > 0 && !low ? [''] : [];
  const above = [...set, ...moving, ...gap, ...waiting, rule];
  const { cursor } = input;
  return {
    lines: [...above, ...input.lines, ...(low ? [] : [rule]), ...foot],
    ...(cursor ? { cursor: { row: above.length + cursor.row, column: cursor.column } } : {}),
  };
}

function queuedLines(queued: readonly string[], columns: number, theme: Theme, text: Text, unicode: boolean): ScreenLine[] {
  const mark = unicode ? '↳' : '+';
  const lines = queued.slice(0, MOST_QUEUED).map((line) => theme.dim(clipped(`${mark} ${safeLine(line, 300)}`, columns)));
  const rest = queued.length - lines.length;
  return rest > 0 ? [...lines, theme.dim(clipped(text.t('shell.moreQueued', { count: rest }), columns))] : lines;
}
