/** The list of completions: what is asked for, what came, which one is chosen. */
import type { Completer, Completion, CompletionKind } from './port.js';

export interface Asked {
  readonly kind: CompletionKind;
  readonly word: string;
  /** The line up to the word. */
  readonly before: string;
  /** Index in the text where the word begins; behind `@`, and before a quotation mark. */
  readonly from: number;
}

/** Longer words and lines are not completed. */
const LONGEST = 1000;
const WORD = '[^\\s@"\\udc00-\\udfff]';
const MENTION = new RegExp(`(?:^|[\\s([{,;])@("[^"\\n\\udc00-\\udfff]*|${WORD}*)$`, 'u');
const COMMAND = /^\/[\w?-]*$/;
const ARGUMENT = /^(\/[\w?-]+\s+(?:[^\n]*\s)?)([^\s\udc00-\udfff]*)$/u;

/** The word before the cursor that can be completed; undefined where there is none. Commands only at the very beginning. */
export function askedAt(text: string, cursor: number): Asked | undefined {
  const start = cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
  const line = text.slice(Math.max(start, cursor - LONGEST), cursor);
  const mention = MENTION.exec(line)?.[1];
  if (mention !== undefined) return asked('mention', mention.replace(/^"/, ''), line, cursor - mention.length, mention.length);
  if (start > 0 || cursor > LONGEST) return undefined;
  if (COMMAND.test(line)) return asked('command', line, line, 0, line.length);
  const argument = ARGUMENT.exec(line)?.[2];
  return argument === undefined ? undefined : asked('argument', argument, line, cursor - argument.length, argument.length);
}

function asked(kind: CompletionKind, word: string, line: string, from: number, length: number): Asked {
  return { kind, word, before: line.slice(0, line.length - length), from };
}

export interface Completing {
  /** Asks for the text as it is now; an older question is forgotten. `wanted`: by the user, also where it was closed before. */
  ask(text: string, cursor: number, wanted?: boolean): void;
  close(): void;
  /** Closes the list until another word begins, or it is wanted. */
  dismiss(): void;
  readonly open: boolean;
  readonly items: readonly Completion[];
  readonly index: number;
  /** There may be more than `items`. */
  readonly more: boolean;
  /** What is chosen, when the list is the answer to what stands there now. */
  readonly chosen: { readonly completion: Completion; readonly asked: Asked } | undefined;
  /** Behind the last comes the first. */
  move(by: number): void;
}

const MOST_ITEMS = 200;

/** `answered`: a list came that was not there at once. Faults of the completer close the list. */
export function createCompleting(complete: Completer, answered: () => void): Completing {
  let items: readonly Completion[] = [];
  let more = false;
  let answer: Asked | undefined;
  let index = 0;
  let running: AbortController | undefined;
  let dismissed: string | undefined;
  const close = (): void => {
    running?.abort();
    running = undefined;
    items = [];
    more = false;
    answer = undefined;
  };
  const take = (found: readonly Completion[], question: Asked): void => {
    running = undefined;
    items = found.slice(0, MOST_ITEMS);
    more = found.length > MOST_ITEMS;
    answer = question;
    index = 0;
  };
  const start = (question: Asked, signal: AbortSignal) => {
    try {
      return complete({ kind: question.kind, word: question.word, before: question.before }, signal);
    } catch {
      return [];
    }
  };
  return {
    ask(text, cursor, wanted = false) {
      running?.abort();
      const question = askedAt(text, cursor);
      const place = question && `${question.kind} ${question.from} ${question.before}`;
      if (wanted || place !== dismissed) dismissed = undefined;
      if (!question || dismissed !== undefined) return close();
      // The list of another word would only mislead while its successor is on the way.
      if (answer && (answer.kind !== question.kind || answer.from !== question.from)) close();
      const mine = new AbortController();
      running = mine;
      const found = start(question, mine.signal);
      if (!(found instanceof Promise)) return take(found, question);
      const arrived = (list: readonly Completion[]): void => {
        if (mine.signal.aborted) return;
        take(list, question);
        answered();
      };
      void found.then(arrived, () => arrived([]));
    },
    close,
    dismiss() {
      dismissed = answer && `${answer.kind} ${answer.from} ${answer.before}`;
      close();
    },
    get open() {
      return items.length > 0;
    },
    get items() {
      return items;
    },
    get index() {
      return index;
    },
    get more() {
      return more;
    },
    get chosen() {
      const completion = items[index];
      return completion && answer && !running ? { completion, asked: answer } : undefined;
    },
    move(by) {
      const count = Math.max(1, items.length);
      index = (((index + by) % count) + count) % count;
    },
  };
}
