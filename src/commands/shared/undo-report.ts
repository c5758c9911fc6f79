/** What an undo or a redo did, as lines for people. */
import type { CommandContext } from '../../types/command.js';
import type { KeptReason, UndoReport } from '../../types/undo.js';

type Translate = CommandContext['t'];

const HOW = {
  restored: 'undo.file.restored',
  removed: 'undo.file.removed',
  created: 'undo.file.created',
  same: 'undo.file.same',
} as const;

const KEPT: Readonly<Record<KeptReason, string>> = {
  changed: 'undo.kept.changed',
  later: 'undo.kept.later',
  missing: 'undo.kept.missing',
  refused: 'undo.kept.refused',
};

/** The lines of a report; `did` names what was done (`undo.taken` or `undo.brought`). */
export function reportLines(report: UndoReport, did: 'undo.taken' | 'undo.brought', t: Translate): string[] {
  const lines = report.turns.map((turn) => turnLine(turn, t));
  if (report.files.length > 0) lines.push(t(did, { count: report.files.length }));
  for (const { path, how, during } of report.files) {
    lines.push(`  ${t(HOW[how], { path: oneLine(path) })}`);
    if (during !== undefined) lines.push(`    ${t('undo.file.during', { command: oneLine(during) })}`);
  }
  if (report.kept.length > 0) lines.push(t('undo.kept.title', { count: report.kept.length }));
  for (const { path, why, detail = '' } of report.kept)
    lines.push(`  ${t(KEPT[why], { path: oneLine(path), detail: oneLine(detail) })}`);
  if (report.fault !== undefined) lines.push(t('undo.failed', { reason: oneLine(report.fault) }));
  lines.push(...uncoveredLines(report.uncovered, t));
  return lines;
}

/** `Turn 3: fix the typo`; changes outside a conversation have no number. */
export function turnLine({ number, text }: UndoReport['turns'][number], t: Translate): string {
  return number === 0 ? t('undo.turnOther') : t('undo.turn', { number, text: oneLine(text) });
}

/** Commands whose effects on files are not known. */
export function uncoveredLines(uncovered: readonly string[], t: Translate): string[] {
  if (uncovered.length === 0) return [];
  return [t('undo.uncovered'), ...uncovered.map((command) => `  ${oneLine(command)}`)];
}

/** Was anything wanted and not done? */
export function isIncomplete({ turns, kept, fault }: UndoReport): boolean {
  return turns.length === 0 || kept.length > 0 || fault !== undefined;
}

/** Names may hold line feeds: they must not look like lines of ours. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]/g, '\\n');
}
