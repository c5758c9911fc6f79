/** What the parts of the interactive shell agree on: keys, lines of the screen, and the screen itself. */

export type KeyName =
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  /** A single letter with Ctrl or Alt: `letter` says which, in lower case. */
  | 'letter'
  /** A sequence that means nothing here. */
  | 'unknown';

/** What came from the keyboard, decoded. `text` never holds control characters; a paste is as it came, with `\n` line ends. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | {
      readonly kind: 'key';
      readonly name: KeyName;
      readonly letter?: string;
      readonly ctrl: boolean;
      readonly alt: boolean;
      readonly shift: boolean;
    };

/** One line of the screen: text with SGR codes only, no newline, not wider than the columns it was made for. */
export type ScreenLine = string;

/** The small region below the scrollback that is redrawn. */
export interface LiveView {
  readonly lines: readonly ScreenLine[];
  /** Where the cursor stands, counted from 0 in `lines`; absent: hidden. */
  readonly cursor?: { readonly row: number; readonly column: number };
}

/** What a terminal can do. */
export interface Features {
  readonly columns: number;
  readonly rows: number;
  /** Bits of colour: 0 none, 4 sixteen colours, 8, 24. */
  readonly depth: 0 | 4 | 8 | 24;
  /** Letters beyond ASCII can be trusted (box lines, marks). */
  readonly unicode: boolean;
  /** Cursor movement works: not `TERM=dumb`, not a pipe. */
  readonly moves: boolean;
  readonly background: 'light' | 'dark' | 'unknown';
}

/** A terminal with an append-only scrollback and a live region under it. Writes at most once a frame. */
export interface Screen {
  features(): Features;
  /** Appends lines above the live region, for ever. */
  print(lines: readonly ScreenLine[]): void;
  /** What the live region is from the next frame on. */
  show(view: LiveView): void;
  /** Writes at once what is waiting. */
  flush(): void;
  onKey(listener: (key: Key) => void): () => void;
  /** After the input ended: the terminal is gone, or what was piped in is read. Called at once when that was before. */
  onEnd(listener: () => void): () => void;
  /** After the size changed, or the background became known; whoever shows something makes it anew. */
  onResize(listener: () => void): () => void;
  /** Hands the terminal to another program; the function given back takes it again. Keys typed meanwhile are not ours. */
  suspend(): () => void;
  /** A short call for attention: bell, or OSC 9 where known. */
  ring(text: string): void;
  /** Leaves the terminal as it was found, cursor below the last line. Safe to call twice. */
  close(): void;
}
