/** What the input of the shell is to the rest: keys in, events and lines out. Pure but for its completions. */
import type { Key, LiveView } from '../screen/port.js';
import type { Theme } from '../theme/theme.js';

/** What a key led to beyond a change of the text. */
export type EditorEvent =
  /** Enter on a finished text; pastes that were folded are whole again. The editor is empty afterwards. */
  | { readonly kind: 'submit'; readonly text: string }
  /** Ctrl+C; `empty`: there was nothing to clear. */
  | { readonly kind: 'interrupt'; readonly empty: boolean }
  /** Ctrl+D on an empty text. */
  | { readonly kind: 'leave' }
  /** Esc that closed nothing; pressed twice in a row it clears a text instead (undo brings it back). */
  | { readonly kind: 'escape' }
  /** Ctrl+O, but beside a folded paste, which it opens: show what was folded. */
  | { readonly kind: 'unfold' }
  /** Shift+Tab: the next permission mode. */
  | { readonly kind: 'mode' }
  /** Ctrl+L: draw anew. */
  | { readonly kind: 'redraw' }
  /** Ctrl+Z: suspend the program. */
  | { readonly kind: 'suspend' }
  /** Ctrl+G (and Ctrl+X Ctrl+E): edit this text in the external editor; `set` brings the result back. */
  | { readonly kind: 'external'; readonly text: string };

/** One thing that may stand for what is half typed. */
export interface Completion {
  /** What is inserted in place of the word. */
  readonly insert: string;
  /** What the list shows; `insert` when absent. */
  readonly label?: string;
  readonly detail?: string;
  /** True: a space follows, the word is finished (a command, a file; not a folder). */
  readonly ends: boolean;
}

export type CompletionKind = 'command' | 'argument' | 'mention';

/**
 * Completions of a word: of a slash command, of a command's argument (`before` is the line up to the word), or behind `@`.
 * The best first. Must not throw; an aborted signal may end it early.
 */
export type Completer = (
  request: { readonly kind: CompletionKind; readonly word: string; readonly before: string },
  signal: AbortSignal,
) => Promise<readonly Completion[]> | readonly Completion[];

/** Lines entered before, the newest last. */
export interface EditorHistory {
  all(): readonly string[];
  add(text: string): void;
}

export interface EditorView {
  readonly columns: number;
  /** Most rows the editor with its lists may take. */
  readonly rows: number;
  readonly theme: Theme;
  readonly unicode: boolean;
  /** Before the first line, plain text: `> `. */
  readonly prompt: string;
  /** Shown dim while the text is empty. */
  readonly placeholder?: string;
}

export interface Editor {
  key(key: Key): EditorEvent | undefined;
  view(view: EditorView): LiveView;
  readonly text: string;
  /** Replaces the text, cursor at its end; can be undone. */
  set(text: string): void;
  close(): void;
}
