/** Card of edits: each file with its counts. */
import type { Display, FileChange } from '../../types/tool.js';
import { safeLine } from '../safe-text.js';
import type { CardTools } from './shared.js';

const SHOWN = 20;

export function diffCard(display: Extract<Display, { kind: 'diff' }>, tools: CardTools): string[] {
  const shown = display.changes.slice(0, SHOWN).map((change) => changeLine(change, tools));
  const rest = display.changes.length - shown.length;
  return rest > 0 ? [...shown, tools.paint.dim(tools.text.t('card.moreLines', { count: rest }))] : shown;
}

function changeLine(change: FileChange, { text, paint }: CardTools): string {
  const { added, removed } = change;
  const path = safeLine(change.path, 160);
  if (removed === 0 && isNew(change)) return paint.green(text.t('card.fileCreated', { path, added }));
  if (added === 0 && isGone(change)) return paint.red(text.t('card.fileDeleted', { path, removed }));
  return text.t('card.fileChanged', { path, added, removed });
}

/** Long texts may be left out of a change, so one side alone says nothing: the other must be there. */
const isNew = ({ before, after }: FileChange): boolean => before === undefined && after !== undefined;
const isGone = ({ before, after }: FileChange): boolean => after === undefined && before !== undefined;
