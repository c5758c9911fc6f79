/** Plays random prints, views and sizes on a screen, and compares what the emulator shows with what it must show. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect } from 'vitest';
import type { LiveView } from '../../../src/ui/screen/port.js';
import { openOracle } from './oracle.js';

const bare = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '').replace(/ /g, '');
const clipTo = (line: string, columns: number): string => {
  let out = '';
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (stringWidth(out + segment) > columns) break;
    out += segment;
  }
  return out;
};
const LETTERS = fc.constantFrom(
  'a',
  'b',
  'word ',
  'x'.repeat(9),
  '中',
  '文字',
  'é',
  '─',
  '한',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[1;42m',
  '😀',
  '…',
);
const text = fc.oneof(
  fc.array(LETTERS, { maxLength: 60 }).map((parts) => parts.join('')),
  // As wide as a window, or nearly: what is broken when it gets narrower.
  fc
    .tuple(fc.constantFrom('─', 'x', '中', 'wo rd '), fc.integer({ min: 20, max: 120 }))
    .map(([part, times]) => part.repeat(times)),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('print' as const), lines: fc.array(text, { maxLength: 6 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('show' as const),
      lines: fc.array(text, { maxLength: 8 }),
      cursor: fc.option(fc.record({ row: fc.nat(8), column: fc.nat(100) }), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('columns' as const),
      columns: fc.oneof(fc.integer({ min: 40, max: 80 }), fc.integer({ min: 40, max: 200 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rows' as const), rows: fc.integer({ min: 4, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(100) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Fails with the shortest play that goes wrong. */
export async function againstEmulator(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), fc.integer({ min: 40, max: 120 }), fc.boolean(), play),
    {
      numRuns,
    },
  );
}

/** The same when the terminal changed its width while frames for the old one were under way: printed lines are never lost. */
export async function againstLateEmulator(numRuns: number): Promise<void> {
  const size = fc.integer({ min: 40, max: 120 });
  const trait = fc.constantFrom('vscode', '', 'Apple_Terminal');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 5 }),
      fc.array(size),
      trait,
      playLate,
    ),
    { numRuns },
  );
}

async function playLate(parts: readonly (readonly Step[])[], sizes: readonly number[], program: string): Promise<void> {
  const oracle = openOracle(
    { columns: 80, rows: 30 },
    { env: { TERM: 'xterm-256color', TERM_PROGRAM: program, LANG: 'C.UTF-8' } },
  );
  const { screen, terminal } = oracle;
  const printed: string[] = [];
  // The emulator breaks lines as xterm.js. Where the program takes the terminal for another kind, it can be compared only while frames
  // met the change of size, and for one change.
  const played = program === 'vscode' ? parts : parts.slice(0, 2);
  for (const [i, part] of played.entries()) {
    const late = i > 0;
    if (late) {
      await oracle.resizeUntold(sizes[i - 1] ?? 60, 30);
      printed.push(`P${printed.length} met`);
      screen.print(printed.slice(-1));
    }
    for (const now of part) {
      const { columns } = screen.features();
      if (now.do === 'print') {
        const lines = now.lines.map((line, k) =>
          clipTo(`P${printed.length + k} ${line.replace(/\x1b\[[\d;]*m|😀/g, '')}`, columns),
        );
        printed.push(...lines);
        screen.print(lines);
      } else if (now.do === 'show') {
        const lines = now.lines.map((line) => `L ${line.replaceAll('😀', '')}`);
        const row = Math.min(now.cursor?.row ?? 0, lines.length - 1);
        screen.show(
          now.cursor && row >= 0 ? { lines, cursor: { row, column: Math.min(now.cursor.column, columns - 1) } } : { lines },
        );
      }
      oracle.clock.now += 4;
      screen.flush();
    }
    if (late) oracle.tell();
    screen.flush();
    const lines = (await oracle.lines()).map(bare);
    expect(lines.filter((line) => /^P\d/.test(line)).map((line) => line)).toEqual(printed.map(bare));
  }
  screen.close();
  terminal.dispose();
}

async function play(all: readonly Step[], columns: number, synchronized: boolean): Promise<void> {
  // Without synchronised output lines are written over, not erased first; such a terminal breaks lines otherwise than the emulator.
  const env = { TERM: 'xterm-256color', TERM_PROGRAM: synchronized ? 'vscode' : 'Apple_Terminal', LANG: 'C.UTF-8' };
  const steps = synchronized ? all : all.filter((now) => now.do !== 'columns');
  const oracle = openOracle({ columns, rows: 24 }, { env });
  const { screen, terminal } = oracle;
  const printed: string[] = [];
  const raw: { lines: readonly string[]; cursor?: LiveView['cursor'] } = { lines: [] };
  /** A narrow window may have pushed a part of the live region into the scrollback: nobody can take that back. */
  let rest = false;
  let most = 0;
  const show = (): void => {
    const lines = raw.lines.map((line, i) => `L${i} ${line}`);
    screen.show(raw.cursor && lines.length > 0 ? { lines, cursor: raw.cursor } : { lines });
  };
  screen.onResize(show);
  for (const now of steps) {
    if (now.do === 'print') {
      const lines = now.lines.map((line, i) =>
        clipTo(`P${printed.length + i} ${line.replace(/\x1b\[[\d;]*m/g, '')}`, terminal.cols),
      );
      printed.push(...lines);
      screen.print(lines.map((line) => `\x1b[32m${line}`));
    } else if (now.do === 'show') {
      raw.lines = now.lines;
      raw.cursor = now.cursor && {
        row: Math.min(now.cursor.row, now.lines.length - 1),
        column: Math.min(now.cursor.column, terminal.cols - 1),
      };
      show();
    } else if (now.do === 'wait') oracle.clock.now += now.ms;
    else {
      oracle.clock.now += 1000;
      const next =
        now.do === 'columns' ? { columns: now.columns, rows: terminal.rows } : { columns: terminal.cols, rows: now.rows };
      const rows = raw.lines.reduce(
        (sum, line, i) => sum + Math.ceil((Math.min(most, stringWidth(`L${i} ${line}`)) + 1) / next.columns),
        0,
      );
      rest ||= rows >= next.rows;
      await oracle.resize(next.columns, next.rows);
    }
    screen.flush();
    most = terminal.cols;
    const lines = (await oracle.lines()).map(bare);
    expect(lines.filter((line) => /^P\d/.test(line))).toEqual(printed.map(bare));
    const view = expectedView(raw.lines, raw.cursor?.row, terminal.cols, terminal.rows);
    while (view.at(-1) === '') view.pop();
    if (rest) expect(lines.slice(lines.length - view.length)).toEqual(view);
    else expect(lines).toEqual([...printed.map(bare), ...view]);
  }
  expect(oracle.writes.join('')).not.toMatch(/\x1b\[[23]J|\x1bc/);
  screen.close();
  const left = (await oracle.lines()).map(bare);
  expect(left.filter((line) => /^P\d/.test(line))).toEqual(printed.map(bare));
  if (!rest) expect(left).toEqual(printed.map(bare));
}

function expectedView(lines: readonly string[], cursor: number | undefined, columns: number, rows: number): string[] {
  const clipped = lines.map((line, i) => bare(clipTo(`L${i} ${line.replace(/\x1b\[[\d;]*m/g, '')}`.trimEnd(), columns)));
  const most = rows - 1;
  if (clipped.length <= most) return clipped;
  let from = clipped.length - most;
  if (cursor !== undefined) from = Math.min(from, Math.max(0, cursor - 1));
  const out = clipped.slice(from, from + most);
  if (from > 0) out[0] = '…';
  if (from + most < clipped.length) out[out.length - 1] = '…';
  return out;
}
