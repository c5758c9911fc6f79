/** Keys for an editor in tests, and an editor with what it asks for. */
import { createEditor, type EditorOptions } from '../../../src/ui/editor/editor.js';
import type { Completer, Editor, EditorEvent, EditorView } from '../../../src/ui/editor/port.js';
import { clusters, columnsOf } from '../../../src/ui/markdown/cells.js';
import type { Key, KeyName } from '../../../src/ui/screen/port.js';
import { createText } from '../../../src/ui/text/index.js';
import { createTheme } from '../../../src/ui/theme/theme.js';

export const text = (typed: string): Key => ({ kind: 'text', text: typed });
export const paste = (pasted: string): Key => ({ kind: 'paste', text: pasted });

/** `C-a`, `M-enter`, `S-tab`, `up`. */
export function press(chord: string): Key {
  const parts = /^((?:[CMS]-)*)(.+)$/s.exec(chord);
  const flags = parts?.[1] ?? '';
  const what = parts?.[2] ?? '';
  const isLetter = [...what].length === 1;
  return {
    kind: 'key',
    name: isLetter ? 'letter' : (what as KeyName),
    ...(isLetter ? { letter: what } : {}),
    ctrl: flags.includes('C-'),
    alt: flags.includes('M-'),
    shift: flags.includes('S-'),
  };
}

export const VIEW: EditorView = {
  columns: 80,
  rows: 12,
  theme: createTheme('none', 0),
  unicode: true,
  prompt: '> ',
  placeholder: 'say it',
};

export interface Played {
  readonly editor: Editor;
  readonly history: string[];
  readonly changes: { count: number };
  /** Presses chords (`C-a`); other texts are typed when they begin with `'`. Gives the last event. */
  play(...keys: (string | Key)[]): EditorEvent | undefined;
  rows(view?: Partial<EditorView>): string[];
  /** The text with `|` at the cursor, as the screen shows it. */
  shown(view?: Partial<EditorView>): string;
}

export function open(more: Partial<EditorOptions> & { entries?: string[]; complete?: Completer } = {}): Played {
  const history = more.entries ?? [];
  const changes = { count: 0 };
  const editor = createEditor({
    text: createText('en'),
    history: { all: () => history, add: (line) => void history.push(line) },
    complete: () => [],
    changed: () => void changes.count++,
    ...more,
  });
  return {
    editor,
    history,
    changes,
    play(...keys) {
      let event: EditorEvent | undefined;
      for (const key of keys) {
        if (typeof key !== 'string') event = editor.key(key);
        else if (key.startsWith("'")) event = editor.key(text(key.slice(1)));
        else event = editor.key(press(key));
      }
      return event;
    },
    rows: (view = {}) => [...editor.view({ ...VIEW, ...view }).lines],
    shown(view = {}) {
      const { lines, cursor } = editor.view({ ...VIEW, ...view });
      return lines.map((line, row) => (row === cursor?.row ? withBar(line, cursor.column) : line)).join('\n');
    },
  };
}

function withBar(line: string, column: number): string {
  const letters = clusters(line);
  const at = letters.findIndex((_, index) => columnsOf(letters.slice(0, index).join('')) >= column);
  return at < 0 ? `${line}|` : `${letters.slice(0, at).join('')}|${letters.slice(at).join('')}`;
}
