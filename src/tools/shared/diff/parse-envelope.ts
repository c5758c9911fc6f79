/** The `*** Begin Patch` envelope -> the change list. It counts as whole only with its end marker. */
import { type DiffText, faultAt, isFence, shown } from './diff-text.js';
import type { DiffLine, FilePatch, Hunk, Names } from './types.js';

const BEGIN = /^\s*\*\*\* Begin Patch\s*$/;
const END = /^\s*\*\*\* End Patch\s*$/;
const SECTION = /^\*\*\* (Add|Update|Delete) File: *(.*?)\s*$/;

export function beginsEnvelope(text: string): boolean {
  return BEGIN.test(text);
}

/** Throws ToolFault `InvalidArgs` that names the line. */
export function parseEnvelope(diff: DiffText): FilePatch[] {
  const patches: FilePatch[] = [];
  let open: number | undefined;
  for (let at = 0; at < diff.lines.length; ) {
    const text = diff.lines[at]?.text ?? '';
    if (open === undefined) {
      if (BEGIN.test(text)) open = at + 1;
      else if (SECTION.test(text)) throw faultAt(at + 1, 'it stands outside of "*** Begin Patch" and "*** End Patch"');
      at++;
    } else if (END.test(text)) {
      open = undefined;
      at++;
    } else if (text.trim() === '') at++;
    else {
      const { patch, next } = readSection(diff, at);
      patches.push(patch);
      at = next;
    }
  }
  if (open !== undefined) throw faultAt(open, 'the envelope is cut off: "*** End Patch" is missing. Send all of it again');
  return patches;
}

function readSection(diff: DiffText, from: number): { patch: FilePatch; next: number } {
  const text = diff.lines[from]?.text ?? '';
  const [, kind, name = ''] = SECTION.exec(text) ?? [];
  if (kind === undefined)
    throw faultAt(
      from + 1,
      `${shown(text)} is no part of an envelope; "*** Add File: ", "*** Update File: " or "*** Delete File: " was expected`,
    );
  if (name === '') throw faultAt(from + 1, 'the name of the file is missing');
  const at = from + 1;
  if (kind === 'Delete') return { patch: { at, kind: 'delete', from: one(name), hunks: [], unseen: true }, next: from + 1 };
  if (kind === 'Add') return readNewFile(diff, from, name);
  return readUpdate(diff, from, name);
}

function readNewFile(diff: DiffText, from: number, name: string): { patch: FilePatch; next: number } {
  const lines: DiffLine[] = [];
  let next = from + 1;
  for (; !endsSection(diff, next); next++) {
    const line = diff.lines[next];
    const text = line?.text ?? '';
    if (text === '' && endsSection(diff, afterBlanks(diff, next))) continue;
    if (!text.startsWith('+')) throw faultAt(next + 1, `${shown(text)} is no line of a new file; each begins with "+"`);
    lines.push({ kind: '+', text: text.slice(1), cr: line?.cr ?? false, noEol: false });
  }
  const hunks = lines.length === 0 ? [] : [{ at: from + 2, lines, anchors: [] }];
  return { patch: { at: from + 1, kind: 'create', to: one(name), hunks }, next };
}

function readUpdate(diff: DiffText, from: number, name: string): { patch: FilePatch; next: number } {
  let next = from + 1;
  const target = /^\*\*\* Move to: *(.*?)\s*$/.exec(diff.lines[next]?.text ?? '')?.[1];
  if (target === '') throw faultAt(next + 1, 'the new name is missing');
  if (target !== undefined) next++;
  const hunks: Hunk[] = [];
  while (!endsSection(diff, next)) {
    if (diff.lines[next]?.text === '' && hunks.length === 0) {
      next++;
      continue;
    }
    const read = readHunk(diff, next);
    hunks.push(read.hunk);
    next = read.next;
  }
  if (hunks.length === 0 && target === undefined) throw faultAt(from + 1, `nothing is changed in ${shown(name)}`);
  const moves = target !== undefined && target !== name;
  const kind = moves ? 'rename' : 'change';
  return { patch: { at: from + 1, kind, from: one(name), ...(moves ? { to: one(target) } : {}), hunks }, next };
}

/** `@@` lines (anchors, one inside the other), then changed lines, then perhaps the mark for the end of the file. */
function readHunk(diff: DiffText, from: number): { hunk: Hunk; next: number } {
  const anchors: string[] = [];
  let oldStart: number | undefined;
  let next = from;
  for (let text = diff.lines[next]?.text; text?.startsWith('@@'); text = diff.lines[++next]?.text) {
    const numbers = /^@@ -(\d{1,9})(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(text);
    if (numbers) oldStart = Number(numbers[1]);
    const anchor = (numbers ? '' : text.replace(/^@@/, '').replace(/@@\s*$/, '')).trim();
    if (anchor !== '') anchors.push(anchor);
  }
  const lines: DiffLine[] = [];
  let [blanks, atEnd] = [0, false];
  for (; !endsSection(diff, next); next++) {
    const line = diff.lines[next];
    const text = line?.text ?? '';
    if (text.startsWith('@@')) break;
    if (/^\*\*\* End of File\s*$/.test(text)) {
      atEnd = true;
      next = afterBlanks(diff, next + 1);
      break;
    }
    if (text === '') {
      blanks++;
      continue;
    }
    if (text.startsWith('\\ ')) continue;
    const kind = text.charAt(0);
    if (kind !== ' ' && kind !== '+' && kind !== '-')
      throw faultAt(next + 1, `${shown(text)} is no line of a change; each begins with a blank, "+" or "-"`);
    for (; blanks > 0; blanks--) lines.push({ kind: ' ', text: '', cr: false, noEol: false });
    lines.push({ kind, text: text.slice(1), cr: line?.cr ?? false, noEol: false });
  }
  if (lines.length === 0) throw faultAt(from + 1, 'the change has no lines');
  return {
    hunk: { at: from + 1, lines, anchors, ...(oldStart === undefined ? {} : { oldStart }), ...(atEnd ? { atEnd } : {}) },
    next,
  };
}

function endsSection(diff: DiffText, at: number): boolean {
  const text = diff.lines[at]?.text;
  return text === undefined || END.test(text) || SECTION.test(text) || isFence(text) || BEGIN.test(text);
}

function afterBlanks(diff: DiffText, from: number): number {
  let at = from;
  while (diff.lines[at]?.text === '') at++;
  return at;
}

function one(name: string): Names {
  return { list: [name.replace(/^(?:\.\/+)+(?=.)/, '')] };
}
