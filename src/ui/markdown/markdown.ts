/** Streaming Markdown for a terminal: finished lines for the scrollback, the small open rest for the live region. */
import { createTextFilter } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Theme } from '../theme/theme.js';
import { endText, feedLine } from './blocks.js';
import type { Highlighter } from './highlight.js';
import { boundary } from './paragraph.js';
import { type Context, copyState, newState, noteColumns, type State } from './state.js';

export interface MarkdownOptions {
  /** Asked for every time, so a new size counts from then on. */
  columns(): number;
  readonly theme: Theme;
  readonly unicode: boolean;
  /** Colours for code; without it code is plain. */
  readonly highlighter?: Highlighter;
}

export interface MarkdownStep {
  /** Lines that are finished: they follow those of all steps before, and never change. */
  readonly done: ScreenLine[];
  /** What stands below them for now, at most a few lines; made when it is read, of the text at that moment. */
  readonly open: ScreenLine[];
}

export interface Markdown {
  /** Takes more text, cut anywhere. The same text gives the same lines however it is cut. Costs as much as it is long. */
  push(delta: string): MarkdownStep;
  /** All that is left; the next text begins anew. */
  end(): ScreenLine[];
}

/** Lines that are shown of what is open. */
const MOST_OPEN = 12;
/** Pieces in which a line comes that has no end yet: code and tables need it whole. */
const LONG_TEXT = 256;
const LONG_LINE = 4096;
/** Text that waits at most for a language to be loaded. */
const MOST_WAITING = 64 * 1024;
/** What of it is shown meanwhile. */
const SHOWN_WAITING = 2000;

interface Stream {
  state: State;
  /** Text after the last line taken. */
  rest: string;
  /** The line so far was taken already. */
  continues: boolean;
}

export function createMarkdown(options: MarkdownOptions): Markdown {
  const filter = createTextFilter();
  let stream: Stream = { state: newState(), rest: '', continues: false };
  const context = (preview: boolean): Context => {
    const { theme, unicode, highlighter } = options;
    return { theme, unicode, highlighter, columns: Math.max(4, options.columns()), preview, out: [] };
  };
  return {
    push(delta) {
      stream.rest += filter.push(delta);
      const done = context(false);
      take(stream, done, false);
      return {
        done: done.out,
        get open() {
          return openLines(stream, context(true));
        },
      };
    },
    end() {
      stream.rest += filter.end();
      const last = context(false);
      take(stream, last, true);
      finish(stream, last);
      stream = { state: newState(), rest: '', continues: false };
      return last.out;
    },
  };
}

/** Takes every piece that is whole. Where the text is cut depends on the text alone. */
function take(stream: Stream, context: Context, all: boolean): void {
  let at = 0;
  const { rest } = stream;
  noteColumns(stream.state, context);
  for (;;) {
    if (!all && waits(stream.state, context) && rest.length - at < MOST_WAITING) break;
    const limit = longest(stream, rest, at);
    const end = rest.indexOf('\n', at);
    if (end >= 0 && end - at <= limit) {
      feedLine(stream.state, { text: rest.slice(at, end), continues: stream.continues, ends: true }, context);
      stream.continues = false;
      at = end + 1;
    } else if (rest.length - at > limit) {
      const cut = boundary(rest.slice(at, at + limit + 2), limit);
      feedLine(stream.state, { text: rest.slice(at, at + cut), continues: stream.continues, ends: false }, context);
      stream.continues = true;
      at += cut;
    } else break;
  }
  stream.rest = rest.slice(at);
}

/** Letters after which a line without an end is taken in pieces. */
function longest({ state, continues }: Stream, rest: string, at: number): number {
  if (state.leaf.kind === 'fence' || state.leaf.kind === 'indented') return LONG_LINE;
  if (continues) return LONG_TEXT;
  return rest.slice(at, at + LONG_TEXT).includes('|') || state.leaf.kind === 'table' ? LONG_LINE : LONG_TEXT;
}

/** Code whose language is being loaded. */
function waits({ leaf }: State, { highlighter, theme }: Context): boolean {
  if (leaf.kind !== 'fence' || leaf.grammar !== undefined || leaf.language === '' || theme.depth === 0) return false;
  return highlighter?.grammar(leaf.language) === 'loading';
}

function finish({ state, rest, continues }: Stream, context: Context): void {
  if (rest !== '') feedLine(state, { text: rest, continues, ends: true }, context);
  endText(state, context);
}

/** The rest as it would look if the text ended here. */
function openLines({ state, rest, continues }: Stream, context: Context): ScreenLine[] {
  const copy: Stream = { state: copyState(state), rest: rest.slice(-SHOWN_WAITING), continues };
  if (rest.length > LONG_LINE) copy.rest = copy.rest.slice(copy.rest.indexOf('\n') + 1);
  take(copy, context, true);
  finish(copy, context);
  return context.out.slice(-MOST_OPEN);
}
