/** The list of completions under the input: what is asked for, what came, which one is chosen. */
import { clipped, columnsOf } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Theme } from '../theme/theme.js';
import type { Completer, Completion, CompletionKind } from './port.js';

export interface Asked {
  readonly kind: CompletionKind;
  readonly word: string;
  readonly before: string;
}

/** The word before the cursor that can be completed; undefined where there is none. */
export function askedAt(text: string, cursor: number): Asked | undefined {
  const before = text.slice(0, cursor);
  const mention = /(?:^|[\s([{,;])@([^\s@]*)$/.exec(before);
  if (mention) return { kind: 'mention', word: mention[1] ?? '', before: before.slice(0, cursor - (mention[1] ?? '').length) };
  const slash = /^\/[\w?-]*$/.exec(before);
  if (slash) return { kind: 'command', word: before, before: '' };
  const argument = /^(\/[\w?-]+\s+(?:[^\n]*\s)?)(\S*)$/.exec(before);
  return argument ? { kind: 'argument', word: argument[2] ?? '', before: argument[1] ?? '' } : undefined;
}

export interface Completing {
  /** Asks for the text as it is now; an older question is forgotten. */
  ask(text: string, cursor: number): void;
  close(): void;
  readonly open: boolean;
  readonly chosen: { readonly completion: Completion; readonly asked: Asked } | undefined;
  move(by: -1 | 1): void;
  lines(columns: number, most: number, theme: Theme, unicode: boolean): ScreenLine[];
}

const MOST_ITEMS = 200;

export function createCompleting(complete: Completer, changed: () => void): Completing {
  let items: readonly Completion[] = [];
  let asked: Asked | undefined;
  let chosen = 0;
  let running: AbortController | undefined;
  const close = (): void => {
    running?.abort();
    running = undefined;
    items = [];
    asked = undefined;
  };
  const take = (found: readonly Completion[], question: Asked): void => {
    items = found.slice(0, MOST_ITEMS);
    asked = question;
    chosen = 0;
  };
  return {
    ask(text, cursor) {
      running?.abort();
      const question = askedAt(text, cursor);
      if (!question) return close();
      const mine = new AbortController();
      running = mine;
      const answer = complete(question, mine.signal);
      if (!(answer instanceof Promise)) return take(answer, question);
      void answer.then(
        (found) => {
          if (mine.signal.aborted) return;
          take(found, question);
          changed();
        },
        () => undefined,
      );
    },
    close,
    get open() {
      return items.length > 0;
    },
    get chosen() {
      const completion = items[chosen];
      return completion && asked ? { completion, asked } : undefined;
    },
    move(by) {
      chosen = (chosen + by + items.length) % Math.max(1, items.length);
    },
    lines(columns, most, theme, unicode) {
      const from = Math.max(0, Math.min(chosen - Math.floor(most / 2), items.length - most));
      const shown = items.slice(from, from + most);
      const names = shown.map(({ label, insert }) => safeLine(label ?? insert, 200));
      const wide = Math.min(Math.floor(columns / 2), Math.max(0, ...names.map(columnsOf)));
      return shown.map(({ detail = '' }, index) => {
        const isChosen = from + index === chosen;
        const mark = isChosen ? (unicode ? '▸ ' : '> ') : '  ';
        const name = clipped(names[index] ?? '', detail === '' ? columns - 2 : wide);
        const gap = ' '.repeat(Math.max(0, wide - columnsOf(name)) + 2);
        const room = columns - 2 - columnsOf(name) - gap.length;
        const said = detail === '' || room < 4 ? '' : gap + clipped(safeLine(detail, 300), room);
        return isChosen ? theme.selection(`${mark}${name}${said}`) : `${mark}${name}${theme.dim(said)}`;
      });
    },
  };
}
