/** The screen of the interactive shell: an append-only scrollback, a live region under it, keys, and one write a frame. */

import { type EarlyInput, type ScreenInput, setRaw } from './early-input.js';
import { backgroundFromReply, type Environment, readFeatures, readTraits, type ScreenOutput } from './features.js';
import { createKeySource, type KeySource } from './key-source.js';
import { type CellLine, toCells } from './line-cells.js';
import { fitView, LiveRegion } from './live-region.js';
import { openPlainScreen } from './plain-screen.js';
import type { Features, Key, LiveView, Screen, ScreenLine } from './port.js';
import { type ExitHooks, hookExits, modesOf, writeNow } from './terminal-modes.js';

export interface ScreenOptions {
  readonly input: ScreenInput;
  readonly output: ScreenOutput;
  readonly env: Environment;
  /** What was read before the screen was there. */
  readonly early?: EarlyInput;
  readonly now?: () => number;
  /** Shortest time between two writes, in ms. */
  readonly frameMs?: number;
  /** False: no listeners on the process (tests within one process); Ctrl+Z is a key then. */
  readonly signals?: boolean;
}

const FRAME_MS = 33;
/** A frame never writes more, but where one line alone is longer. */
const FRAME_BYTES = 4096;
/** Of these, for printed lines when many wait. */
const PRINT_BYTES = 2304;
const FRAME_MARKS = 128;
const FLUSH_BYTES = 64 * 1024;
/** A frame written so shortly before a resize may have met the terminal after it. */
const LATE_MS = 60;
const ANSWER_MS = 1000;
const ASK_BACKGROUND = '\x1b]11;?\x1b\\';

/** Takes the terminal until `close`. Where cursor movement does not work, it prints only: no live region, no keys. */
export function openScreen(options: ScreenOptions): Screen {
  const features = readFeatures(options.output, options.env);
  if (features.moves) return new TerminalScreen(options, features);
  options.early?.cancel();
  return openPlainScreen(options.output, features);
}

class TerminalScreen implements Screen {
  private readonly traits;
  private readonly modes;
  private readonly now: () => number;
  private readonly frameMs: number;
  private readonly region: LiveRegion;
  private readonly source: KeySource;
  private readonly hooks: ExitHooks | undefined;
  private readonly resizeListeners = new Set<() => void>();
  private view: LiveView = { lines: [] };
  private printed: CellLine[] = [];
  private dirty = false;
  /** A key came since the last frame. */
  private keyed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastFrame = Number.NEGATIVE_INFINITY;
  /** The size what stands on the screen was drawn for, when the terminal has another since. */
  private drawnFor: { readonly columns: number; readonly rows: number; readonly late: boolean } | undefined;
  private writing = false;
  private dead = false;
  private holds = 0;
  private closed = false;
  private asked: number | undefined;

  constructor(
    private readonly options: ScreenOptions,
    private known: Features,
  ) {
    const { input, output, env } = options;
    this.traits = readTraits(env);
    this.modes = modesOf(this.traits);
    this.region = new LiveRegion(this.traits.synchronized);
    this.now = options.now ?? (() => performance.now());
    this.frameMs = options.frameMs ?? FRAME_MS;
    output.on('error', this.onGone);
    output.on('resize', this.onSize);
    const own = options.signals !== false;
    this.source = createKeySource(input, {
      now: this.now,
      onReply: (reply) => this.takeReply(reply),
      ...(options.early ? { righted: options.early.righted } : {}),
      ...(own && process.platform !== 'win32' ? { onStop: () => process.kill(0, 'SIGTSTP') } : {}),
    });
    this.hooks = own
      ? hookExits(
          () => this.close(),
          () => this.suspend(),
        )
      : undefined;
    this.enter();
    for (const bytes of options.early?.take() ?? []) this.source.feed(bytes);
  }

  features(): Features {
    return this.known;
  }

  print(lines: readonly ScreenLine[]): void {
    if (this.closed || lines.length === 0) return;
    for (const line of lines) {
      if (line.includes('\n')) for (const part of line.split(/\r?\n/)) this.printed.push(toCells(part));
      else this.printed.push(toCells(line));
    }
    this.schedule();
  }

  show(view: LiveView): void {
    if (this.closed) return;
    this.view = view;
    this.schedule();
  }

  flush(): void {
    if (this.closed || this.holds > 0) return;
    this.stopTimer();
    for (let more = true; more; ) {
      const { text, rest } = this.compose(FLUSH_BYTES, FLUSH_BYTES);
      if (text) this.write(text);
      more = rest;
    }
  }

  onKey(listener: (key: Key) => void): () => void {
    return this.source.onKey((key) => {
      this.keyed = true;
      listener(key);
    });
  }

  onEnd(listener: () => void): () => void {
    return this.source.onEnd(listener);
  }

  onResize(listener: () => void): () => void {
    this.resizeListeners.add(listener);
    return () => this.resizeListeners.delete(listener);
  }

  suspend(): () => void {
    if (!this.closed && this.holds === 0) {
      this.flush();
      this.stopTimer();
      this.writeRaw(this.region.erase() + this.modes.leave);
      this.source.stop();
      setRaw(this.options.input, false);
    }
    this.holds++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.holds--;
      if (this.closed || this.holds > 0) return;
      this.onSize();
      this.enter();
      this.schedule();
    };
  }

  ring(text: string): void {
    if (this.closed || this.holds > 0) return;
    const note = toCells(text)
      .text.replace(/\x1b\[[\d;:]*m/g, '')
      .replace(/^[\d;]+/, '')
      .trim()
      .slice(0, 200);
    this.writeRaw(this.traits.notes && note ? `\x1b]9;${note}\x07` : '\x07');
  }

  close(): void {
    if (this.closed) return;
    this.stopTimer();
    if (this.holds === 0) {
      let text = '';
      this.view = { lines: [] };
      for (let more = true; more && !this.dead; ) {
        const next = this.compose(FLUSH_BYTES, FLUSH_BYTES);
        text += next.text;
        more = next.rest;
      }
      text += this.region.erase() + this.modes.leave;
      if (!this.dead) writeNow(this.options.output, text);
      this.source.stop();
      setRaw(this.options.input, false);
    }
    this.closed = true;
    this.hooks?.release();
    this.options.output.off('resize', this.onSize);
    // The error listener stays: what was written may still fail.
  }

  private enter(): void {
    setRaw(this.options.input, true);
    this.region.forget();
    this.drawnFor = undefined;
    this.writeRaw(this.modes.enter);
    this.source.start();
  }

  private readonly onGone = (): void => {
    this.dead = true;
    this.printed = [];
    this.stopTimer();
    this.source.end();
  };

  private readonly onSize = (): void => {
    if (this.closed) return;
    const { columns, rows } = this.known;
    const next = readFeatures(this.options.output, this.options.env);
    if (next.columns === columns && next.rows === rows) return;
    const late = this.now() - this.lastFrame < LATE_MS || this.drawnFor?.late === true;
    this.drawnFor = { ...(this.drawnFor ?? { columns, rows }), late };
    this.known = { ...this.known, columns: next.columns, rows: next.rows };
    for (const listener of [...this.resizeListeners]) listener();
    this.schedule(true);
  };

  private takeReply(reply: string): void {
    const background = backgroundFromReply(reply);
    if (!background || this.asked === undefined || this.now() - this.asked > ANSWER_MS) return;
    this.asked = undefined;
    if (background === this.known.background) return;
    this.known = { ...this.known, background };
    for (const listener of [...this.resizeListeners]) listener();
  }

  private schedule(atOnce = false): void {
    this.dirty = true;
    if (atOnce || this.keyed) this.stopTimer();
    if (this.timer || this.writing || this.dead || this.closed || this.holds > 0) return;
    // Who types waits for no whole frame.
    const part = this.printed.length > 0 && this.lastBacklog ? 8 : this.keyed ? 4 : 1;
    const pause = this.frameMs / part;
    const wait = atOnce ? 0 : Math.max(0, this.lastFrame + pause - this.now());
    this.timer = setTimeout(this.onFrame, wait);
  }

  /** Did the last frame leave something for the next one? */
  private lastBacklog = false;

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private readonly onFrame = (): void => {
    this.timer = undefined;
    if (this.closed || this.holds > 0 || this.dead) return;
    // The newest size, though its event may not have come yet.
    this.options.output._refreshSize?.();
    this.stopTimer();
    this.keyed = false;
    const { text, rest } = this.compose(PRINT_BYTES, FRAME_BYTES);
    this.lastBacklog = rest;
    if (text) this.write(text);
    if (rest) this.schedule();
  };

  /** The bytes of the next frame; `rest`: more waits for another one. */
  private compose(printBytes: number, allBytes: number): { readonly text: string; readonly rest: boolean } {
    this.dirty = false;
    const { known, region } = this;
    const view = fitView(this.view, known, known.unicode ? '…' : '...');
    const moved = this.drawnFor;
    if (!moved && this.printed.length === 0 && region.shows(view)) return { text: '', rest: false };
    let text = this.traits.synchronized ? '' : region.showCursor(false);
    if (moved) {
      const shorter = known.rows < moved.rows;
      text += region.resized(known.columns, { reflow: this.traits.reflow, late: moved.late, shorter });
      this.drawnFor = undefined;
    }
    const { lines, bytes } = this.nextPrinted(printBytes);
    const budget = Math.max(1, allBytes - bytes - FRAME_MARKS);
    const frame = region.frame(lines, view, known.columns, budget);
    text += frame.text;
    if (this.traits.synchronized) text = `\x1b[?2026h${text}\x1b[?2026l`;
    if (this.asked === undefined && this.lastFrame === Number.NEGATIVE_INFINITY && this.asks()) {
      text += ASK_BACKGROUND;
      this.asked = this.now();
    }
    this.lastFrame = this.now();
    return { text, rest: this.printed.length > 0 || !frame.whole };
  }

  private asks(): boolean {
    return this.traits.answers && this.options.input.isTTY === true;
  }

  private nextPrinted(most: number): { readonly lines: readonly CellLine[]; readonly bytes: number } {
    let bytes = 0;
    let count = 0;
    for (const line of this.printed) {
      bytes += Buffer.byteLength(line.text) + 5;
      if (bytes > most && count > 0) break;
      count++;
    }
    const lines = this.printed.slice(0, count);
    this.printed = this.printed.slice(count);
    return { lines, bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 5, 0) };
  }

  /** One frame. The next one is made when this one is out. */
  private write(text: string): void {
    if (this.dead) return;
    this.writing = true;
    this.options.output.write(text, () => {
      this.writing = false;
      if (this.dirty) this.schedule();
    });
  }

  private writeRaw(text: string): void {
    if (text && !this.dead) this.options.output.write(text);
  }
}
