/** Rich card of the task plan: how far it is, and each task with its mark. */
import type { Display, PlanTask } from '../../types/tool.js';
import { columnsOf } from '../markdown/cells.js';
import { flowed } from '../markdown/flow.js';
import { paintSpans, type Span } from '../markdown/spans.js';
import { safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Role } from '../theme/theme.js';
import { type CardRoom, folded, MOST_LINES, oneLine, piece, plainLine, sentence } from './shared.js';

interface Mark {
  readonly unicode: string;
  readonly ascii: string;
  readonly role: Role;
  readonly words: Role | undefined;
}

const MARKS: { readonly [status in PlanTask['status']]: Mark } = {
  completed: { unicode: '[✓]', ascii: '[x]', role: 'good', words: 'dim' },
  in_progress: { unicode: '[▸]', ascii: '[>]', role: 'accent', words: undefined },
  failed: { unicode: '[✗]', ascii: '[!]', role: 'bad', words: undefined },
  pending: { unicode: '[ ]', ascii: '[ ]', role: 'dim', words: undefined },
};
const FOLDED = 20;

export function planCard({ tasks }: Extract<Display, { kind: 'plan' }>, room: CardRoom): ScreenLine[] {
  const done = tasks.filter(({ status }) => status === 'completed').length;
  const head = sentence(room.text.t('card.planProgress', { done, total: tasks.length }), room, 'dim');
  const rows = tasks.flatMap((task) => taskLines(task, room));
  return [...head, ...folded(rows, room.open ? MOST_LINES : FOLDED, room)];
}

function taskLines(task: PlanTask, room: CardRoom): ScreenLine[] {
  const mark = MARKS[task.status];
  const lead: Span[] = [piece(room.unicode ? mark.unicode : mark.ascii, mark.role), piece(` ${task.id}. `, 'dim')];
  const indent = lead.reduce((sum, span) => sum + columnsOf(span.text), 0);
  const words: Span = { ...piece(plainLine(safeLine(task.description, 300)), mark.words), strong: task.status === 'in_progress' };
  const note = task.error
    ? ` (${plainLine(safeLine(task.error, 120))}; ${room.text.t('card.attempts', { count: task.attempts })})`
    : '';
  if (indent > room.columns / 2) return [oneLine([...lead, words], room)];
  const lines = flowed([words, piece(note, 'bad')], room.columns - indent);
  return lines.map((line, index) =>
    paintSpans(index === 0 ? [...lead, ...line] : [piece(' '.repeat(indent)), ...line], room.theme),
  );
}
