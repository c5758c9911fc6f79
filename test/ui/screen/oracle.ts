/** A headless xterm behind a screen within one process: what was written is what it shows. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Terminal } from '@xterm/headless';
import type { ScreenOutput } from '../../../src/ui/screen/features.js';
import type { Screen } from '../../../src/ui/screen/port.js';
import { openScreen, type ScreenOptions } from '../../../src/ui/screen/terminal-screen.js';
import { bufferLines, newTerminal } from '../../helpers/terminal.js';

export interface Oracle {
  readonly screen: Screen;
  readonly input: PassThrough;
  readonly terminal: Terminal;
  /** Every write, in order. */
  readonly writes: string[];
  /** Time of the screen; set it forward. */
  readonly clock: { now: number };
  /** Lets what was written reach the terminal, then gives all its lines, wrapped rows joined. */
  lines(): Promise<string[]>;
  /** As the emulator does it: its own size first, then the program is told. */
  resize(columns: number, rows: number): Promise<void>;
  /** Only the emulator: the program draws for the old size until `tell`. */
  resizeUntold(columns: number, rows: number): Promise<void>;
  tell(): void;
  /** From now on a write is not done before `drain` is called. */
  block(): void;
  drain(): void;
}

export function openOracle(size: { columns: number; rows: number }, more: Partial<ScreenOptions> = {}): Oracle {
  const terminal = newTerminal(size.columns, size.rows);
  const writes: string[] = [];
  const clock = { now: 1000 };
  let waiting: (() => void)[] | undefined;
  const now = { ...size };
  const emitter = new EventEmitter();
  const output = Object.assign(emitter, {
    isTTY: true,
    write(text: string, done?: () => void): boolean {
      writes.push(text);
      terminal.write(text);
      if (waiting && done) waiting.push(done);
      else if (done) setImmediate(done);
      return !waiting;
    },
  }) as unknown as ScreenOutput;
  for (const name of ['columns', 'rows'] as const) Object.defineProperty(output, name, { get: () => now[name] });
  const input = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode: () => undefined });
  const screen = openScreen({
    input,
    output,
    env: { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode', LANG: 'C.UTF-8' },
    now: () => clock.now,
    frameMs: 0,
    signals: false,
    ...more,
  });
  const settled = () => new Promise<void>((done) => terminal.write('', done));
  return {
    screen,
    input,
    terminal,
    writes,
    clock,
    async lines() {
      await settled();
      return bufferLines(terminal);
    },
    async resize(columns, rows) {
      await this.resizeUntold(columns, rows);
      this.tell();
    },
    async resizeUntold(columns, rows) {
      await settled();
      terminal.resize(columns, rows);
    },
    tell() {
      now.columns = terminal.cols;
      now.rows = terminal.rows;
      emitter.emit('resize');
    },
    block() {
      waiting = [];
    },
    drain() {
      const done = waiting ?? [];
      waiting = undefined;
      for (const one of done) one();
    },
  };
}
