import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, mapText } from '../../../src/code/map/render.js';

/** Outline lines of any shape: each at most one level deeper than the one before. */
const outline = fc
  .array(fc.tuple(fc.nat(4), fc.constantFrom('f', 'class A', 'def something_longer(a, b)')), { minLength: 1, maxLength: 40 })
  .map((given) => {
    let depth = -1;
    return given.map(([wanted, text], i) => {
      depth = Math.min(wanted, depth + 1);
      return `${'  '.repeat(depth)}L${i + 1} ${text}`;
    });
  });
const tree = fc.array(fc.tuple(outline, fc.nat(20)), { maxLength: 12 }).map((files) =>
  files.map(([lines, missing], i): Block & { readonly all: readonly string[] } => ({
    path: `src/f${i}.x`,
    declarations: lines.length + missing,
    lines: () => lines,
    all: lines,
  })),
);

/** What is said: declarations shown, and those left out of files that are shown. */
function countsOf(text: string) {
  const lines = text.split('\n');
  const more = lines.flatMap((line) => Number(/… (\d+) more$/.exec(line)?.[1] ?? 0)).reduce((a, b) => a + b, 0);
  return { shown: lines.filter((line) => /^ +L\d/.test(line)).length, more, files: lines.filter((line) => /^src\//.test(line)) };
}

describe('for any tree and any budget', () => {
  const notes = ['(not outlined: 3 minified)'];

  it('a map keeps to its budget, counts what it left out, and a larger one never shows less', async () => {
    fc.assert(
      fc.property(tree, (blocks) => {
        let before = 0;
        for (let budget = 20; budget < 2500; budget += 37) {
          const { text } = mapText('Map of it', blocks, budget, notes);
          expect(text.length).toBeLessThanOrEqual(budget);
          expect(mapText('Map of it', blocks, budget, notes).text).toBe(text);
          const { shown, more, files } = countsOf(text);
          expect(shown).toBeGreaterThanOrEqual(before);
          before = shown;
          if (shown === 0) continue;
          const known = blocks.filter(({ path }) => files.includes(path));
          expect(shown + more).toBe(known.reduce((sum, { declarations }) => sum + declarations, 0));
          // The first files of the order, and lines as they stand in the outline.
          expect(files).toEqual(blocks.slice(0, files.length).map(({ path }) => path));
          if (shown > 3) expect(text).toContain(notes[0]);
          if (files.length < blocks.length)
            expect(text).toContain(`[${blocks.length - files.length} of ${blocks.length} files left`);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('all of it is shown where there is room, in the order of the text', () => {
    fc.assert(
      fc.property(tree, (blocks) => {
        const whole = blocks.map(({ path, all, declarations }) => {
          const missing = declarations - all.length;
          return [path, ...all.map((line) => `  ${line}`), ...(missing > 0 ? [`  … ${missing} more`] : [])].join('\n');
        });
        expect(mapText('Map', blocks, 1_000_000, []).text).toBe(['Map', ...whole].join('\n'));
      }),
      { numRuns: 60 },
    );
  });
});

it('a file shows its levels one after another, and of each container some members', () => {
  const lines = [
    'L1 module Shop',
    ...['A', 'B'].flatMap((name) => [`  L2 class ${name}`, ...Array.from({ length: 9 }, (_, i) => `    L3 ${name}${i}`)]),
  ];
  const block = { path: 'a.rb', declarations: lines.length, lines: () => lines };
  const at = (budget: number) => mapText('Map', [block], budget, []).text;
  expect(at(90)).toBe('Map\na.rb\n  L1 module Shop\n    L2 class A … 9 more\n    L2 class B … 9 more');
  expect(at(190)).toBe(
    `Map\na.rb\n  L1 module Shop\n    L2 class A\n${[0, 1, 2, 3, 4].map((i) => `      L3 A${i}\n`).join('')}      … 4 more\n    L2 class B\n${[0, 1, 2].map((i) => `      L3 B${i}\n`).join('')}      … 6 more`,
  );
});
