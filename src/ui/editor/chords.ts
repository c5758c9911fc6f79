/** Which key does what in the input: as in readline, and as people expect of a multi-line input. */
import type { Key } from '../screen/port.js';

export type Action =
  | 'submit'
  | 'newline'
  | 'left'
  | 'right'
  | 'wordLeft'
  | 'wordRight'
  | 'lineStart'
  | 'lineEnd'
  | 'textStart'
  | 'textEnd'
  | 'up'
  | 'down'
  | 'older'
  | 'newer'
  | 'pageUp'
  | 'pageDown'
  | 'deleteLeft'
  | 'deleteRight'
  | 'deleteOrLeave'
  | 'killWordLeft'
  | 'killWordRight'
  | 'killBlankLeft'
  | 'killToEnd'
  | 'killToStart'
  | 'yank'
  | 'yankOlder'
  | 'transpose'
  | 'undo'
  | 'redo'
  | 'search'
  | 'complete'
  | 'mode'
  | 'escape'
  | 'interrupt'
  | 'external'
  | 'prefix'
  | 'redraw'
  | 'unfold'
  | 'suspend';

const LETTERS: Readonly<Record<string, Action>> = {
  'C-a': 'lineStart',
  'C-e': 'lineEnd',
  'C-b': 'left',
  'C-f': 'right',
  'C-p': 'older',
  'C-n': 'newer',
  'C-d': 'deleteOrLeave',
  'C-h': 'deleteLeft',
  'C-j': 'newline',
  'C-m': 'submit',
  'C-i': 'complete',
  'C-k': 'killToEnd',
  'C-u': 'killToStart',
  'C-w': 'killBlankLeft',
  'C-y': 'yank',
  'C-t': 'transpose',
  'C-_': 'undo',
  'C-/': 'undo',
  'C-7': 'undo',
  'C-r': 'search',
  'C-c': 'interrupt',
  'C-x': 'prefix',
  'C-g': 'external',
  'C-l': 'redraw',
  'C-o': 'unfold',
  'C-z': 'suspend',
  'C-S-z': 'redo',
  'M-b': 'wordLeft',
  'M-f': 'wordRight',
  'M-d': 'killWordRight',
  'M-y': 'yankOlder',
  'M-/': 'redo',
  'M-_': 'redo',
  'M-p': 'older',
  'M-n': 'newer',
  'M-<': 'textStart',
  'M->': 'textEnd',
};

const NAMED: Readonly<Record<string, Action>> = {
  enter: 'submit',
  'C-enter': 'newline',
  'M-enter': 'newline',
  'S-enter': 'newline',
  tab: 'complete',
  'S-tab': 'mode',
  escape: 'escape',
  backspace: 'deleteLeft',
  'C-backspace': 'killWordLeft',
  'M-backspace': 'killWordLeft',
  delete: 'deleteRight',
  'C-delete': 'killWordRight',
  'M-delete': 'killWordRight',
  left: 'left',
  right: 'right',
  'C-left': 'wordLeft',
  'C-right': 'wordRight',
  'M-left': 'wordLeft',
  'M-right': 'wordRight',
  home: 'lineStart',
  end: 'lineEnd',
  'C-home': 'textStart',
  'C-end': 'textEnd',
  up: 'up',
  down: 'down',
  'C-up': 'older',
  'C-down': 'newer',
  'M-up': 'older',
  'M-down': 'newer',
  pageup: 'pageUp',
  pagedown: 'pageDown',
};

/** What a key does; undefined: nothing. Shift matters only where it is in the table. */
export function actionOf(key: Extract<Key, { kind: 'key' }>): Action | undefined {
  const table = key.name === 'letter' ? LETTERS : NAMED;
  const what = key.name === 'letter' ? (key.letter ?? '') : key.name;
  const start = `${key.ctrl ? 'C-' : ''}${key.alt ? 'M-' : ''}`;
  const withShift = key.shift ? find(table, `${start}S-${what}`) : undefined;
  if (withShift || (key.name === 'enter' && start !== '')) return withShift ?? 'newline';
  return find(table, start + what);
}

function find(table: Readonly<Record<string, Action>>, chord: string): Action | undefined {
  return Object.hasOwn(table, chord) ? table[chord] : undefined;
}
