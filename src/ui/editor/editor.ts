/** The input of the shell: several lines, history, search, completion, folded pastes. */
import { clipped } from '../markdown/cells.js';
import type { Key, LiveView } from '../screen/port.js';
import type { Text } from '../text/index.js';
import { Buffer } from './buffer.js';
import { type Action, actionOf } from './chords.js';
import { type Asked, type Completing, createCompleting } from './completing.js';
import { completionLines } from './completion-lines.js';
import { countLines } from './folds.js';
import { layout, vertical } from './layout.js';
import type { Completer, Completion, Editor, EditorEvent, EditorHistory, EditorView } from './port.js';
import { createRecall, type Recall } from './recall.js';
import { Rows } from './rows.js';
import { createSearch, type HistorySearch, searchView } from './search.js';

export interface EditorOptions {
  readonly text: Text;
  readonly history: EditorHistory;
  readonly complete: Completer;
  /** What `view` gives has changed without a key. */
  changed(): void;
}

/** A paste of more lines or letters than these is folded. */
const FOLD_LINES = 6;
const FOLD_LETTERS = 1000;
/** What is brought back from history or another editor is folded only where it would be a burden. */
const FOLD_BROUGHT = 100_000;
const LIST_ROWS = 8;

type KeyPress = Extract<Key, { kind: 'key' }>;

/** An empty editor. Keys may come before its first view. */
export function createEditor(options: EditorOptions): Editor {
  return new ShellEditor(options);
}

class ShellEditor implements Editor {
  readonly #buffer = new Buffer();
  readonly #rows = new Rows();
  readonly #list: Completing;
  readonly #recall: Recall;
  #search: HistorySearch | undefined;
  /** The text that stood there before walking through history, folds and all. */
  #draft = '';
  /** Ctrl+X was pressed and waits for its second key. */
  #prefix = false;
  /** The action before this one. */
  #last: Action | undefined;
  /** The column that moves up and down aim at. */
  #goal: number | undefined;
  /** Tab was pressed, and its answer has not come. */
  #tabbed = false;

  readonly #actions: Readonly<Record<Action, () => EditorEvent | undefined>>;

  constructor(private readonly options: EditorOptions) {
    this.#list = createCompleting(options.complete, () => this.#answered());
    this.#recall = createRecall(options.history);
    this.#actions = { ...this.#moves(), ...this.#changes(), ...this.#others() };
  }

  get text(): string {
    return this.#buffer.whole();
  }

  set(text: string): void {
    this.#search = undefined;
    this.#bring(text);
    this.#recall.reset();
    this.#list.close();
  }

  close(): void {
    this.#list.close();
  }

  key(key: Key): EditorEvent | undefined {
    if (this.#search && this.#searching(key, this.#search)) return undefined;
    const prefixed = this.#prefix;
    this.#prefix = false;
    this.#tabbed = false;
    if (key.kind !== 'key') return this.#type(key);
    if (prefixed && key.ctrl && key.letter === 'e') return this.#external();
    if (prefixed && key.ctrl && key.letter === 'u') return this.#do('undo');
    const action = actionOf(key);
    return action ? this.#do(action) : undefined;
  }

  view(view: EditorView): LiveView {
    const { columns, rows, theme, unicode, prompt, placeholder = '' } = view;
    if (this.#search) return searchView(this.#search, view, this.options.text);
    const most = Math.max(1, Math.min(LIST_ROWS, rows - 2));
    const listed = this.#list.open && rows > 1 ? completionLines(this.#list, view, most) : [];
    const words = this.options.text;
    const { text, cursor } = this.#buffer;
    const shown = layout({
      text,
      cursor,
      columns,
      prompt,
      most: Math.max(1, rows - listed.length),
      rows: this.#rows,
      theme,
      unicode,
      foldShown: (letter) => {
        const fold = this.#buffer.foldOf(letter);
        return fold ? words.t('shell.pasted', { number: fold.number, count: fold.lines }) : '';
      },
    });
    const [first = ''] = shown.rows;
    const room = columns - shown.cursor.column;
    if (text !== '' || placeholder === '' || room < 2) return { lines: [...shown.rows, ...listed], cursor: shown.cursor };
    return { lines: [first + theme.dim(clipped(placeholder, room)), ...listed], cursor: shown.cursor };
  }

  #do(action: Action): EditorEvent | undefined {
    if (action !== 'up' && action !== 'down') this.#goal = undefined;
    const event = this.#actions[action]();
    this.#last = action;
    return event;
  }

  #type(key: Exclude<Key, KeyPress>): undefined {
    this.#last = undefined;
    this.#goal = undefined;
    if (key.kind === 'paste' && isLong(key.text)) this.#buffer.insertFolded(key.text);
    else this.#buffer.insert(key.text, { typing: key.kind === 'text' });
    return this.#edited();
  }

  #edited(): undefined {
    this.#recall.reset();
    this.#list.ask(this.#buffer.text, this.#buffer.cursor);
    return undefined;
  }

  #moved(to: number): undefined {
    this.#buffer.move(to);
    this.#list.close();
    return undefined;
  }

  #moves() {
    const buffer = this.#buffer;
    return {
      left: () => this.#moved(buffer.left()),
      right: () => this.#moved(buffer.right()),
      wordLeft: () => this.#moved(buffer.wordLeft()),
      wordRight: () => this.#moved(buffer.wordRight()),
      lineStart: () => this.#moved(buffer.lineStart()),
      lineEnd: () => this.#moved(buffer.lineEnd()),
      textStart: () => this.#moved(0),
      textEnd: () => this.#moved(buffer.text.length),
      up: () => this.#vertical(-1),
      down: () => this.#vertical(1),
      older: () => (this.#list.open ? this.#choose(-1) : this.#walk(-1)),
      newer: () => (this.#list.open ? this.#choose(1) : this.#walk(1)),
      pageUp: () => (this.#list.open ? this.#choose(-1) : this.#moved(0)),
      pageDown: () => (this.#list.open ? this.#choose(1) : this.#moved(buffer.text.length)),
    };
  }

  #changes() {
    const buffer = this.#buffer;
    const change = (work: () => void) => () => {
      work();
      return this.#edited();
    };
    const kill = (to: () => number) => change(() => buffer.delete(to(), { kill: true }));
    return {
      newline: change(() => buffer.insert('\n')),
      deleteLeft: change(() => buffer.delete(buffer.left())),
      deleteRight: change(() => buffer.delete(buffer.right())),
      killWordLeft: kill(() => buffer.wordLeft()),
      killWordRight: kill(() => buffer.wordRight()),
      killBlankLeft: kill(() => buffer.blankLeft()),
      // At the end of a line its line end goes.
      killToEnd: kill(() => (buffer.lineEnd() === buffer.cursor ? buffer.right() : buffer.lineEnd())),
      killToStart: kill(() => (buffer.lineStart() === buffer.cursor ? buffer.left() : buffer.lineStart())),
      yank: change(() => buffer.yank()),
      yankOlder: change(() => buffer.yankOlder()),
      transpose: change(() => buffer.transpose()),
      undo: change(() => void buffer.undo()),
      redo: change(() => void buffer.redo()),
    };
  }

  #others() {
    return {
      submit: () => this.#enter(),
      complete: () => this.#tab(),
      escape: () => this.#escape(),
      interrupt: () => this.#interrupt(),
      external: () => this.#external(),
      deleteOrLeave: () => this.#deleteOrLeave(),
      search: () => {
        this.#search = createSearch(this.options.history);
        this.#list.close();
        return undefined;
      },
      prefix: () => {
        this.#prefix = true;
        return undefined;
      },
      unfold: (): EditorEvent | undefined => (this.#buffer.unfold() ? this.#edited() : { kind: 'unfold' }),
      mode: (): EditorEvent => ({ kind: 'mode' }),
      redraw: (): EditorEvent => ({ kind: 'redraw' }),
      suspend: (): EditorEvent => ({ kind: 'suspend' }),
    };
  }

  /** Rows first, then what was entered before. */
  #vertical(by: -1 | 1): undefined {
    if (this.#list.open) return this.#choose(by);
    const { to, column } = vertical(this.#buffer.text, this.#buffer.cursor, by, this.#rows, this.#goal);
    if (to === undefined) return this.#walk(by);
    this.#moved(to);
    this.#goal = column;
    return undefined;
  }

  #choose(by: -1 | 1): undefined {
    this.#list.move(by);
    return undefined;
  }

  #walk(by: -1 | 1): undefined {
    const { text } = this.#buffer;
    const step = this.#recall.step(by, this.#buffer.whole());
    this.#list.close();
    if (step === undefined) return undefined;
    if (step === 'draft') this.#buffer.restore(this.#draft);
    else {
      if (step.begins) this.#draft = text;
      this.#bring(step.entry);
    }
    return undefined;
  }

  #bring(text: string): void {
    const isLarge = text.length > FOLD_BROUGHT;
    this.#buffer.set(isLarge ? '' : text);
    if (isLarge) this.#buffer.insertFolded(text);
  }

  #submit(): EditorEvent | undefined {
    const whole = this.#buffer.whole();
    if (whole.trim() === '') return undefined;
    this.options.history.add(whole);
    this.#buffer.reset();
    this.#rows.forget();
    this.#edited();
    return { kind: 'submit', text: whole };
  }

  #enter(): EditorEvent | undefined {
    const { chosen } = this.#list;
    // What is typed in full needs no completing; a command that is begun and chosen is meant.
    if (chosen && chosen.completion.insert !== chosen.asked.word && chosen.asked.kind !== 'argument') {
      const { completion, asked } = chosen;
      this.#accept(completion, asked);
      const isMeant = asked.kind === 'command' && completion.ends && begins(completion.insert, asked.word);
      return isMeant ? this.#submit() : undefined;
    }
    const buffer = this.#buffer;
    if (buffer.cursor === buffer.lineEnd() && endsInBackslash(buffer.text, buffer.cursor)) {
      buffer.replace(buffer.cursor - 1, buffer.cursor, '\n');
      return this.#edited();
    }
    return this.#submit();
  }

  #tab(): undefined {
    const { chosen, open } = this.#list;
    if (chosen) return this.#accept(chosen.completion, chosen.asked);
    if (open) return undefined;
    this.#list.ask(this.#buffer.text, this.#buffer.cursor, true);
    this.#tabbed = true;
    this.#acceptOnly();
    return undefined;
  }

  #answered(): void {
    this.#acceptOnly();
    this.options.changed();
  }

  /** The only answer to Tab is the one meant. */
  #acceptOnly(): void {
    const { chosen, items } = this.#list;
    if (!this.#tabbed || !chosen) return;
    this.#tabbed = false;
    if (items.length === 1) this.#accept(chosen.completion, chosen.asked);
  }

  #accept({ insert, ends }: Completion, asked: Asked): undefined {
    const buffer = this.#buffer;
    const isBlank = /\s/.test(buffer.text[buffer.cursor] ?? '');
    buffer.replace(asked.from, buffer.cursor, insert + (ends && !isBlank ? ' ' : ''));
    if (ends && isBlank && buffer.text[buffer.cursor] === ' ') buffer.move(buffer.cursor + 1);
    this.#recall.reset();
    if (ends && asked.kind !== 'command') this.#list.close();
    else this.#list.ask(buffer.text, buffer.cursor);
    return undefined;
  }

  /** Closes the list; pressed twice it clears the text, which undo brings back. */
  #escape(): EditorEvent | undefined {
    if (this.#list.open) {
      this.#list.dismiss();
      return undefined;
    }
    if (this.#last !== 'escape' || this.#buffer.text === '') return { kind: 'escape' };
    this.#buffer.set('');
    return this.#edited();
  }

  #interrupt(): EditorEvent {
    const empty = this.#buffer.text === '';
    this.#buffer.set('');
    this.#edited();
    return { kind: 'interrupt', empty };
  }

  #external(): EditorEvent {
    this.#list.close();
    return { kind: 'external', text: this.#buffer.whole() };
  }

  #deleteOrLeave(): EditorEvent | undefined {
    if (this.#buffer.text === '') return { kind: 'leave' };
    this.#buffer.delete(this.#buffer.right());
    return this.#edited();
  }

  /** True: the key belonged to the search; otherwise the hit is taken over and the key goes on. */
  #searching(key: Key, search: HistorySearch): boolean {
    if (key.kind !== 'key') {
      search.type(key.text);
      return true;
    }
    const control = key.ctrl ? key.letter : undefined;
    if (key.name === 'backspace' || control === 'h') search.erase();
    else if (control === 'r' || key.name === 'up') search.again(1);
    else if (control === 's' || key.name === 'down') search.again(-1);
    else if (control === 'c' || control === 'g') this.#search = undefined;
    else if (key.name !== 'unknown') {
      this.#search = undefined;
      if (search.hit !== undefined) this.set(search.hit);
      return key.name === 'escape' || key.name === 'tab';
    }
    return true;
  }
}

const isLong = (text: string): boolean => text.length > FOLD_LETTERS || countLines(text) > FOLD_LINES;

const begins = (name: string, typed: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase());

/** An odd number of backslashes: the last one is meant for the line end. */
function endsInBackslash(text: string, at: number): boolean {
  let count = 0;
  while (text[at - 1 - count] === '\\') count++;
  return count % 2 === 1;
}
