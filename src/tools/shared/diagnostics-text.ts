/** What language servers found after an edit, as a block for the model: within the seed's bounds, nothing when there is nothing new. */
import type { CheckReport, FileFindings, Finding } from '../../types/language.js';
import { counted } from './counted.js';
import { printable } from './printable.js';

/** Characters of a block, notes apart. */
const DIAGNOSTICS_CHARS = 3000;
/** Characters at most with everything around it. */
export const DIAGNOSTICS_ROOM = 4000;
const HEAD = '[DIAGNOSTICS] The edit succeeded, but it brought problems that language servers report; fix them:';
const LATE_HEAD = '[DIAGNOSTICS] Language servers report problems that an earlier edit brought; fix them:';
/** Characters kept for the lines that end a block. */
const TAIL = 300;

/** One finding, places from 1. */
export function findingLine({ line, column, severity, message, source }: Finding): string {
  return `- L${line}:${column} [${severity}] ${message}${source === '' ? '' : ` (${source})`}`;
}

/** Empty, or begins with an empty line and ends with a line end. `shown`: a path as messages show it. */
export function diagnosticsText(
  { now, late }: { readonly now: CheckReport; readonly late: CheckReport },
  shown: (path: string) => string,
): string {
  const files = [...now.files, ...late.files].filter((file) => file.fresh.length > 0);
  const notes = [...now.notes, ...late.notes].map((note) => `Note: ${note}`);
  const head = now.files.some((file) => file.fresh.length > 0) ? HEAD : LATE_HEAD;
  const block = files.length === 0 ? [] : [head, ...fileLines(files, shown, DIAGNOSTICS_CHARS - head.length - TAIL)];
  if (files.length > 0) {
    const older = files.reduce((sum, file) => sum + file.older, 0);
    if (older > 0) block.push(`${counted(older, 'older diagnostic')} in these files, there before the edit, not shown.`);
    if (now.unchecked.length > 0) block.push(`Not checked: ${counted(now.unchecked.length, 'more file')}.`);
  }
  const lines = [...block, ...notes];
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** Files with errors first, edited ones before others; what does not fit is counted. */
function fileLines(files: readonly FileFindings[], shown: (path: string) => string, room: number): string[] {
  const sorted = [...files].sort((a, b) => Number(hasError(b)) - Number(hasError(a)) || Number(a.other) - Number(b.other));
  const lines: string[] = [];
  let left = room;
  let omittedFiles = 0;
  for (const file of sorted) {
    const where = `${printable(shown(file.path)).slice(0, 300)}${file.other ? ' (not edited; broken by the edit)' : ''}`;
    const own = [`${file.fresh.length} diagnostic(s) in ${where}:`];
    let size = (own[0] as string).length + 1;
    for (const line of file.fresh.map(findingLine)) {
      if (size + line.length + 1 > left) break;
      own.push(line);
      size += line.length + 1;
    }
    const omitted = file.fresh.length - (own.length - 1);
    if (own.length === 1) {
      omittedFiles += 1;
      continue;
    }
    if (omitted > 0) own.push(`- ${omitted} more omitted`);
    lines.push(...own);
    left -= size;
  }
  if (omittedFiles > 0) lines.push(`Diagnostics of ${counted(omittedFiles, 'more file')} omitted.`);
  return lines;
}

const hasError = (file: FileFindings): boolean => file.fresh.some(({ severity }) => severity === 'error');
