/** The input of the shell: several lines, history, search, completion, folded pastes. */

import { clipped } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { Key } from '../screen/port.js';
import type { Text } from '../text/index.js';
import { createBuffer, typable } from './buffer.js';
import { type Completing, createCompleting } from './completing.js';
import { layout } from './layout.js';
import type { Completer, Editor, EditorEvent, EditorHistory, EditorView } from './port.js';
import { createRecall, createSearch, type HistorySearch } from './recall.js';

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
const LIST_ROWS = 8;

type KeyPress = Extract<Key, { kind: 'key' }>;

export function createEditor({ text: words, history, complete, changed }: EditorOptions): Editor {
  const buffer = createBuffer();
  const recall = createRecall(history);
  const list: Completing = createCompleting(complete, changed);
  let search: HistorySearch | undefined;
  /** Ctrl+X was pressed and waits for its second key. */
  let prefix = false;

  const edited = (): undefined => {
    recall.reset();
    list.ask(buffer.text, buffer.cursor);
    return undefined;
  };
  const moved = (to: number): undefined => {
    buffer.move(to);
    list.close();
    return undefined;
  };
  const submit = (): EditorEvent | undefined => {
    const whole = buffer.whole();
    if (whole.trim() === '') return undefined;
    history.add(whole);
    buffer.set('');
    recall.reset();
    list.close();
    return { kind: 'submit', text: whole };
  };
  const accept = (): 'ends' | 'goes-on' | undefined => {
    const { chosen } = list;
    if (!chosen) return undefined;
    const { completion, asked } = chosen;
    buffer.replace(buffer.cursor - asked.word.length, buffer.cursor, completion.insert + (completion.ends ? ' ' : ''));
    if (completion.ends) list.close();
    else list.ask(buffer.text, buffer.cursor);
    recall.reset();
    return completion.ends ? 'ends' : 'goes-on';
  };
  const enter = (key: KeyPress): EditorEvent | undefined => {
    if (key.shift || key.alt || key.ctrl) {
      buffer.insert('\n');
      return edited();
    }
    const { chosen } = list;
    // What is typed in full needs no completing; a command that is completed is meant.
    if (chosen && chosen.completion.insert !== chosen.asked.word && chosen.asked.kind !== 'argument') {
      const { kind } = chosen.asked;
      return accept() === 'ends' && kind === 'command' ? submit() : undefined;
    }
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(buffer.text) && buffer.cursor === buffer.text.length) {
      buffer.replace(buffer.text.length - 1, buffer.text.length, '\n');
      return edited();
    }
    return submit();
  };
  const vertical = (by: -1 | 1): undefined => {
    if (list.open) {
      list.move(by);
      return undefined;
    }
    const to = buffer.vertical(by);
    if (to !== undefined) return moved(to);
    const entry = recall.step(by, buffer.text);
    if (entry !== undefined) buffer.set(entry);
    return undefined;
  };
  const walk = (by: -1 | 1): undefined => {
    const entry = recall.step(by, buffer.text);
    if (entry !== undefined) buffer.set(entry);
    list.close();
    return undefined;
  };
  const ctrl = (letter: string): EditorEvent | undefined => {
    switch (letter) {
      case 'a':
        return moved(buffer.lineStart());
      case 'e':
        return moved(buffer.lineEnd());
      case 'b':
        return moved(buffer.left());
      case 'f':
        return moved(buffer.right());
      case 'p':
        return walk(-1);
      case 'n':
        return walk(1);
      case 'd':
        if (buffer.text === '') return { kind: 'leave' };
        buffer.delete(buffer.right());
        return edited();
      case 'h':
        buffer.delete(buffer.left());
        return edited();
      case 'k':
        buffer.delete(buffer.lineEnd() === buffer.cursor ? buffer.right() : buffer.lineEnd(), { kill: true });
        return edited();
      case 'u':
        buffer.delete(buffer.lineStart() === buffer.cursor ? buffer.left() : buffer.lineStart(), { kill: true });
        return edited();
      case 'w':
        buffer.delete(buffer.wordLeft(), { kill: true });
        return edited();
      case 'y':
        buffer.yank();
        return edited();
      case '_':
      case '/':
        buffer.undo();
        return edited();
      case 'c': {
        const empty = buffer.text === '';
        list.close();
        buffer.set('');
        recall.reset();
        return { kind: 'interrupt', empty };
      }
      case 'r':
        search = createSearch(history);
        list.close();
        return undefined;
      case 'x':
        prefix = true;
        return undefined;
      case 'g':
        return { kind: 'external', text: buffer.whole() };
      case 'l':
        return { kind: 'redraw' };
      case 'o':
        return { kind: 'unfold' };
      case 'z':
        return { kind: 'suspend' };
      default:
        return undefined;
    }
  };
  const alt = (key: KeyPress): EditorEvent | undefined => {
    if (key.letter === 'b') return moved(buffer.wordLeft());
    if (key.letter === 'f') return moved(buffer.wordRight());
    if (key.letter !== 'd') return undefined;
    buffer.delete(buffer.wordRight(), { kill: true });
    return edited();
  };
  const named = (key: KeyPress): EditorEvent | undefined => {
    const far = key.ctrl || key.alt;
    switch (key.name) {
      case 'enter':
        return enter(key);
      case 'tab':
        if (key.shift) return { kind: 'mode' };
        if (!list.open) list.ask(buffer.text, buffer.cursor);
        else accept();
        return undefined;
      case 'escape':
        if (!list.open) return { kind: 'escape' };
        list.close();
        return undefined;
      case 'backspace':
        buffer.delete(far ? buffer.wordLeft() : buffer.left(), { kill: far });
        return edited();
      case 'delete':
        buffer.delete(far ? buffer.wordRight() : buffer.right(), { kill: far });
        return edited();
      case 'left':
        return moved(far ? buffer.wordLeft() : buffer.left());
      case 'right':
        return moved(far ? buffer.wordRight() : buffer.right());
      case 'home':
        return moved(far ? 0 : buffer.lineStart());
      case 'end':
        return moved(far ? buffer.text.length : buffer.lineEnd());
      case 'up':
        return vertical(-1);
      case 'down':
        return vertical(1);
      case 'letter':
        return key.ctrl ? ctrl(key.letter ?? '') : alt(key);
      default:
        return undefined;
    }
  };
  /** True: the key belonged to the search; otherwise the hit is taken over and the key goes on. */
  const searching = (key: Key, at: HistorySearch): boolean => {
    if (key.kind !== 'key') {
      at.type(typable(key.text).replace(/\n/g, ' '));
      return true;
    }
    if (key.name === 'backspace') at.erase();
    else if (key.ctrl && key.letter === 'r') at.again();
    else if (key.ctrl && (key.letter === 'c' || key.letter === 'g')) search = undefined;
    else {
      if (at.hit !== undefined) buffer.set(at.hit);
      search = undefined;
      return key.name === 'escape' || key.name === 'tab';
    }
    return true;
  };
  return {
    get text() {
      return buffer.whole();
    },
    set(next) {
      buffer.set(next);
      edited();
    },
    close: () => list.close(),
    key(key) {
      if (search && searching(key, search)) return undefined;
      if (prefix) {
        prefix = false;
        const isEdit = key.kind === 'key' && key.ctrl && key.letter === 'e';
        if (isEdit) return { kind: 'external', text: buffer.whole() };
      }
      if (key.kind === 'key') return named(key);
      if (key.kind === 'paste' && isLong(key.text)) buffer.insertFolded(key.text);
      else buffer.insert(key.text, { typing: key.kind === 'text' });
      return edited();
    },
    view: (view) => editorView(view, { buffer, list, search, words }),
  };
}

const isLong = (text: string): boolean => text.length > FOLD_LETTERS || text.split('\n', FOLD_LINES + 1).length > FOLD_LINES;

interface Shown {
  readonly buffer: ReturnType<typeof createBuffer>;
  readonly list: Completing;
  readonly search: HistorySearch | undefined;
  readonly words: Text;
}

function editorView(view: EditorView, { buffer, list, search, words }: Shown): ReturnType<Editor['view']> {
  const { columns, rows, theme, unicode, prompt, placeholder = '' } = view;
  if (search) {
    const head = words.t('shell.search', { query: safeLine(search.query, 100) });
    const hit = search.hit === undefined ? (search.query === '' ? '' : words.t('shell.searchNone')) : safeLine(search.hit, 500);
    return {
      lines: [`${theme.accent(clipped(head, columns))}`, clipped(hit, columns)],
      cursor: { row: 0, column: Math.min(columns - 1, head.length) },
    };
  }
  const listed = list.open ? list.lines(columns, Math.max(1, Math.min(LIST_ROWS, rows - 2)), theme, unicode) : [];
  if (buffer.text === '') {
    const line = `${theme.accent(prompt)}${theme.dim(clipped(placeholder, columns - prompt.length))}`;
    return { lines: [line, ...listed], cursor: { row: 0, column: prompt.length } };
  }
  const { rows: lines, cursor } = layout({
    text: buffer.text,
    cursor: buffer.cursor,
    columns,
    prompt,
    most: Math.max(1, rows - listed.length),
    shown(letter) {
      const fold = buffer.foldOf(letter);
      if (!fold) return { text: letter, styled: letter };
      const text = words.t('shell.pasted', { number: fold.number, count: fold.lines });
      return { text, styled: theme.accent(text) };
    },
  });
  const first = lines[0] ?? '';
  const painted = first.startsWith(prompt) ? [theme.accent(prompt) + first.slice(prompt.length), ...lines.slice(1)] : lines;
  return { lines: [...painted, ...listed], cursor };
}
