/** Hunks on bytes: what is not changed stays to the byte, a refusal is a refusal, and no prefix of a diff loses a line unseen. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyPatch } from '../../../../src/tools/shared/diff/apply-patch.js';
import { readDiff } from '../../../../src/tools/shared/diff/read-diff.js';
import type { FilePatch, Hunk } from '../../../../src/tools/shared/diff/types.js';
import { change, makeOracle, type Oracle } from './git-oracle.js';

const RUNS = Number(process.env['DIFF_RUNS'] ?? 400);

type Encoding = 'utf8' | 'bom' | 'utf16' | 'latin1';
const LINES = ['alpha', '\tbeta', '  gamma', 'delta ', '', '\u00fcml', '"q"', '\u201cq\u201d', '}', '-- x', 'return x;'];
const wordy = fc.constantFrom(...LINES);
const file = fc.record({
  lines: fc.array(fc.tuple(wordy, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 20 }),
  open: fc.boolean(),
  encoding: fc.constantFrom<Encoding>('utf8', 'utf8', 'bom', 'utf16', 'latin1'),
});
const edit = fc.record({
  from: fc.nat(19),
  before: fc.nat(3),
  take: fc.nat(3),
  after: fc.nat(3),
  put: fc.array(wordy, { maxLength: 3 }),
  shift: fc.integer({ min: -3, max: 3 }),
  bare: fc.boolean(),
});

function bytesOf(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf16') return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (encoding === 'bom') return Buffer.from(`\ufeff${text}`);
  return encoding === 'latin1' ? Buffer.from(text.replace(/[\u201c\u201d]/g, '"'), 'latin1') : Buffer.from(text);
}

const textOf = (bytes: Buffer, encoding: Encoding) =>
  encoding === 'utf16' ? bytes.toString('utf16le') : bytes.toString(encoding === 'latin1' ? 'latin1' : 'utf8');

/** Common beginning and end of two texts, in characters. */
function kept(a: string, b: string): { head: number; tail: number } {
  let [head, tail] = [0, 0];
  while (head < a.length && a[head] === b[head]) head++;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return { head, tail };
}

describe('a hunk as a model writes it, without line endings and marks', () => {
  it('changes nothing outside of its own lines, in any file', () => {
    let [applied, refused] = [0, 0];
    fc.assert(
      fc.property(file, edit, ({ lines, open, encoding }, { from, before, take, after, put, shift, bare }) => {
        const texts = lines.map(([text]) => (encoding === 'latin1' ? text.replace(/[\u201c\u201d]/g, '"') : text));
        const start = from % (texts.length + 1);
        const head = Math.max(0, start - before);
        const taken = texts.slice(start, start + take);
        const rest = texts.slice(start + take, start + take + after);
        const body = [
          ...texts.slice(head, start).map((text) => ` ${text}`),
          ...taken.map((text) => `-${text}`),
          ...put.map((text) => `+${text}`),
          ...rest.map((text) => ` ${text}`),
        ];
        fc.pre(body.length > 0 && (taken.length > 0 || put.length > 0));
        let content = lines.map(([, ending], i) => `${texts[i]}${ending}`).join('');
        if (open) content = content.replace(/\r?\n$/, '');
        fc.pre(content !== '');
        const old = bytesOf(content, encoding);
        const header = bare ? '@@' : `@@ -${Math.max(1, head + 1 + shift)},${body.length} +1,${body.length} @@`;
        let patches: readonly FilePatch[];
        const diff = `--- a/f\n+++ b/f\n${header}\n${body.join('\n')}\n`;
        try {
          ({ patches } = readDiff({ diff }));
        } catch {
          refused++;
          return;
        }
        const result = applyPatch(old, patches[0] as FilePatch, { name: 'f', raw: false, endingsKnown: true });
        if (!result.ok) {
          expect(result.message).not.toBe('');
          refused++;
          return;
        }
        applied++;
        const [a, b] = [textOf(old, encoding), textOf(result.bytes, encoding)];
        // What stays on both sides, and what lies between, is one region of whole lines; it holds the hunk's lines and no more.
        const same = kept(a, b);
        const gone = a.slice(same.head, a.length - same.tail);
        expect(gone.split('\n').length - 1).toBeLessThanOrEqual(Math.max(taken.length, 1));
        expect(b.slice(same.head, b.length - same.tail).split('\n').length - 1).toBeLessThanOrEqual(put.length + 1);
        const fewer = b.split('\n').length - a.split('\n').length;
        expect(Math.abs(fewer - (put.length - taken.length))).toBeLessThanOrEqual(open ? 1 : 0);
        // Line endings: no form that the file did not have.
        for (const ending of ['\r\n', '\n'] as const) {
          const has = (text: string) => (ending === '\n' ? /(^|[^\r])\n/ : /\r\n/).test(text);
          if (!has(a) && a.includes('\n')) expect(has(b)).toBe(false);
        }
        expect(b.startsWith('\ufeff')).toBe(a.startsWith('\ufeff'));
        if (encoding === 'utf8') expect(b).not.toContain('\ufffd');
      }),
      { numRuns: RUNS },
    );
    expect(applied).toBeGreaterThan(RUNS / 10);
    expect(refused).toBeGreaterThan(0);
  });
});

describe('a diff that stops somewhere', () => {
  let oracle: Oracle;
  beforeAll(() => {
    oracle = makeOracle();
  });
  afterAll(() => oracle.remove());

  /** A blank at the end of a name cannot be told from one that was added to the line. */
  const blankless = (names: readonly unknown[]) => JSON.stringify(names).replaceAll(' "', '"');
  const withoutEnd = (hunk: Hunk) => ({ ...hunk, lines: hunk.lines.slice(0, -1) });
  const last = (hunk: Hunk) => hunk.lines.at(-1);

  it('is refused, or ends with a hunk of which no line is missing', () => {
    let [refused, whole] = [0, 0];
    fc.assert(
      fc.property(change, ({ old, now }) => {
        const bytes = oracle.diff(old, now, ['-M']);
        const all = bytes.toString('utf8');
        fc.pre(Buffer.from(all).equals(bytes) && !all.includes('Binary files'));
        const full = readDiff({ diff: all }).patches;
        const step = Math.max(1, Math.floor(all.length / 150));
        for (let length = 0; length < all.length; length += step) {
          const part = parsed(all.slice(0, length));
          if (!part) {
            refused++;
            continue;
          }
          whole++;
          for (const [i, patch] of part.entries()) {
            const twin = full[i] as FilePatch;
            const ends = i === part.length - 1;
            if (!ends) expect(patch).toEqual(twin);
            // A header alone is whole when it only says a mode, or an empty file; what it names is checked against the disk.
            if (ends && patch.hunks.length === 0) {
              const said = all[length - 1] === '\n' || patch.executable !== undefined || patch.kind === 'delete';
              if (patch.kind !== 'rename') expect(said).toBe(true);
              else expect(blankless([patch.from, patch.to])).toEqual(blankless([twin.from, twin.to]));
              continue;
            }
            expect({ ...patch, hunks: [] }).toEqual({ ...twin, hunks: [] });
            for (const [k, hunk] of patch.hunks.entries()) {
              const other = twin.hunks[k] as Hunk;
              if (!ends || k < patch.hunks.length - 1) expect(hunk).toEqual(other);
              expect(withoutEnd(hunk)).toEqual(withoutEnd(other));
              // The last line of all may lack its end: nothing tells that from a diff sent without the last line break.
              expect(last(other)?.kind).toBe(last(hunk)?.kind);
              expect(last(other)?.text.startsWith(last(hunk)?.text ?? '?')).toBe(true);
            }
          }
        }
      }),
      { numRuns: Math.ceil(RUNS / 40), endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(RUNS / 4);
    expect(whole).toBeGreaterThan(RUNS / 40);
  });
});

function parsed(diff: string): readonly FilePatch[] | undefined {
  try {
    return readDiff({ diff }).patches;
  } catch {
    return undefined;
  }
}
