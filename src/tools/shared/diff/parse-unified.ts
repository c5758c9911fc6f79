/** Unified diffs, of git and of others, with prose and code fences around them -> the change list. Nothing is dropped in silence. */
import { type DiffText, faultAt, isFence, shown } from './diff-text.js';
import {
  afterFirst,
  gitNames,
  type HeaderName,
  headerName,
  namesOfChange,
  namesOfMove,
  namesOfSide,
  plainName,
} from './names.js';
import { isHunkLine, parseHunk } from './parse-hunk.js';
import type { FilePatch, Hunk, Names } from './types.js';

/** What stands above the hunks of one file. */
interface Head {
  readonly at: number;
  pair?: readonly [string, string];
  /** The two names of `diff --git` as they stand there. */
  line?: string;
  git?: boolean;
  minus?: HeaderName;
  plus?: HeaderName;
  from?: string;
  to?: string;
  copy?: boolean;
  newFile?: boolean;
  deleted?: boolean;
  oldMode?: number;
  newMode?: number;
  similarity?: number;
  /** Hashes of the `index` line. */
  index?: readonly [string, string];
}

/** Throws ToolFault `InvalidArgs` that names the line. */
export function parseUnified(diff: DiffText): FilePatch[] {
  const patches: FilePatch[] = [];
  let fenced = false;
  for (let at = 0; at < diff.lines.length; ) {
    const { text } = diff.lines[at] ?? { text: '' };
    if (isFence(text)) {
      fenced = !fenced;
      at++;
      continue;
    }
    refuseForeign(text, at);
    if (startsHead(diff, at)) {
      const { head, next } = readHead(diff, at);
      const { hunks, next: end } = readHunks(diff, next, head);
      patches.push(filePatch(head, hunks, end >= diff.lines.length && !diff.closed));
      at = end;
    } else if (text.startsWith('@@')) {
      const { hunks, next } = readHunks(diff, at, { at: at + 1 });
      const last = patches.pop();
      patches.push(last ? { ...last, hunks: [...last.hunks, ...hunks] } : { at: at + 1, kind: 'change', hunks });
      at = next;
    } else {
      if (patches.length > 0 && at === diff.lines.length - 1 && (text === '@' || (!diff.closed && beginsHead(text))))
        throw faultAt(at + 1, `the diff is cut off at ${shown(text)}, in the middle of the next header. Send all of it`);
      if (fenced && /^[-+]/.test(text))
        throw faultAt(
          at + 1,
          `${shown(text)} belongs to no hunk; a hunk begins with "@@" after the lines "--- a/FILE" and "+++ b/FILE"`,
        );
      at++;
    }
  }
  return patches;
}

/** The beginning of a line `diff --git`. */
function beginsHead(text: string): boolean {
  return text !== '' && 'diff --git '.startsWith(text);
}

function refuseForeign(text: string, at: number): void {
  if (/^(?:@@@|diff --(?:cc|combined) )/.test(text))
    throw faultAt(at + 1, 'this is a combined diff of a merge, which cannot be applied; send one against a single parent');
  if (/^(?:GIT binary patch|Binary files .* differ$)/.test(text))
    throw faultAt(at + 1, 'binary changes cannot be patched; use write with encoding base64');
}

const EXTENDED =
  /^(?:old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index) /;

function startsHead(diff: DiffText, at: number): boolean {
  const text = diff.lines[at]?.text ?? '';
  const next = diff.lines[at + 1]?.text;
  if (text.startsWith('diff --git ') || EXTENDED.test(text)) return true;
  if (text.startsWith('--- ') && next?.startsWith('+++ ')) return true;
  if (/^(?:---|\+\+\+) \S/.test(text) && next?.startsWith('@@')) return true;
  // A header that nothing follows is the rest of something.
  return (
    (text.startsWith('--- ') && next === undefined && /^--- (?:[ab]\/|"|\/dev\/null)/.test(text)) ||
    (text === '---' && next?.startsWith('+++ ') === true)
  );
}

function readHead(diff: DiffText, from: number): { head: Head; next: number } {
  const head: Head = { at: from + 1 };
  let at = from;
  const first = diff.lines[at]?.text ?? '';
  if (first.startsWith('diff --git ')) {
    head.git = true;
    head.line = first.slice('diff --git '.length);
    head.pair = gitNames(head.line);
    at++;
  }
  for (; ; at++) {
    const text = diff.lines[at]?.text;
    if (text === undefined) break;
    refuseForeign(text, at);
    if (/^Submodule \S/.test(text)) throw faultAt(at + 1, 'submodules cannot be changed by a diff');
    if (!readExtended(head, text, at)) break;
  }
  const text = diff.lines[at]?.text ?? '';
  const next = diff.lines[at + 1]?.text;
  if (movesWhole(head, text, next)) return { head, next: at };
  if (/^---(?: |$)/.test(text)) {
    head.minus = nameAt(text, at);
    at++;
    if (next?.startsWith('+++')) head.plus = nameAt(next, at++);
    else if (!next?.startsWith('@@')) throw faultAt(at, 'the line "+++ FILE" is missing after it; the diff seems to be cut off');
  } else if (/^\+\+\+ /.test(text)) head.plus = nameAt(text, at++);
  return { head, next: at };
}

/** After a rename without changes, headers that give the new name twice begin a change of their own. */
function movesWhole(head: Head, minus: string, plus: string | undefined): boolean {
  if (head.to === undefined || head.similarity !== 100 || !minus.startsWith('--- ') || !plus?.startsWith('+++ ')) return false;
  const [old, now] = [headerName(minus.slice(4))?.name, headerName(plus.slice(4))?.name];
  return old != null && now != null && namesOfChange(old, now).list.includes(head.to);
}

function nameAt(text: string, at: number): HeaderName {
  const name = headerName(text.slice(4));
  if (!name) throw faultAt(at + 1, `${shown(text)} names no file`);
  return name;
}

/** True when the line was one of git's. */
function readExtended(head: Head, text: string, at: number): boolean {
  const found =
    /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (.*)$/.exec(
      text,
    );
  if (!found) return false;
  const [, key = '', value = ''] = found;
  if (key.endsWith('mode')) {
    const mode = modeOf(value, at);
    if (key === 'old mode' || key === 'deleted file mode') head.oldMode = mode;
    else head.newMode = mode;
    if (key === 'new file mode') head.newFile = true;
    if (key === 'deleted file mode') head.deleted = true;
  } else if (key === 'index') {
    const hashes = /^([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?$/i.exec(value.trim());
    if (!hashes) throw faultAt(at + 1, `${shown(text)} is no index line of a diff between two versions`);
    if (hashes[3] !== undefined) modeOf(hashes[3], at);
    head.index = [hashes[1] ?? '', hashes[2] ?? ''];
  } else if (key === 'similarity index') head.similarity = Number.parseInt(value, 10);
  else if (key !== 'dissimilarity index') {
    const name = plainName(value);
    if (name === undefined) throw faultAt(at + 1, `${shown(text)} names no file`);
    if (key.endsWith('from')) head.from = name;
    else head.to = name;
    if (key.startsWith('copy')) head.copy = true;
  }
  return true;
}

/** A mode of a regular file; links and submodules are refused. */
function modeOf(value: string, at: number): number {
  const mode = /^[0-7]{6}\s*$/.test(value) ? Number.parseInt(value, 8) : 0;
  const kind = mode >> 12;
  if (kind === 0o12) throw faultAt(at + 1, 'symbolic links cannot be made or changed by a diff');
  if (kind === 0o16) throw faultAt(at + 1, 'submodules cannot be changed by a diff');
  if (kind !== 0o10) throw faultAt(at + 1, `${shown(value)} is no mode of a file; git writes 100644 or 100755`);
  return mode;
}

function readHunks(diff: DiffText, from: number, head: Head): { hunks: Hunk[]; next: number } {
  const hunks: Hunk[] = [];
  const gitMade = head.index !== undefined && head.git === true;
  let at = from;
  for (;;) {
    const line = diff.lines[at];
    if (!line) break;
    const { text } = line;
    if (/^@@@/.test(text)) refuseForeign(text, at);
    const implicit = hunks.length === 0 && head.plus !== undefined && isHunkLine(line);
    if (!text.startsWith('@@') && !implicit) break;
    const { hunk, next } = parseHunk(diff, at, { gitMade });
    hunks.push(hunk);
    at = next;
  }
  return { hunks, next: at };
}

const EMPTY_BLOB = /^(?:e69de29|473a0f4)/;
const NO_BLOB = /^0+$/;

/** `cut`: the text stops in the middle of a line right after the header. */
function filePatch(head: Head, hunks: readonly Hunk[], cut: boolean): FilePatch {
  const { at } = head;
  const name = kindOf(head, hunks);
  const executable = head.newMode === undefined || head.deleted ? undefined : (head.newMode & 0o100) !== 0;
  const changesMode = head.newMode !== undefined && !head.newFile;
  if (changesMode !== (head.oldMode !== undefined && !head.deleted))
    throw faultAt(at, 'one of "old mode" and "new mode" is missing; the diff seems to be cut off');
  const moves = name.kind === 'rename' || name.kind === 'copy';
  if (hunks.length === 0) {
    const [old = '', now = ''] = head.index ?? [];
    const content = head.newFile ? !EMPTY_BLOB.test(now) : head.deleted ? !EMPTY_BLOB.test(old) : true;
    if (
      (head.index && content && !NO_BLOB.test(old + now)) ||
      head.minus ||
      head.plus ||
      (moves && (head.similarity ?? 100) < 100)
    )
      throw faultAt(at, 'the hunks of this file are missing; the diff seems to be cut off');
    // Git always adds an index line here; whoever leaves it out for an empty file ends the line all the same.
    if (name.kind === 'create' && !head.index && cut)
      throw faultAt(at, 'the content of the new file is missing; the diff seems to be cut off');
    if (name.kind === 'change' && !changesMode) throw faultAt(at, 'nothing is changed here; the diff seems to be cut off');
  }
  return {
    at,
    ...name,
    hunks,
    ...(executable === undefined ? {} : { executable }),
    ...(head.index ? { blob: head.index[0], becomes: head.index[1] } : {}),
  };
}

function kindOf(head: Head, hunks: readonly Hunk[]): { kind: FilePatch['kind']; from?: Names; to?: Names } {
  const { at, pair } = head;
  const hasOld = hunks.some((hunk) => hunk.lines.some((line) => line.kind !== '+'));
  const hasNew = hunks.some((hunk) => hunk.lines.some((line) => line.kind !== '-'));
  const old = sideName(head.minus, pair?.[0], hasOld);
  const now = sideName(head.plus, pair?.[1], hasNew);
  if (head.from !== undefined || head.to !== undefined) return moved(head, old, now);
  if (head.newFile || (head.minus && old === undefined)) {
    if (now === undefined) throw faultAt(at, 'the name of the new file cannot be read');
    if (hasOld) throw faultAt(at, 'a new file can only have added lines');
    return { kind: 'create', to: namesOfSide('new', now, pair) };
  }
  if (head.deleted || (head.plus && now === undefined)) {
    if (old === undefined) throw faultAt(at, 'the name of the removed file cannot be read');
    if (hasNew) throw faultAt(at, 'of a removed file every line is removed');
    return { kind: 'delete', from: namesOfSide('old', old, pair) };
  }
  if (old !== undefined && now !== undefined) return { kind: 'change', from: namesOfChange(old, now) };
  if (now !== undefined) return { kind: 'change', from: namesOfSide('new', now, undefined) };
  if (old !== undefined) return { kind: 'change', from: namesOfSide('old', old, undefined) };
  throw faultAt(at, 'the name of the file cannot be read; write "--- a/FILE" and "+++ b/FILE"');
}

function moved(
  head: Head,
  old: string | undefined,
  now: string | undefined,
): { kind: FilePatch['kind']; from: Names; to: Names } {
  if (head.from === undefined || head.to === undefined)
    throw faultAt(head.at, 'one of "from" and "to" is missing; the diff seems to be cut off');
  // Two names with blanks can be told apart once one of them is known.
  const pair = head.line === `a/${head.from} b/${head.to}` ? [`a/${head.from}`, `b/${head.to}`] : head.pair;
  const [from, to] = [namesOfMove(head.from, pair?.[0]), namesOfMove(head.to, pair?.[1])];
  const ends = (name: string) => head.line === undefined || head.line.endsWith(`/${name}`) || head.line.endsWith(` ${name}`);
  const fits = pair ? isSide(pair[0], head.from) && isSide(pair[1], head.to) : ends(head.to);
  if (!fits) throw faultAt(head.at, 'the names at "from" and "to" are not those of "diff --git"; the diff seems to be cut off');
  const agrees = (names: Names, side: 'old' | 'new', name: string | undefined) =>
    name === undefined || namesOfSide(side, name, head.pair).list.some((one) => names.list.includes(one));
  if ((head.minus && !agrees(from, 'old', old)) || (head.plus && !agrees(to, 'new', now)))
    throw faultAt(head.at, 'the names at "from" and "to" are not those at "---" and "+++"');
  return { kind: head.copy ? 'copy' : 'rename', from, to };
}

function isSide(spelled: string | undefined, name: string): boolean {
  return spelled !== undefined && (spelled === name || afterFirst(spelled) === name);
}

/** Undefined for `/dev/null`; a time stamp alone does not make a side empty that has lines. */
function sideName(side: HeaderName | undefined, spelled: string | undefined, hasLines: boolean): string | undefined {
  if (!side) return spelled;
  return side.name ?? (hasLines && side.spelled !== '/dev/null' ? side.spelled : undefined);
}
