/** What holds for any keys and any text: no cut letters, no lost text, rows that fit, the cursor where it seems. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { Buffer } from '../../../src/ui/editor/buffer.js';
import { isFold, typable } from '../../../src/ui/editor/folds.js';
import { Rows } from '../../../src/ui/editor/rows.js';
import { letterAfter, letterBefore, lettersOf, wholeLetters } from '../../../src/ui/letters.js';
import { clusterWidth } from '../../../src/ui/markdown/cells.js';
import type { Key } from '../../../src/ui/screen/port.js';
import { createTheme } from '../../../src/ui/theme/theme.js';
import { newTerminal } from '../../helpers/terminal.js';
import { open, paste, press, text } from './play.js';

const HOSTILE = [
  'a',
  'word',
  ' ',
  '  ',
  '\t',
  '\n',
  'é',
  'e\u0301',
  '\u0301',
  '中',
  '文字',
  'の',
  '한',
  '\u1112\u1161\u11ab',
  '👨‍👩‍👧‍👦',
  '👍🏽',
  '🇧🇷',
  '🇧',
  '1️⃣',
  '❤️',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u00ad',
  'שלום',
  'مرحبا',
  '\u0600',
  'क्षि',
  'ก็',
  '\ue0a0',
  '\u{f0001}',
  '\u{10ffff}',
  '\u{e0041}',
  '🏴\u{e0067}\u{e007f}',
  '\ud83d',
  '\ude00',
  '\udc00',
  '\u001b[31m',
  '\r',
  '\r\n',
  '\u0000',
  '\u009b',
  '"',
  '\\',
  '@',
  '/',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
];
const hostile = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 40 }).map((parts) => parts.join(''));
const CHORDS = [
  'left',
  'right',
  'up',
  'down',
  'home',
  'end',
  'C-left',
  'C-right',
  'C-home',
  'C-end',
  'backspace',
  'delete',
  'C-backspace',
  'C-delete',
  'C-w',
  'C-k',
  'C-u',
  'C-y',
  'M-y',
  'C-t',
  'C-_',
  'M-/',
  'C-j',
  'C-p',
  'C-n',
  'C-r',
  'escape',
  'tab',
  'C-o',
  'C-a',
  'C-e',
  'M-d',
];
const key: fc.Arbitrary<Key> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CHORDS).map(press) },
  { weight: 3, arbitrary: hostile.map((typed) => text(typed.replace(/[\u0000-\u001f\u007f-\u009f]/g, ''))) },
  { weight: 1, arbitrary: hostile.map(paste) },
  { weight: 1, arbitrary: fc.tuple(hostile, fc.integer({ min: 1, max: 60 })).map(([part, times]) => paste(part.repeat(times))) },
);
const PLAIN_THEME = createTheme('none', 0);
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const letters = (given: string): string[] => Array.from(segmenter.segment(given), ({ segment }) => segment);

describe('letters', () => {
  it('are those of the segmenter, from every place', () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const given = typable(a + b).slice(0, 400);
        const all = letters(given);
        expect(Array.from(lettersOf(given), ({ letter }) => letter)).toEqual(all);
        let at = 0;
        for (const letter of all) {
          const end = at + letter.length;
          expect(letterAfter(given, at)).toBe(end);
          expect(letterBefore(given, end)).toBe(at);
          for (let inside = at + 1; inside <= end; inside++) expect(wholeLetters(given, inside)).toBe(end);
          at = end;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are found in long texts as in short ones', () => {
    for (const part of ['a', '中', '👨‍👩‍👧‍👦', '🇧🇷', 'e\u0301', 'क्षि']) {
      const given = part.repeat(700);
      const all = Array.from(lettersOf(given), ({ letter }) => letter);
      expect(new Set(all)).toEqual(new Set(letters(part)));
      expect(letterBefore(given, given.length)).toBe(given.length - (letters(part).at(-1) ?? '').length);
    }
  });
});

describe('the buffer', () => {
  it('takes every step back, and makes each again', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 25 }), (keys) => {
        const buffer = new Buffer();
        const states: string[] = [''];
        for (const one of keys) {
          if (one.kind === 'paste' && one.text.length > 50) buffer.insertFolded(one.text);
          else if (one.kind !== 'key') buffer.insert(one.text);
          else if (one.name === 'backspace') buffer.delete(buffer.left());
          else if (one.name === 'left') buffer.move(buffer.wordLeft());
          else if (one.letter === 'k') buffer.delete(buffer.lineEnd(), { kill: true });
          else if (one.letter === 'y') buffer.yank();
          else if (one.letter === 't') buffer.transpose();
          if (buffer.text !== states.at(-1)) states.push(buffer.text);
        }
        for (const state of states.slice(0, -1).reverse()) {
          expect(buffer.undo()).toBe(true);
          expect(buffer.text).toBe(state);
        }
        expect(buffer.text).toBe('');
        for (const state of states.slice(1)) {
          while (buffer.text !== state) expect(buffer.redo()).toBe(true);
        }
        expect(buffer.text).toBe(states.at(-1));
      }),
      { numRuns: 200 },
    );
  });

  it('holds what was typed and pasted, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, fc.boolean()), { maxLength: 12 }), (parts) => {
        const buffer = new Buffer();
        let wanted = '';
        for (const [part, folded] of parts) {
          const again = folded && buffer.text.length > 0 && isFold(buffer.text.at(-1) ?? '');
          if (again) buffer.insert(' ');
          if (folded) buffer.insertFolded(part);
          else buffer.insert(part);
          wanted += (again ? ' ' : '') + typable(part);
        }
        expect(buffer.whole()).toBe(wanted);
      }),
      { numRuns: 200 },
    );
  });
});

describe('rows', () => {
  it('are the same after any change as if the line were new, and cover it', () => {
    const change = fc.tuple(fc.nat(1000), fc.nat(20), fc.constantFrom(...HOSTILE.filter((part) => !/[\r\n]/.test(part))));
    const start = fc.tuple(
      fc.constantFrom('中文a', 'wörd ', '👨‍👩‍👧‍👦', '🇧🇷', 'e\u0301', 'plain '),
      fc.integer({ min: 100, max: 300 }),
    );
    fc.assert(
      fc.property(start, fc.array(change, { maxLength: 8 }), fc.integer({ min: 2, max: 40 }), ([part, times], changes, width) => {
        const rows = new Rows();
        rows.use(width, () => '[fold]');
        let line = part.repeat(times);
        const seen = (one: Rows) => one.rowsFrom(line, 0, 100_000);
        seen(rows);
        for (const [place, gone, added] of changes) {
          const at = wholeLetters(line, place);
          line = line.slice(0, at) + typable(added) + line.slice(wholeLetters(line, at + gone));
          const near = rows.rowAt(line, Math.min(at, line.length));
          const fresh = new Rows();
          fresh.use(width, () => '[fold]');
          expect(near).toEqual(fresh.rowAt(line, Math.min(at, line.length)));
          const all = seen(rows);
          expect(all).toEqual(seen(fresh));
          expect(all.map(([from, to]) => line.slice(from, to)).join('')).toBe(line);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('the editor', () => {
  const isPlainLetter = (letter: string): boolean =>
    clusterWidth(letter) === stringWidth(letter) && !/[\p{Cf}\p{M}\p{Co}\u1100-\u11ff]/u.test(letter);

  it('fits its rows and puts the cursor on a whole letter, at any width', () => {
    const entries = ['git log', 'x\ny', '中文 '.repeat(30)];
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 30 }),
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 1, max: 8 }),
        (keys, columns, rows) => {
          const { editor } = open({
            entries: [...entries],
            complete: ({ word }) => [{ insert: `${word}x/中文\u202e`, detail: 'd', ends: false }],
          });
          for (const one of keys) {
            editor.key(one);
            const view = editor.view({ columns, rows, theme: PLAIN_THEME, unicode: true, prompt: 'coder> ' });
            for (const line of view.lines) expect(stringWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
            expect(view.lines.length).toBeLessThanOrEqual(Math.max(rows, 2));
            expect(view.cursor?.row).toBeLessThan(view.lines.length);
            expect(view.cursor?.column).toBeLessThan(columns);
            expect(view.lines.join('')).not.toMatch(/[\p{Cc}\u202e\u2066\u200b]|\p{Surrogate}/u);
            expect(editor.text).not.toMatch(/\p{Surrogate}/u);
          }
        },
      ),
      { numRuns: 250 },
    );
  });

  it('stands on the letter a terminal shows there', async () => {
    const simple = fc.array(fc.constantFrom('a', 'b ', '中', '文字', '\n', 'é', 'longer word ', '😀', '한', 'ñ', '\t'), {
      maxLength: 40,
    });
    const moves = fc.array(fc.constantFrom('left', 'right', 'up', 'down', 'home', 'end', 'C-left', 'C-home'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(simple, moves, fc.integer({ min: 9, max: 40 }), async (parts, chords, columns) => {
        const { editor } = open();
        const whole = parts.join('');
        editor.set(whole);
        const buffer = new Buffer();
        buffer.set(whole);
        editor.view({ columns, rows: 50, theme: PLAIN_THEME, unicode: true, prompt: '> ' });
        for (const chord of chords) editor.key(press(chord));
        const { lines, cursor } = editor.view({ columns, rows: 500, theme: PLAIN_THEME, unicode: true, prompt: '> ' });
        const terminal = newTerminal(columns, Math.max(2, lines.length));
        await new Promise<void>((done) => terminal.write(lines.join('\r\n'), done));
        // A mark typed at the cursor tells where the editor believes it stands.
        editor.key(text('\u2042'));
        const [before = ''] = editor.text.split('\u2042');
        const next = letters(whole.slice(before.length))[0];
        const cell =
          terminal.buffer.active
            .getLine(cursor?.row ?? 0)
            ?.getCell(cursor?.column ?? 0)
            ?.getChars() ?? '';
        if (next === undefined || next === '\n' || next === '\t') expect(cell.trim()).toBe('');
        else expect(isPlainLetter(next) ? cell : next).toBe(next);
      }),
      { numRuns: 150 },
    );
  });
});
