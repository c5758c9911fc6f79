/** What the screen writes, read back from a real terminal emulator: every printed line once, the live region as shown. */
import { describe, expect, it } from 'vitest';
import type { LiveView } from '../../../src/ui/screen/port.js';
import { windowRows } from '../../helpers/terminal.js';
import { type Oracle, openOracle } from './oracle.js';
import { againstEmulator, againstLateEmulator } from './play.js';

const cursorOf = (oracle: Oracle) => {
  const { baseY, cursorX, cursorY } = oracle.terminal.buffer.active;
  return { row: baseY + cursorY, column: cursorX };
};
const turns = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('writing', () => {
  it('puts lines above the live region, and only what changed into it', async () => {
    const oracle = openOracle({ columns: 80, rows: 24 });
    const { screen, writes } = oracle;
    screen.print(['one', '\x1b[31mtwo']);
    screen.show({ lines: ['─'.repeat(80), '> hello', 'status'], cursor: { row: 1, column: 7 } });
    screen.flush();
    expect(await oracle.lines()).toEqual(['one', 'two', '─'.repeat(80), '> hello', 'status']);
    expect(cursorOf(oracle)).toEqual({ row: 3, column: 7 });
    writes.length = 0;
    screen.show({ lines: ['─'.repeat(80), '> hello!', 'status'], cursor: { row: 1, column: 8 } });
    screen.flush();
    expect(writes.join('').length).toBeLessThan(40);
    expect(writes.join('')).toContain('!');
    expect(writes.join('')).not.toContain('hello');
    screen.print(['three']);
    screen.show({ lines: ['> '], cursor: { row: 0, column: 2 } });
    screen.flush();
    expect(await oracle.lines()).toEqual(['one', 'two', 'three', '>']);
    screen.show({ lines: [] });
    screen.flush();
    expect(await oracle.lines()).toEqual(['one', 'two', 'three']);
  });

  it('nothing changed: nothing is written', async () => {
    const oracle = openOracle({ columns: 80, rows: 24 });
    oracle.screen.show({ lines: ['a', 'b'], cursor: { row: 1, column: 1 } });
    oracle.screen.flush();
    oracle.writes.length = 0;
    oracle.screen.show({ lines: ['a', 'b'], cursor: { row: 1, column: 1 } });
    await turns();
    oracle.screen.flush();
    expect(oracle.writes).toEqual([]);
  });

  it('many prints and views are one write, and a blocked output gets the latest view once', async () => {
    const oracle = openOracle({ columns: 80, rows: 24 });
    oracle.screen.flush();
    await turns();
    oracle.block();
    oracle.writes.length = 0;
    oracle.screen.show({ lines: ['first'] });
    await turns();
    expect(oracle.writes).toHaveLength(1);
    for (let i = 0; i < 500; i++) {
      oracle.screen.print([`P${i}`]);
      oracle.screen.show({ lines: [`view ${i}`] });
    }
    await turns();
    expect(oracle.writes).toHaveLength(1);
    oracle.drain();
    await expect.poll(async () => (await oracle.lines()).length).toBe(501);
    expect(await oracle.lines()).toEqual([...Array.from({ length: 500 }, (_, i) => `P${i}`), 'view 499']);
    for (const write of oracle.writes) expect(Buffer.byteLength(write)).toBeLessThanOrEqual(4096);
  });

  it('100 KB at once flow in writes of at most 4 KB, with a large live region too', async () => {
    const oracle = openOracle({ columns: 200, rows: 50 });
    oracle.screen.flush();
    oracle.writes.length = 0;
    const lines = Array.from({ length: 1000 }, (_, i) => `P${i} ${'x'.repeat(100)}`);
    const view: LiveView = { lines: Array.from({ length: 45 }, (_, i) => `\x1b[38;5;${i}m${`L${i} `.repeat(48)}`) };
    oracle.screen.print(lines);
    oracle.screen.show(view);
    await expect.poll(async () => (await oracle.lines()).length, { timeout: 20_000 }).toBe(1045);
    await expect.poll(async () => (await oracle.lines()).slice(1000)).toEqual(view.lines.map((line) => bareLine(line)));
    expect((await oracle.lines()).slice(0, 1000)).toEqual(lines);
    for (const write of oracle.writes) expect(Buffer.byteLength(write)).toBeLessThanOrEqual(4096);
  });

  it('a view higher than the window is cut at its top with a mark, and the cursor stays in it', async () => {
    const oracle = openOracle({ columns: 40, rows: 6 });
    oracle.screen.print(['P0']);
    oracle.screen.show({ lines: Array.from({ length: 20 }, (_, i) => `L${i}`) });
    oracle.screen.flush();
    expect(await oracle.lines()).toEqual(['P0', '…', 'L16', 'L17', 'L18', 'L19']);
    oracle.screen.show({ lines: Array.from({ length: 20 }, (_, i) => `L${i}`), cursor: { row: 3, column: 2 } });
    oracle.screen.flush();
    expect(await oracle.lines()).toEqual(['P0', '…', 'L3', 'L4', 'L5', '…']);
    expect(cursorOf(oracle)).toEqual({ row: 2, column: 2 });
  });

  it('control codes from anywhere change nothing but colours', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    oracle.screen.print(['a\x1b[2Jb\x1b[Hc\x07\x1b]0;t\x07d', 'x\ny', 'tab\there', '\x1b[41mred']);
    oracle.screen.show({ lines: ['\x1b[10Aup\rno\nline', 'end\x1b['] });
    oracle.screen.flush();
    expect(await oracle.lines()).toEqual(['abcd', 'x', 'y', 'tab here', 'red', 'up no line', 'end']);
    const cell = oracle.terminal.buffer.active.getLine(5)?.getCell(0);
    expect(cell?.isBgDefault()).toBe(true);
  });

  it('an emoji the terminal finds wider than we do makes no row of its own', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    // Joined by ZWJ: two columns for us, four for a terminal that does not join.
    const wide = `${'x'.repeat(37)}👩‍🚀`;
    for (let i = 0; i < 5; i++) {
      oracle.screen.show({ lines: [wide, `n${i}`] });
      oracle.screen.flush();
      oracle.screen.show({ lines: [`${wide.slice(1)}`, `m${i}`] });
      oracle.screen.flush();
    }
    await oracle.lines();
    expect(windowRows(oracle.terminal).filter((row) => row !== '')).toEqual([expect.stringMatching(/^x{36}👩/), 'm4']);
  });

  it('a printed line of doubtful width leaves nothing of the live line it is written over', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    oracle.screen.show({ lines: ['L'.repeat(40), 'M'.repeat(40)] });
    oracle.screen.flush();
    // Forty columns for us; the emulator gives the heart without its colour mark one.
    const line = `${'x'.repeat(38)}❤️`;
    oracle.screen.print([line]);
    oracle.screen.flush();
    expect((await oracle.lines())[0]).not.toContain('L');
  });

  it.each([
    ['the cursor above long lines', 1, 3],
    ['the cursor in the middle of a line that is broken', 1, 55],
    ['the cursor under long lines', 3, 2],
    ['no cursor', undefined, 0],
  ])('narrower and narrower, then wider: %s', async (_name, row, column) => {
    const oracle = openOracle({ columns: 80, rows: 30 });
    const view = (): void => {
      const { columns } = oracle.screen.features();
      const lines = ['─'.repeat(columns), `> ${'typed '.repeat(20)}`, '─'.repeat(columns), 'status '.repeat(11)];
      oracle.screen.show(row === undefined ? { lines } : { lines, cursor: { row, column: Math.min(column, columns - 1) } });
    };
    oracle.screen.onResize(view);
    oracle.screen.print(['P0', 'P1 '.repeat(26), 'P2']);
    view();
    oracle.screen.flush();
    for (const columns of [60, 41, 20, 70, 30, 120]) {
      oracle.clock.now += 1000;
      await oracle.resize(columns, 30);
      oracle.screen.flush();
      const lines = (await oracle.lines()).map((line) => line.trimEnd());
      expect(lines.slice(0, 3)).toEqual(['P0', 'P1 '.repeat(26).trimEnd(), 'P2']);
      expect(lines.slice(3)).toHaveLength(4);
      expect(lines[3]).toBe('─'.repeat(columns));
    }
  });

  it('close leaves only what was printed and the cursor under it, twice is once', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    oracle.screen.print(['P0']);
    oracle.screen.show({ lines: ['live', 'more'] });
    oracle.screen.flush();
    oracle.screen.print(['P1']);
    oracle.screen.close();
    const count = oracle.writes.length;
    oracle.screen.close();
    oracle.screen.print(['late']);
    expect(oracle.writes).toHaveLength(count);
    expect(await oracle.lines()).toEqual(['P0', 'P1']);
    expect(cursorOf(oracle)).toEqual({ row: 2, column: 0 });
    expect(oracle.terminal.modes.bracketedPasteMode).toBe(false);
    expect(oracle.terminal.modes.wraparoundMode).toBe(true);
  });

  it('suspend takes the live region away and brings it back under what was written meanwhile', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    oracle.screen.print(['P0']);
    oracle.screen.show({ lines: ['live'] });
    oracle.screen.flush();
    const resume = oracle.screen.suspend();
    oracle.terminal.write('editor\r\n');
    oracle.screen.print(['P1']);
    oracle.screen.show({ lines: ['newer'] });
    oracle.screen.flush();
    expect(await oracle.lines()).toEqual(['P0', 'editor']);
    resume();
    resume();
    oracle.screen.flush();
    expect(await oracle.lines()).toEqual(['P0', 'editor', 'P1', 'newer']);
  });
});

function bareLine(line: string): string {
  return line.replace(/\x1b\[[\d;]*m/g, '').trimEnd();
}

describe('keys and answers', () => {
  const light = '\x1b]11;rgb:ffff/ffff/ffff\x1b\\';

  it('keys wait for the first listener, in order; a lone Esc comes after a short wait', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    oracle.input.write('ab\r');
    await turns();
    const keys: string[] = [];
    oracle.screen.onKey((key) => keys.push(key.kind === 'key' ? key.name : key.text));
    oracle.input.write('c\x1b');
    await expect.poll(() => keys.length).toBe(4);
    expect(keys).toEqual(['ab', 'enter', 'c', 'escape']);
  });

  it('the background is what the terminal answers in time; an answer is never typed', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    const keys: unknown[] = [];
    let told = 0;
    oracle.screen.onKey((key) => keys.push(key));
    oracle.screen.onResize(() => told++);
    oracle.screen.show({ lines: ['live'] });
    oracle.screen.flush();
    expect(oracle.writes.at(-1)).toContain('\x1b]11;?');
    expect(oracle.screen.features().background).toBe('unknown');
    oracle.input.write(light.slice(0, 9));
    oracle.input.write(light.slice(9));
    await expect.poll(() => oracle.screen.features().background).toBe('light');
    expect(told).toBe(1);
    oracle.input.write('\x1b]11;rgb:0000/0000/0000\x1b\\');
    await turns();
    expect(oracle.screen.features().background).toBe('light');
    expect(keys).toEqual([]);
  });

  it('an answer after the deadline counts for nothing', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    oracle.screen.print(['x']);
    oracle.screen.flush();
    oracle.clock.now += 5000;
    const keys: unknown[] = [];
    oracle.screen.onKey((key) => keys.push(key));
    oracle.input.write(light);
    await turns();
    expect(oracle.screen.features().background).toBe('unknown');
    expect(keys).toEqual([]);
  });

  it('Ctrl+C after a silence gets out of a paste whose end was lost', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    const keys: string[] = [];
    oracle.screen.onKey((key) => keys.push(key.kind === 'key' ? `${key.letter}` : key.text));
    oracle.input.write('\x1b[200~lost');
    await turns();
    oracle.input.write('\x03');
    await turns();
    expect(keys).toEqual([]);
    oracle.clock.now += 2000;
    oracle.input.write('\x03');
    await expect.poll(() => keys.join(' ')).toBe('lost c');
  });

  it('tells of the end of the input, also when it was before', async () => {
    const oracle = openOracle({ columns: 40, rows: 10 });
    let ends = 0;
    oracle.screen.onEnd(() => ends++);
    oracle.input.end();
    await expect.poll(() => ends).toBe(1);
    oracle.screen.onEnd(() => ends++);
    await expect.poll(() => ends).toBe(2);
  });

  it('rings by bell, or with a note where that is known', () => {
    const bell = openOracle({ columns: 40, rows: 10 });
    bell.screen.ring('done');
    expect(bell.writes.at(-1)).toBe('\x07');
    const note = openOracle({ columns: 40, rows: 10 }, { env: { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' } });
    note.screen.ring('4;done\x1b]0;x\x07 now');
    expect(note.writes.at(-1)).toBe('\x1b]9;done now\x07');
  });
});

describe('against the emulator', () => {
  it('scrollback holds each printed line once and in order, the live region is what was shown', () => againstEmulator(40));

  it('frames drawn for a width that is gone lose no printed line', () => againstLateEmulator(60));
});
