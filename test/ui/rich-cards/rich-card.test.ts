import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { because } from '../../../src/types/reason.js';
import type { Display, ToolResult } from '../../../src/types/tool.js';
import { diffRows } from '../../../src/ui/rich-cards/diff-lines.js';
import { type RichCardOptions, richCard } from '../../../src/ui/rich-cards/rich-card.js';
import { createText } from '../../../src/ui/text/index.js';
import { createTheme } from '../../../src/ui/theme/theme.js';
import { SAMPLES } from './samples.js';

const dark = createTheme('dark', 24);
const PLAIN: RichCardOptions = { text: createText('en'), theme: createTheme('none', 0), columns: 78, unicode: true, open: false };
const bare = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '');
const show = (name: string, options: Partial<RichCardOptions> = {}): string[] =>
  richCard(SAMPLES[name] as ToolResult, { ...PLAIN, ...options });

describe('every card', () => {
  it.each(Object.keys(SAMPLES))('%s fits, folded and open, in both languages, and has codes only with colours', (name) => {
    for (const columns of [20, 40, 78, 200])
      for (const open of [false, true])
        for (const language of ['en', 'pt-BR'] as const)
          for (const theme of [PLAIN.theme, dark]) {
            const lines = show(name, { columns, open, theme, text: createText(language), find: 'cardlines' });
            expect(lines.length).toBeGreaterThan(0);
            for (const line of lines) {
              expect(stringWidth(bare(line)), line).toBeLessThanOrEqual(columns);
              expect(bare(line)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
              if (theme.depth === 0) expect(line).toBe(bare(line));
            }
            if (!open) expect(lines.length).toBeLessThanOrEqual(columns < 78 ? 60 : 30);
          }
  });

  it('is harmless whatever the text, and never wider than the columns', () => {
    const bad = fc
      .array(
        fc.constantFrom(
          'a',
          'word ',
          '\n',
          '\t',
          '\x1b[31m',
          '\x1b]0;x\x07',
          '\r',
          '\u202e',
          '日本',
          '👩‍👩‍👧',
          'e\u0301',
          'x'.repeat(300),
          '- L1:2 [error] ',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(bad, bad, fc.integer({ min: 10, max: 120 }), fc.boolean(), (a, b, columns, open) => {
        const displays: Display[] = [
          { kind: 'text', text: a },
          { kind: 'diff', changes: [{ path: a, before: a, after: b, added: 1, removed: 1 }] },
          { kind: 'matches', hits: [{ path: a, line: 3, text: b }], more: true },
          { kind: 'process', command: a, exitCode: 1, ms: 3 },
          { kind: 'plan', tasks: [{ id: 1, description: a, status: 'failed', error: b, attempts: 1 }] },
          { kind: 'tests', command: a, passed: 0, failed: 1, skipped: 0, ok: false },
          { kind: 'file', path: a, from: 1, to: 2, total: 3 },
          { kind: 'tree', root: a, entries: 1 },
        ];
        for (const display of displays)
          for (const line of richCard(
            { output: `${b}\n[DIAGNOSTICS] x\n${a}`, isError: open, display },
            { ...PLAIN, theme: dark, columns, open, find: b },
          )) {
            expect(stringWidth(bare(line))).toBeLessThanOrEqual(columns);
            expect(bare(line)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
          }
      }),
      { numRuns: 80 },
    );
  });
});

describe('edits', () => {
  it('show numbers, context, a gap, and the problems they brought', () => {
    expect(show('diff')).toEqual([
      'src/a.ts  +3 −2',
      ' 2     const line2 = 1;',
      ' 3     const line3 = 2;',
      ' 4 -   const line4 = 3;',
      ' 4 +   const line4 = compute(3);',
      ' 5     const line5 = 4;',
      ' 6     const line6 = 5;',
      ' ⋮',
      '28     const line28 = 27;',
      '29     const line29 = 28;',
      '30 -   const line30 = 29;',
      '30 +   const first = 1;',
      '31 +   const second = 2;',
      '32     const line31 = 30;',
      '33     const line32 = 31;',
      '1 problem after this edit',
      'src/a.ts',
      "  4:17  Cannot find name 'compute'. (typescript)",
    ]);
  });

  it('mark the words that changed, and only those', () => {
    const lines = show('diff', { theme: dark });
    expect(lines[4]).toContain(dark.addedWord('compute('));
    expect(lines[3]).not.toContain(dark.removedWord('3'));
    expect(lines[11]).not.toContain('\x1b[48');
  });

  it('fold what is long and say what was folded', () => {
    const lines = show('created');
    expect(lines[0]).toBe('src/new.ts (new)  +60');
    expect(lines).toContain('src/gone.ts (deleted)  −2');
    expect(lines.at(-2)).toBe('too long to be shown here');
    expect(lines.at(-1)).toBe('… 43 more lines (+960 −5 in all)');
    expect(show('created', { open: true })).toContain('60 + line 59');
    expect(show('created', { unicode: false })).toContain('src/gone.ts (deleted)  -2');
  });

  it('give back both texts, whatever they are', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', 'const a = 1;', 'const b = 1;');
    const file = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((one) => `${one}\n`).join(''));
    fc.assert(
      fc.property(file, file, (before, after) => {
        const [old, now] = [before.split('\n'), after.split('\n')];
        const rows = diffRows(before, after);
        for (const row of rows) {
          if (row.kind === 'gap') continue;
          expect((row.kind === 'removed' ? old : now)[row.number - 1]).toBe(row.text);
          if (row.words) expect(row.words.map(({ text }) => text).join('')).toBe(row.text);
        }
        const count = (kind: string): number => rows.filter((row) => row.kind === kind).length;
        expect(now.length - old.length).toBe(count('added') - count('removed'));
        if (before !== after) expect(count('added') + count('removed')).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });

  it('stay bounded for two long texts with nothing in common', () => {
    const text = (seed: string) => Array.from({ length: 8000 }, (_, index) => `${seed}${index}`).join('\n');
    const rows = diffRows(text('a'), text('b'));
    expect(rows).toHaveLength(16_000);
    const change = { path: 'x', before: text('a'), after: text('b'), added: 8000, removed: 8000 };
    const card = richCard({ output: '', isError: false, display: { kind: 'diff', changes: [change] } }, { ...PLAIN, open: true });
    expect(card.length).toBeLessThanOrEqual(402);
    expect(card.at(-1)).toContain('15600 more lines (+8000 −8000 in all)');
  });
});

describe('other results', () => {
  it('hits by file, what was searched for marked', () => {
    const lines = show('matches', { theme: dark, find: 'CARDLINES' });
    expect(lines.map(bare).slice(0, 3)).toEqual([
      '3 matches in 2 files',
      'src/ui/cards.ts',
      '   24  export function cardLines(result: ToolResult): string[] {',
    ]);
    expect(lines[2]).toContain(dark.strong(dark.warn('cardLines')));
    expect(show('matches', { find: '(', theme: dark })[2]).toContain(dark.strong(dark.warn('(')));
    expect(show('nothing')).toEqual(['no match']);
  });

  it('commands: how they ended, and their last lines', () => {
    expect(show('process')).toEqual([
      'exit code 0 (1.2 s)',
      '… 7 earlier lines',
      ...[8, 9, 10, 11, 12].map((n) => `step ${n} of 12`),
    ]);
    expect(show('process', { open: true })).toHaveLength(13);
    expect(show('broken')).toEqual(['exit code 2 (310 ms)', 'make: *** [all] Error 2']);
    expect(show('killed')).toEqual(['ended by SIGKILL (3 s)']);
  });

  it('tests: counts and failing names', () => {
    expect(show('tests')).toEqual([
      'tests failed: 2 failed, 10 passed, 1 skipped',
      '  FAIL test/a.test.ts > adds numbers',
      '    expected 3 to be 4',
      '  FAIL test/b.test.ts > reads',
    ]);
    expect(show('green')).toEqual(['tests passed: 12 passed, 0 skipped']);
  });

  it('plans with a mark for each task', () => {
    expect(show('plan').map((line) => line.slice(0, 6))).toEqual(['plan 1', '[✓] 1.', '[▸] 2.', '[✗] 3.', '[ ] 4.']);
    expect(show('plan', { unicode: false })[1]).toMatch(/^\[x\] 1\. /);
  });

  it('files and trees show what they hold when unfolded', () => {
    expect(show('file')).toEqual(['lines 1–2 of 300']);
    expect(show('file', { open: true })).toContain('2 | const b = 2;');
    expect(show('tree', { open: true })).toContain('  b.ts');
    expect(show('image')).toEqual(['logo.png: PNG image, 12,345 bytes', 'attached: image/png, 12.1 KB']);
    expect(show('text')).toHaveLength(5);
  });

  it('a line too long for any screen is cut, and says so', () => {
    const result: ToolResult = { output: '', isError: false, display: { kind: 'text', text: 'x'.repeat(100_000) } };
    expect(richCard(result, { ...PLAIN, open: true }).at(-1)).toMatch(/x …$/);
    expect(richCard(result, PLAIN)).toEqual([`${'x'.repeat(77)}…`]);
  });

  it('errors, calls not run, and denials', () => {
    expect(show('missing')).toEqual(['failed [NotFound] src/x.ts is not there; did you mean src/a.ts?']);
    expect(show('missing', { open: true })).toContain('It was looked for in the workspace.');
    expect(show('notRun')).toEqual(['not run: an earlier call failed']);
    const why = because`it writes ${'a.ts'}`;
    expect(show('missing', { denied: true, reason: 'it writes a.ts', why })).toEqual(['not allowed: it writes a.ts']);
    expect(show('missing', { denied: true })[0]).toContain('not allowed: src/x.ts');
  });
});
