/** Line-by-line input for a plain shell: history, continued lines, and what Ctrl+C and Ctrl+D mean. */
import { createInterface, type Interface } from 'node:readline';
import { type HistoryFile, openHistory } from './history-file.js';
import type { InputStream } from './keys.js';
import type { Text } from './text/index.js';

export interface LineInputOptions {
  readonly input: InputStream;
  readonly output: NodeJS.WritableStream;
  readonly text: Text;
  /** Where typed lines are kept (mode 0600); none when undefined. */
  readonly historyFile?: string;
  /** Takes a line typed while something runs; true: it is done with, and neither queued nor given to what runs. */
  readonly atOnce?: (line: string) => boolean;
  /** False: what was typed while something runs is not for that run; it and what follows wait for the next prompt. */
  readonly forRun?: (line: string) => boolean;
  /** Words that may follow what was typed. */
  readonly complete?: (line: string) => readonly string[];
}

export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'leave' };

export interface LineInput {
  /** The next input; a trailing backslash continues it on the next line. `leave` after Ctrl+D, a second Ctrl+C, or the end. */
  next(prompt: string): Promise<Line>;
  /** While something runs, Ctrl+C calls `onInterrupt` (otherwise the process gets SIGINT); the function given back ends that. */
  busy(onInterrupt: () => void): () => void;
  /** Lines typed while something ran, each given once. */
  takeTyped(): readonly string[];
  /** Gives the input away (a question); the function given back takes it again, with what was half typed. */
  hold(): () => void;
  close(): void;
}

const CONTINUED = '… ';

/** Opens the input. Nothing is read from it twice: lines that come early wait for the next prompt. */
export function createLineInput(options: LineInputOptions): LineInput {
  return new PlainLines(options);
}

class PlainLines implements LineInput {
  private readonly file: HistoryFile | undefined;
  private history: string[];
  private reader: Interface | undefined;
  private queue: Line[] = [];
  private wake: (() => void) | undefined;
  /** Lines of an input that goes on. */
  private begun: string[] = [];
  private prompt = '';
  private halfTyped = '';
  /** Ctrl+C was pressed at an empty prompt just before. */
  private leaving = false;
  /** A prompt waits for a line. */
  private waiting = false;
  private onInterrupt: (() => void) | undefined;
  private closed = false;

  constructor(private readonly options: LineInputOptions) {
    this.file = options.historyFile === undefined ? undefined : openHistory(options.historyFile);
    // The line editor shows one line at a time.
    this.history = (this.file?.entries ?? []).filter((entry) => !entry.includes('\n'));
    this.reader = this.open();
  }

  async next(prompt: string): Promise<Line> {
    this.prompt = prompt;
    this.waiting = true;
    if (this.queue.length === 0 && !this.closed) this.ask();
    while (this.queue.length === 0 && !this.closed) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.waiting = false;
    return this.queue.shift() ?? { kind: 'leave' };
  }

  busy(onInterrupt: () => void): () => void {
    this.onInterrupt = onInterrupt;
    return () => {
      this.onInterrupt = undefined;
    };
  }

  takeTyped(): readonly string[] {
    const { forRun } = this.options;
    const stays = this.queue.findIndex((line) => line.kind === 'leave' || forRun?.(line.text) === false);
    const taken = stays < 0 ? this.queue : this.queue.slice(0, stays);
    this.queue = this.queue.slice(taken.length);
    return taken.flatMap((line) => (line.kind === 'line' ? [line.text] : []));
  }

  hold(): () => void {
    const held = this.reader;
    if (this.closed || !held) return () => undefined;
    const { line } = held;
    this.reader = undefined;
    held.close();
    return () => {
      if (this.closed || this.reader) return;
      this.reader = this.open();
      // One letter was meant for the question; more waits for the prompt, so that it does not stand among what is shown.
      if ([...line].length > 1) this.halfTyped = line + this.halfTyped;
      if (this.waiting) this.ask();
    };
  }

  close(): void {
    this.closed = true;
    this.wake?.();
    this.reader?.close();
  }

  private open(): Interface {
    const { input, output, complete } = this.options;
    const reader = createInterface({
      input,
      output,
      terminal: input.isTTY === true,
      history: this.history,
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: (line: string) => [(complete?.(line) ?? []).slice(0, 100), line],
    });
    reader.on('line', (line) => this.takeLine(line));
    reader.on('SIGINT', () => this.interrupt(reader));
    reader.on('close', () => {
      if (reader === this.reader) this.end();
    });
    reader.on('history', (lines) => {
      this.history = [...lines];
    });
    return reader;
  }

  private ask(): void {
    this.reader?.setPrompt(this.begun.length > 0 ? CONTINUED : this.prompt);
    this.reader?.prompt(true);
    this.restore();
  }

  /** What was half typed before a question stands before what came since. */
  private restore(): void {
    const { halfTyped, reader } = this;
    if (!halfTyped || !reader) return;
    this.halfTyped = '';
    reader.write(null, { ctrl: true, name: 'a' });
    reader.write(halfTyped);
    reader.write(null, { ctrl: true, name: 'e' });
  }

  private put(line: Line): void {
    this.queue.push(line);
    this.wake?.();
  }

  /** The input has ended: what was begun is a line, then there is nothing more. */
  private end(): void {
    if (this.closed) return;
    if (this.begun.length > 0) this.put({ kind: 'line', text: this.begun.join('\n') });
    this.put({ kind: 'leave' });
    this.closed = true;
  }

  private takeLine(line: string): void {
    this.leaving = false;
    let slashes = 0;
    while (line.at(-1 - slashes) === '\\') slashes++;
    if (slashes % 2 === 1) {
      this.begun.push(line.slice(0, -1));
      if (this.waiting) this.ask();
      return;
    }
    const text = [...this.begun, line].join('\n');
    this.begun = [];
    this.file?.add(text);
    if (!this.waiting && this.options.atOnce?.(text)) return;
    this.put({ kind: 'line', text });
  }

  private interrupt(reader: Interface): void {
    if (this.onInterrupt || !this.waiting) {
      // In raw mode the terminal sends no signal; whoever works behind the prompt gets one all the same.
      if (this.onInterrupt) this.onInterrupt();
      else process.kill(process.pid, 'SIGINT');
      return;
    }
    const empty = reader.line === '' && this.begun.length === 0;
    if (empty && this.leaving) {
      reader.close();
      return;
    }
    this.leaving = empty;
    this.begun = [];
    // Clears what was typed: to the end of the line, then back to its start.
    reader.write(null, { ctrl: true, name: 'e' });
    reader.write(null, { ctrl: true, name: 'u' });
    this.options.output.write(`\n${empty ? `${this.options.text.t('shell.leaveHint')}\n` : ''}`);
    this.ask();
  }
}
