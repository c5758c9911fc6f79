/** `/diff`: what the session, one of its turns, or the session in one file changed. */
import type { Command, CommandContext } from '../types/command.js';
import type { DiffReport, FileDiff } from '../types/undo.js';
import { oneLine, turnLine, uncoveredLines } from './shared/undo-report.js';

export const diff: Command = {
  name: 'diff',
  aliases: [],
  summary: 'command.diff',
  group: 'changes',
  async run(words, { undoing, print, t }) {
    if (!undoing) return print(t('undo.unavailable'));
    const report = await undoing.diff(parse(words));
    return print(linesOf(report, t).join('\n'));
  },
};

/** `turn`, `turn 3`, `turn 3 FILE`, `FILE`; a file called turn is `./turn`. */
function parse(words: string): { readonly turn?: number | 'last'; readonly path?: string } {
  const match = /^turn(?:\s+(\d{1,6}))?(?:\s+(.+))?$/s.exec(words);
  if (!match) return words === '' ? {} : { path: words };
  return { turn: match[1] === undefined ? 'last' : Number(match[1]), ...(match[2] === undefined ? {} : { path: match[2] }) };
}

function linesOf(report: DiffReport, t: CommandContext['t']): string[] {
  const lines = report.turn ? [turnLine(report.turn, t)] : [];
  if (report.files.length === 0) lines.push(t('diff.none'));
  for (const file of report.files) {
    if (file.diff !== '') lines.push(file.diff.replace(/\n$/, ''));
    else lines.push(summaryOf(file, t));
    if (file.alsoOthers && file.kind !== 'missing') lines.push(t('diff.others', { path: oneLine(file.path) }));
  }
  if (report.dropped > 0) lines.push(t('undo.dropped', { count: report.dropped }));
  return [...lines, ...uncoveredLines(report.uncovered, t)];
}

function summaryOf({ path, kind, sizes, modes }: FileDiff, t: CommandContext['t']): string {
  const [before, now] = sizes.map((size) => size ?? 0);
  const values = { path: oneLine(path), before: before ?? 0, now: now ?? 0 };
  if (kind === 'mode') {
    const [was, is] = (modes ?? [0, 0]).map((mode) => mode.toString(8));
    return t('diff.mode', { path: values.path, before: was ?? '', now: is ?? '' });
  }
  if (kind === 'binary') return t('diff.binary', values);
  return kind === 'missing' ? t('diff.missing', { path: values.path }) : t('diff.large', values);
}
