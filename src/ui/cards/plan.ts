/** Card of the task plan: progress, then the tasks. */
import type { Display, PlanTask } from '../../types/tool.js';
import { safeLine } from '../safe-text.js';
import type { CardTools } from './shared.js';

const MARKS: { readonly [status in PlanTask['status']]: string } = {
  completed: '[x]',
  in_progress: '[>]',
  failed: '[!]',
  pending: '[ ]',
};

export function planCard({ tasks }: Extract<Display, { kind: 'plan' }>, { text, paint }: CardTools): string[] {
  const done = tasks.filter((task) => task.status === 'completed').length;
  const rows = tasks.map((task) => {
    const row = `${MARKS[task.status]} ${task.id}. ${safeLine(task.description, 120)}`;
    const note = task.error ? ` (${safeLine(task.error, 80)}; ${text.t('card.attempts', { count: task.attempts })})` : '';
    return task.status === 'completed' ? paint.dim(row) : row + note;
  });
  return [text.t('card.planProgress', { done, total: tasks.length }), ...rows];
}
