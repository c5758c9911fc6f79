/** One file's hunks on its bytes, in memory: all of them or none. Never throws; a refusal says which hunk, why, and what is there. */
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../../types/tool.js';
import { counted } from '../counted.js';
import type { EditedLines } from '../edit-apply.js';
import { lookAlikes } from '../edit-fold.js';
import { nearestRegion } from '../edit-nearest.js';
import { applySplices, needlesFor, type Splice, type TextView, viewOf, wantedText } from '../edit-view.js';
import { FileLines, levelsFor, type OldLine } from './file-lines.js';
import { type Run, runsOf, spliceForRun } from './hunk-splices.js';
import { placeHunk, type Where } from './place-hunk.js';
import type { DiffLine, FilePatch, Hunk } from './types.js';

export interface PatchedFile {
  readonly ok: true;
  readonly bytes: Buffer;
  readonly lines: readonly EditedLines[];
  /** Every hunk matched to the byte, and nowhere else. */
  readonly exact: boolean;
  readonly notes: readonly string[];
}

export interface Refusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface ApplyOptions {
  /** The file's name for messages. */
  readonly name: string;
  readonly raw: boolean;
  readonly endingsKnown: boolean;
}

/** A hunk with its lines in the units of the view. */
interface Ready {
  readonly hunk: Hunk;
  readonly lines: readonly DiffLine[];
}

export function applyPatch(bytes: Buffer, patch: FilePatch, options: ApplyOptions): PatchedFile | Refusal {
  const verified = patch.blob !== undefined && isBlob(bytes, patch.blob);
  const view = viewOf(bytes, { raw: options.raw });
  // Git made the diff from the bytes, so a file that only begins like UTF-16 is none.
  const wide = view.encoding === 'utf-16le' || view.encoding === 'utf-16be';
  const result = applyTo(wide && verified ? viewOf(bytes, { raw: true }) : view, { patch, verified }, options);
  // Where nothing was forgiven or moved, the result can only be the one that git saw.
  const certain = result.ok && verified && options.endingsKnown && result.notes.length === 0;
  if (certain && isHash(patch.becomes) && !isBlob(result.bytes, patch.becomes))
    return refused(
      'Conflict',
      `the diff for ${options.name} is cut off or was altered: its "index" line (line ${patch.at} of the diff and after) says that the result has the hash ${patch.becomes}, and its lines do not make that. Send all of it as git made it, or leave the "index" line out.`,
    );
  return result;
}

/** A hash of some content, long enough to tell. */
function isHash(hash: string | undefined): hash is string {
  return hash !== undefined && hash.length >= 7 && !/^0+$/.test(hash);
}

interface Job {
  readonly patch: FilePatch;
  readonly verified: boolean;
}

function applyTo(view: TextView, job: Job, options: ApplyOptions): PatchedFile | Refusal {
  const readings = readingsOf(view, job, options);
  if ('message' in readings) return readings;
  const file = new FileLines(view);
  let refusal: Refusal | undefined;
  for (const { ready, note } of readings.list) {
    const result = applyReading(file, ready, job, options);
    if (result.ok) return note === undefined ? result : { ...result, notes: [note, ...result.notes] };
    refusal ??= result;
  }
  return refusal ?? refused('InvalidArgs', `${options.name}: the diff has no hunks`);
}

function refused(code: ErrorCode, message: string): Refusal {
  return { ok: false, code, message };
}

type Readings = { readonly list: readonly { readonly ready: readonly Ready[]; readonly note?: string }[] };

/** The hunks as text of this file: as they are, or in the bytes of a file that is not UTF-8. */
function readingsOf(view: TextView, { patch: { hunks }, verified }: Job, options: ApplyOptions): Readings | Refusal {
  const plain = hunks.map((hunk) => ({ hunk, lines: hunk.lines }));
  if (options.raw || view.encoding !== 'bytes') return { list: [{ ready: plain }] };
  if (verified) return { list: [{ ready: plain.map(({ hunk, lines }) => ({ hunk, lines: lines.map(byteForByte) })) }] };
  const all = hunks.flatMap((hunk) => hunk.lines);
  const joined = (skip: string) =>
    wantedText(
      all
        .filter((line) => line.kind !== skip)
        .map((line) => line.text)
        .join('\n'),
    );
  const needles = needlesFor(view, joined('+'), joined('-'));
  if (!needles.ok) return refused('InvalidArgs', `${options.name}: ${needles.reason}`);
  return {
    list: needles.list.map(({ search, replace, note }) => {
      const old = search.split('\n')[Symbol.iterator]();
      const now = replace.split('\n')[Symbol.iterator]();
      const text = (line: DiffLine): string => {
        const [before, after] = [
          line.kind === '+' ? undefined : old.next().value,
          line.kind === '-' ? undefined : now.next().value,
        ];
        return before ?? after ?? '';
      };
      const ready = hunks.map((hunk) => ({ hunk, lines: hunk.lines.map((line) => ({ ...line, text: text(line) })) }));
      return { ready, ...(note === undefined ? {} : { note }) };
    }),
  };
}

function byteForByte(line: DiffLine): DiffLine {
  return { ...line, text: Buffer.from(line.text, 'utf8').toString('latin1') };
}

/** How many hunks that do not fit are named. */
const MOST_FAILURES = 5;

interface Change {
  readonly splices: readonly Splice[];
  readonly from: number;
  readonly to: number;
  readonly gained: number;
}

function applyReading(
  file: FileLines,
  ready: readonly Ready[],
  { patch, verified }: Job,
  options: ApplyOptions,
): PatchedFile | Refusal {
  const changes: Change[] = [];
  const taken = new Set<number>();
  const notes: string[] = [];
  const failures: Refusal[] = [];
  let [drift, after, exact] = [0, 0, true];
  for (const [i, one] of ready.entries()) {
    if (failures.length >= MOST_FAILURES) break;
    const label = ready.length === 1 ? (patch.block ? 'the block' : 'the hunk') : `hunk ${i + 1}`;
    const placed = placeHunk(file, one.hunk, one.lines, {
      verified,
      first: patch.block ?? false,
      drift,
      after,
      taken,
    });
    if (!placed.ok) {
      failures.push(
        placed.absent
          ? absent(file, one, label, options)
          : refused('Conflict', `${at(label, one, options)} cannot be placed: ${placed.reason}.`),
      );
      continue;
    }
    const { where } = placed;
    const change = changeFor(file, one, where, verified && options.endingsKnown);
    if (typeof change === 'string') {
      failures.push(refused('Conflict', `${at(label, one, options)} ${change}.`));
      continue;
    }
    notes.push(...where.notes.map((note) => `${label} ${note}`));
    if (where.level.name !== '') notes.push(`${label} does not match exactly; forgiven: ${forgiven(file, one.lines, where)}`);
    if (!where.level.literal || !where.unique) exact = false;
    if (one.hunk.oldStart !== undefined) drift = where.at - (one.hunk.oldStart - (one.hunk.noOldLines ? 0 : 1));
    if (!change) continue;
    changes.push(change);
    after = Math.max(after, change.to);
    for (const run of runsOf(one.lines, where.at)) for (let line = run.from; line < run.to; line++) taken.add(line);
  }
  const [first] = failures;
  if (first)
    return refused(
      first.code,
      failures
        .slice(0, MOST_FAILURES)
        .map((failure) => failure.message)
        .join('\n'),
    );
  return finished(file, changes, { exact, notes, name: options.name });
}

/** Is this the content that git gave this hash (SHA-1 or SHA-256, at least seven digits of it)? */
function isBlob(bytes: Buffer, hash: string): boolean {
  if (hash.length < 7) return false;
  const wanted = hash.toLowerCase();
  return ['sha1', 'sha256'].some((name) =>
    createHash(name).update(`blob ${bytes.length}\0`).update(bytes).digest('hex').startsWith(wanted),
  );
}

/** What differs in form, in words. */
function forgiven(file: FileLines, lines: readonly DiffLine[], { at: from, level, place }: Where): string {
  const old = lines.filter((line): line is OldLine => line.kind !== '+');
  const differs = (test: (line: OldLine, k: number) => boolean) => old.some(test);
  const names: string[] = place.indent ? [place.indent.note] : [];
  const bare = (text: string) => (place.indent ? text.trimStart() : text);
  const seen = (line: OldLine, k: number) => bare(file.seen(from + k, line));
  if (differs((line, k) => seen(line, k) !== bare(line.text) && seen(line, k).trimEnd() === bare(line.text).trimEnd()))
    names.push('white space at line ends');
  if (level.fold === lookAlikes && differs((line, k) => seen(line, k).trimEnd() !== bare(line.text).trimEnd()))
    names.push('typographic characters');
  const ending = (k: number) => file.lines[from + k]?.ending ?? '';
  if (differs((line, k) => !line.noEol && ending(k) !== '' && (ending(k) === '\r\n') !== line.cr)) names.push('line endings');
  if (differs((line, k) => line.noEol !== (ending(k) === ''))) names.push('the line break at the end of the file');
  return names.length > 0 ? names.join(', ') : level.name;
}

function at(label: string, { hunk }: Ready, { name }: ApplyOptions): string {
  return `${label} for ${name} (line ${hunk.at} of the diff)`;
}

/** Undefined: the hunk changes nothing. A string says why it cannot be done. */
function changeFor(file: FileLines, { hunk, lines }: Ready, where: Where, verified: boolean): Change | string | undefined {
  const runs = runsOf(lines, where.at);
  const [first] = runs;
  const last = runs.at(-1);
  if (!first || !last) return undefined;
  if (!verified && lines.at(-1)?.kind === '+' && repeats(file, runs)) {
    return `seems to be applied already: after line ${last.from} the file has the added lines. If they are meant twice, send the lines after them too`;
  }
  const literal = lines.some((line) => line.kind !== '+') || (verified && hunk.noOldLines === true);
  const splices: Splice[] = [];
  for (const run of runs) {
    const splice = spliceForRun(file, run, where, literal);
    if (typeof splice === 'string') return splice;
    splices.push(splice);
  }
  const gained = runs.reduce((sum, run) => sum + run.added.length - run.removed.length, 0);
  return { splices, from: first.from, to: last.to, gained };
}

/** A hunk that only adds lines at its end, and they stand there already. */
function repeats(file: FileLines, runs: readonly Run[]): boolean {
  const [run, other] = runs;
  if (!run || other || run.removed.length > 0) return false;
  const texts = run.added.map((line) => line.text);
  if (texts.join('').replace(/\s/g, '').length < 3) return false;
  return texts.every((text, i) => file.lines[run.from + i]?.text === text);
}

function finished(
  file: FileLines,
  changes: readonly Change[],
  { exact, notes, name }: { readonly exact: boolean; readonly notes: readonly string[]; readonly name: string },
): PatchedFile | Refusal {
  const sorted = changes.toSorted((a, b) => a.from - b.from);
  const splices = sorted.flatMap((change) => change.splices).toSorted((a, b) => a.start - b.start || a.end - b.end);
  if (splices.some((splice, i) => i > 0 && splice.start < (splices[i - 1]?.end ?? 0)))
    return refused('Conflict', `two hunks for ${name} change the same lines; send them as one.`);
  const bytes = applySplices(file.view, splices);
  if (bytes.equals(file.view.bytes))
    return refused('InvalidArgs', `${name} already reads as the diff wants it; nothing would change.`);
  let shift = 0;
  const lines = sorted.map(({ from, to, gained }): EditedLines => {
    const edited: EditedLines = { old: [from + 1, to], now: [from + 1 + shift, to + shift + gained] };
    shift += gained;
    return edited;
  });
  return { ok: true, bytes, lines, exact, notes };
}

function absent(file: FileLines, one: Ready, label: string, options: ApplyOptions): Refusal {
  const place = at(label, one, options);
  const done = doneAt(file, one);
  if (done !== undefined) return refused('Conflict', `${place} seems to be applied already: its result stands at line ${done}.`);
  if (file.lines.length === 0) return refused('Conflict', `${place} does not fit: the file is empty.`);
  const old = one.lines.filter((line) => line.kind !== '+').map((line) => line.text);
  const nearest = nearestRegion(file.view.text, old.join('\n'), 'the hunk');
  return refused(
    'Conflict',
    `${place} does not fit: its ${counted(old.length, 'old line')} stand nowhere in the file.${nearest ? `\n${nearest}` : ' Nothing in the file is like them; read the file again.'}`,
  );
}

/** The line at which the result of a hunk stands already, when it stands in one place. */
function doneAt(file: FileLines, { lines }: Ready): number | undefined {
  const result = lines.filter((line) => line.kind !== '-').map((line): OldLine => ({ ...line, kind: ' ' }));
  if (
    result
      .map((line) => line.text)
      .join('')
      .replace(/\s/g, '').length < 3
  )
    return undefined;
  for (const level of levelsFor(file.view).slice(0, 3)) {
    const [place, second] = file.places(result, level, { inserted: [], most: 2 });
    if (place) return second ? undefined : place.at + 1;
  }
  return undefined;
}
