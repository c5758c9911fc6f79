/** The plan while a run lasts: the step it is at with those around it. */
import type { PlanTask } from '../../types/tool.js';
import { clipped } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Text } from '../text/index.js';
import type { Theme } from '../theme/theme.js';

const SHOWN = 6;
const MARKS = {
  unicode: { completed: '[✓]', in_progress: '[▸]', pending: '[ ]', failed: '[✗]' },
  plain: { completed: '[x]', in_progress: '[>]', pending: '[ ]', failed: '[!]' },
} as const;

/** At most six steps, the first unfinished one among them; how many are left out stands in the last line. */
export function planLines(
  tasks: readonly PlanTask[],
  { columns, theme, unicode }: { readonly columns: number; readonly theme: Theme; readonly unicode: boolean },
  text: Text,
): ScreenLine[] {
  if (tasks.length === 0) return [];
  const marks = unicode ? MARKS.unicode : MARKS.plain;
  const at = tasks.findIndex(({ status }) => status === 'in_progress' || status === 'pending');
  const from = Math.max(0, Math.min((at < 0 ? tasks.length : at) - 2, tasks.length - SHOWN));
  const shown = tasks.slice(from, from + SHOWN).map(({ status, description }) => {
    const line = clipped(`${marks[status]} ${safeLine(description, 300)}`, columns);
    if (status === 'in_progress') return theme.accent(line);
    return status === 'failed' ? theme.bad(line) : status === 'completed' ? theme.dim(line) : line;
  });
  const left = tasks.length - shown.length;
  return left > 0 ? [...shown, theme.dim(clipped(text.t('shell.moreSteps', { count: left }), columns))] : shown;
}
