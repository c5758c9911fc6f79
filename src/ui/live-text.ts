/** The model's text as it streams, for a screen: call tags hidden, reasoning marked, everything else at once. */

export interface LivePiece {
  readonly text: string;
  readonly reasoning: boolean;
}

export interface LiveText {
  push(delta: string): LivePiece[];
  /** What was held back at the end of a message; ready for the next one afterwards. */
  end(): LivePiece[];
}

/** Tags and what becomes of them: hidden with all they hold, held text shown as reasoning, only the marks taken out. */
const TAGS: Readonly<Record<string, 'hide' | 'reasoning' | 'bare'>> = {
  tool_call: 'hide',
  agent_call: 'hide',
  reasoning: 'reasoning',
  thinking: 'reasoning',
  think: 'reasoning',
  result: 'bare',
};
const OPENERS = Object.keys(TAGS).flatMap((name) => [`<${name}`, `</${name}`]);

interface State {
  /** A tag being read: its name, its open quote, the letter before. Undefined outside tags. */
  tag?: { readonly name: string; readonly closing: boolean; quote: string; before: string };
  /** A hidden body: everything up to its closing tag; `tail` is the end of what was seen. */
  body?: { readonly name: string; tail: string };
  /** What may become a tag. */
  held: string;
  reasoning: boolean;
  /** The start of the present line, and its backticks so far; a fence or an odd number of them makes tags literal. */
  line: string;
  ticks: number;
  fence: string;
}

const fresh = (): State => ({ held: '', reasoning: false, line: '', ticks: 0, fence: '' });
const LONGEST_FENCE_LINE = 200;

/** Each letter is looked at once, however the text is cut into deltas. */
export function createLiveText(): LiveText {
  let state = fresh();
  let out: LivePiece[] = [];
  const show = (text: string): void => {
    if (!text) return;
    const last = out.at(-1);
    if (last && last.reasoning === state.reasoning) out[out.length - 1] = { ...last, text: last.text + text };
    else out.push({ text, reasoning: state.reasoning });
    for (const letter of text) noteLine(state, letter);
  };
  const step = (letter: string): void => {
    if (state.body) inBody(state, letter);
    else if (state.tag) inTag(state, letter);
    else inText(state, letter, show);
  };
  const take = (): LivePiece[] => {
    const taken = out;
    out = [];
    return taken;
  };
  return {
    push(delta) {
      for (const letter of delta) step(letter);
      return take();
    },
    end() {
      show(state.held);
      const rest = take();
      state = fresh();
      return rest;
    },
  };
}

function inText(state: State, letter: string, show: (text: string) => void): void {
  if (state.held) {
    const next = state.held + letter;
    if (OPENERS.some((opener) => opener.startsWith(next))) {
      state.held = next;
      return;
    }
    if (OPENERS.includes(state.held) && /[\s/>]/.test(letter)) {
      const closing = state.held.startsWith('</');
      state.tag = { name: state.held.slice(closing ? 2 : 1), closing, quote: '', before: '' };
      state.held = '';
      inTag(state, letter);
      return;
    }
    show(state.held);
    state.held = '';
  }
  if (letter === '<' && !isLiteral(state)) state.held = '<';
  else show(letter);
}

function inTag(state: State, letter: string): void {
  const { tag } = state;
  if (!tag) return;
  if (tag.quote) {
    if (letter === tag.quote && tag.before !== '\\') tag.quote = '';
  } else if (letter === '"' || letter === "'") {
    tag.quote = letter;
  } else if (letter === '>') {
    state.tag = undefined;
    const kind = TAGS[tag.name];
    if (kind === 'reasoning') state.reasoning = !tag.closing;
    if (kind === 'hide' && !tag.closing && tag.before !== '/') state.body = { name: tag.name, tail: '' };
  }
  tag.before = tag.before === '\\' && letter === '\\' ? '' : letter;
}

function inBody(state: State, letter: string): void {
  const { body } = state;
  if (!body) return;
  const end = `</${body.name}>`;
  body.tail = (body.tail + letter).slice(-end.length);
  if (body.tail === end) state.body = undefined;
}

function noteLine(state: State, letter: string): void {
  if (letter !== '\n') {
    if (state.line.length < LONGEST_FENCE_LINE) state.line += letter;
    if (letter === '`') state.ticks++;
    return;
  }
  const mark = fenceMark(state.line);
  if (!state.fence) state.fence = mark;
  else if (mark.startsWith(state.fence) && state.line.trim() === mark) state.fence = '';
  state.line = '';
  state.ticks = 0;
}

const fenceMark = (line: string): string => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';

function isLiteral({ fence, line, ticks }: State): boolean {
  return fence !== '' || ticks % 2 === 1 || fenceMark(line) !== '';
}
