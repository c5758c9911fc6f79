/** `/checkpoint [list|diff ID|restore ID [--exact] [yes]]`: snapshots of the folder; a restore shows first what it would change. */
import type { Command, CommandContext } from '../types/command.js';
import type { CheckpointChange, CheckpointsPort } from '../types/command-ports.js';
import { dateOf, reasonOf } from './shared/session-lines.js';
import { oneLine } from './shared/undo-report.js';

const MOST_LISTED = 30;
const MOST_NAMED = 40;

export const checkpoint: Command = {
  name: 'checkpoint',
  aliases: ['checkpoints'],
  summary: 'command.checkpoint',
  group: 'changes',
  async run(words, context) {
    const { checkpoints, print, t, failed } = context;
    if (!checkpoints) return print(t('command.notHere'));
    const [action = 'list', id = '', ...rest] = words === '' ? [] : words.split(/\s+/);
    try {
      if (action === 'list') return print((await listed(checkpoints, t)).join('\n'));
      if (action === 'diff' && id !== '') return print((await checkpoints.diff(id)) || t('diff.none'));
      if (action === 'restore' && id !== '') return await restore(id, rest, checkpoints, context);
      print(t('checkpoint.usage'));
    } catch (error) {
      print(reasonOf(error));
    }
    return failed?.();
  },
  async complete(_word, { checkpoints }, before) {
    if (before === '') return ['list', 'diff', 'restore'].map((insert) => ({ insert }));
    if (!checkpoints || !/^(?:diff|restore)$/.test(before)) return [];
    return (await checkpoints.list()).map(({ id, time, label }) => ({ insert: id, detail: `${dateOf(time)}  ${label}` }));
  },
};

async function listed(port: CheckpointsPort, t: CommandContext['t']): Promise<string[]> {
  const all = await port.list();
  if (all.length === 0) return [t('checkpoint.none')];
  const rows = all.slice(0, MOST_LISTED).map(({ id, time, label }) => `  ${id}  ${dateOf(time)}  ${oneLine(label)}`);
  const more = all.length - rows.length;
  return [...rows, ...(more > 0 ? [t('list.more', { count: more })] : []), t('checkpoint.hint')];
}

async function restore(id: string, rest: readonly string[], port: CheckpointsPort, context: CommandContext): Promise<void> {
  const { print, t, failed } = context;
  const exact = rest.includes('--exact');
  if (rest.some((word) => /^(?:yes|sim)$/i.test(word))) {
    const { done, lines } = await port.restore(id, { exact });
    if (!done) failed?.();
    return print(lines.join('\n'));
  }
  const changes = (await port.changes(id)).filter((one) => exact || one.how !== 'added');
  if (changes.length === 0) return print(t('checkpoint.same'));
  const rows = changes.slice(0, MOST_NAMED).map((one) => `  ${t(EFFECT[one.how], { path: oneLine(one.path) })}`);
  const more = changes.length - rows.length;
  const command = `/checkpoint restore ${id}${exact ? ' --exact' : ''} yes`;
  print([...rows, ...(more > 0 ? [t('list.more', { count: more })] : []), t('checkpoint.confirm', { command })].join('\n'));
}

/** What a restore does to a file that changed so since. */
const EFFECT: Readonly<Record<CheckpointChange['how'], string>> = {
  added: 'checkpoint.wouldRemove',
  removed: 'checkpoint.wouldBring',
  changed: 'checkpoint.wouldChange',
};
