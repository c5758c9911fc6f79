/** One hunk of a unified diff: its header in any shape models write, and its lines, however the counts are. */
import { type DiffText, faultAt, isFence, type RawLine, shown } from './diff-text.js';
import type { DiffLine, Hunk } from './types.js';

interface Header {
  readonly oldStart?: number;
  readonly old?: number;
  readonly now?: number;
  readonly anchor?: string;
}

export interface HunkOptions {
  /** The diff has git's `index` line, and git's counts are exact. */
  readonly gitMade: boolean;
}

/** Reads the hunk whose header, or whose first line where there is no header, stands at `from`. Throws ToolFault. */
export function parseHunk(diff: DiffText, from: number, options: HunkOptions): { readonly hunk: Hunk; readonly next: number } {
  const first = diff.lines[from]?.text ?? '';
  const header = first.startsWith('@@') ? readHeader(first) : {};
  const start = first.startsWith('@@') ? from + 1 : from;
  const body = readBody(diff, start, header);
  if (body.lines.length === 0) throw faultAt(from + 1, 'the hunk has no lines; the diff seems to be cut off');
  const { old, now, lost } = body;
  const exact = header.old === old && header.now === now;
  refuseCutOff(diff, { header, ...body, from }, options.gitMade);
  return {
    hunk: {
      at: from + 1,
      lines: body.lines,
      ...(header.oldStart === undefined ? {} : { oldStart: header.oldStart }),
      ...(header.old === 0 && old - lost <= 0 ? { noOldLines: true } : {}),
      ...(exact ? { counted: true } : {}),
      anchors: header.anchor === undefined ? [] : [header.anchor],
    },
    next: body.next,
  };
}

/** `@@ -1,2 +3,4 @@ section`, without counts, without numbers, with words for numbers, or bare. */
function readHeader(line: string): Header {
  const found = /^@@+\s*-(\d+)(?:,(\d+))?(?:\s+\+(\d+)(?:,(\d+))?)?(?![\w,])/.exec(line);
  if (!found) {
    const anchor = line.replace(/^@@/, '').replace(/@@.*$/, '').trim();
    return anchor === '' || /^(?:\.{3}|…|[-+\d,\s]*|-\S+ \+\S+)$/.test(anchor) ? {} : { anchor };
  }
  const [, oldStart, old = '1', newStart, now = '1'] = found;
  return {
    oldStart: safe(oldStart),
    old: safe(old),
    ...(newStart === undefined ? {} : { now: safe(now) }),
  };
}

function safe(digits: string | undefined): number | undefined {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

interface Body {
  readonly lines: readonly DiffLine[];
  readonly next: number;
  /** Old and new lines read, blank ones at the end included. */
  readonly old: number;
  readonly now: number;
  /** Wholly empty lines at the end; they count but are left out. */
  readonly lost: number;
  /** Something after the hunk shows that it is complete. */
  readonly ended: boolean;
}

function readBody(diff: DiffText, start: number, header: Header): Body {
  const lines: DiffLine[] = [];
  let [old, now, lost, at] = [0, 0, 0, start];
  const due = () => (header.old ?? 0) > old || (header.now ?? 0) > now;
  const exact = () => header.old === old && header.now === now;
  let ended = true;
  for (; ; at++) {
    const line = diff.lines[at];
    if (!line) {
      ended = false;
      break;
    }
    const { text } = line;
    if (text === '') {
      if (exact() && !goesOn(diff, at)) break;
      lost++;
      old++;
      now++;
      continue;
    }
    if (text.startsWith('\\')) {
      markEnd(lines, at);
      continue;
    }
    if (startsFile(diff, at, header, { old, now })) break;
    const kind = text.charAt(0);
    if (exact() && !diff.closed && !diff.lines[at + 1] && /^-{1,3} ?$/.test(text))
      throw faultAt(at + 1, 'the diff is cut off in the middle of the next header');
    if (kind !== ' ' && kind !== '+' && kind !== '-') {
      if (isFence(text) || isFurther(text)) break;
      if (due() || changesFollow(diff, at))
        throw faultAt(at + 1, `${shown(text)} is no line of a hunk; each begins with a blank, "+" or "-"`);
      break;
    }
    for (; lost > 0; lost--) lines.push({ kind: ' ', text: '', cr: diff.lines[at - lost]?.cr ?? false, noEol: false });
    lines.push({ kind, text: text.slice(1), cr: line.cr, noEol: false });
    if (kind !== '+') old++;
    if (kind !== '-') now++;
  }
  return { lines, next: at, old, now, lost, ended };
}

/** `\ No newline at end of file`: the carriage return before it is content. */
function markEnd(lines: DiffLine[], at: number): void {
  const last = lines.at(-1);
  if (!last) throw faultAt(at + 1, 'the mark for a missing newline stands before any line');
  lines[lines.length - 1] = { ...last, text: last.cr ? `${last.text}\r` : last.text, cr: false, noEol: true };
}

/** Does the text after blank lines still belong to a hunk whose counted lines have all been read? */
function goesOn(diff: DiffText, from: number): boolean {
  let at = from;
  while (diff.lines[at]?.text === '') at++;
  let added: number | undefined;
  for (; ; at++) {
    const text = diff.lines[at]?.text ?? '';
    const kind = text.charAt(0);
    if (text === '' || !' +-'.includes(kind) || startsFile(diff, at, {}, { old: 0, now: 0 })) break;
    if (kind !== '+') return true;
    added ??= at;
  }
  // Only the file can tell whether such lines are meant, and added ones alone cannot be held against it.
  if (added !== undefined)
    throw faultAt(
      added + 1,
      'added lines stand after the end that the counts of the hunk give; correct the counts, or leave them out',
    );
  return false;
}

/** Is `--- ` or `-- ` here a header or a signature, and not a removed line that begins so? */
function startsFile(diff: DiffText, at: number, header: Header, read: { readonly old: number; readonly now: number }): boolean {
  const text = diff.lines[at]?.text ?? '';
  const next = diff.lines[at + 1]?.text ?? '';
  const after = diff.lines[at + 2]?.text;
  const counted = header.old !== undefined && header.now !== undefined;
  const room = { old: (header.old ?? 0) - read.old, now: (header.now ?? 0) - read.now };
  if (/^--\s?$/.test(text)) return (!counted || room.old <= 0) && /^\d+\.\d+/.test(next);
  if (text.startsWith('+++ ') && /^\+\+\+ (?:b\/|"b\/)/.test(text) && next.startsWith('@@')) return !counted || room.now <= 0;
  if (!text.startsWith('--- ') || !next.startsWith('+++ ')) return false;
  if (!counted || (room.old <= 0 && room.now <= 0)) return counted || after === undefined || after.startsWith('@@');
  if (room.old < 1 || room.now < 1) return after?.startsWith('@@') ?? true;
  return (after?.startsWith('@@') ?? false) && !(room.old === 1 && room.now === 1);
}

/** A line of a diff that is none of a hunk. */
function isFurther(text: string): boolean {
  return /^(?:@@|diff -|Index: |={20,}|From [0-9a-f]{7,40} |index [0-9a-f]|(?:old|new|deleted file|new file) mode |rename (?:from|to) |copy (?:from|to) |similarity index |GIT binary patch|Binary files |\*\*\* (?:Begin|End) Patch)/.test(
    text,
  );
}

/** Do added or removed lines follow before the next part of the diff? */
function changesFollow(diff: DiffText, from: number): boolean {
  for (let at = from + 1; at < diff.lines.length; at++) {
    const text = diff.lines[at]?.text ?? '';
    if (isFence(text) || isFurther(text) || startsFile(diff, at, {}, { old: 0, now: 0 })) return false;
    if (/^[-+]/.test(text)) return true;
  }
  return false;
}

/**
 * The last hunk of a text that simply stops may be the beginning of a longer one. Counts written by hand are often wrong and do
 * not decide alone: such a hunk is refused when the counts ask for more, the missing lines cannot all be context (the two sides
 * lack different numbers), and the text shows no orderly end (no line break, or a changed line last). Git's counts are exact, so
 * there every missing line is one that was cut off. What is refused can be sent again with right counts or with a bare `@@`.
 * A missing line break alone says nothing: whole diffs are often sent without the last one. With it, and a changed line last, the
 * counts decide although both sides lack as many lines: a hunk that shows context before its change would show it after as well.
 * Without any context the lines were written by hand (`@@ -5,3 +5,3 @@`, `-old`, `+new`), and the counts are only a guess.
 */
function refuseCutOff(diff: DiffText, hunk: Body & { readonly header: Header; readonly from: number }, gitMade: boolean): void {
  const { header, old, now, lost } = hunk;
  if (hunk.ended || header.old === undefined || header.now === undefined) return;
  const lacks = { old: header.old - old, now: header.now - now };
  if (lacks.old < 0 || lacks.now < 0 || (lacks.old === 0 && lacks.now === 0)) return;
  const orderly = diff.closed && hunk.lines.at(-1)?.kind === ' ';
  const broken = !diff.closed && lost === 0 && hunk.lines.at(-1)?.kind !== ' ' && hunk.lines.some((line) => line.kind === ' ');
  if (!gitMade && ((lacks.old === lacks.now && !broken) || (orderly && lost === 0))) return;
  throw faultAt(
    hunk.from + 1,
    `the hunk is cut off: its header counts ${header.old} old and ${header.now} new lines, and the diff ends after ${old} and ${now}. Send the whole diff; if it is whole, correct the counts or write a bare "@@"`,
  );
}

/** May this line begin a hunk that has no `@@` header? */
export function isHunkLine(line: RawLine | undefined): boolean {
  return line !== undefined && /^[-+ ]/.test(line.text);
}
