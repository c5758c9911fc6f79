/** `/undo`: takes back what the last turns, or one file's last change, did to files. */
import type { Command } from '../types/command.js';
import { isIncomplete, reportLines } from './shared/undo-report.js';

const MOST_TURNS = 1000;

export const undo: Command = {
  name: 'undo',
  aliases: [],
  summary: 'command.undo',
  group: 'changes',
  async run(words, { undoing, print, t, failed }) {
    if (!undoing) return print(t('undo.unavailable'));
    const { force, rest } = parse(words);
    const turns = /^\d{1,4}$/.test(rest) ? Math.min(Number(rest), MOST_TURNS) : undefined;
    const path = turns === undefined && rest !== '' ? rest : undefined;
    const report = await undoing.undo({
      force,
      ...(turns === undefined ? {} : { turns }),
      ...(path === undefined ? {} : { path }),
    });
    const lines = reportLines(report, 'undo.taken', t);
    if (report.turns.length === 0) lines.unshift(path === undefined ? t('undo.nothing') : t('undo.nothingOf', { path }));
    if (report.kept.some((file) => file.why === 'changed')) lines.push(t('undo.forceHint'));
    if (report.dropped > 0 && report.turns.length === 0) lines.push(t('undo.dropped', { count: report.dropped }));
    const reason = undoing.fault();
    if (reason !== undefined) lines.push(t('undo.notRecorded', { reason }));
    if (isIncomplete(report)) failed?.();
    return print(lines.join('\n'));
  },
};

/** `--force` stands first or last; the rest is a number of turns or a path, blanks included. */
function parse(words: string): { readonly force: boolean; readonly rest: string } {
  const rest = words.trim().replace(/^(?:--force|-f)(?:\s+|$)|(?:^|\s+)(?:--force|-f)$/g, '');
  return { force: rest !== words.trim(), rest: rest.trim() };
}
