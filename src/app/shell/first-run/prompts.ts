/** Questions before the shell is up: a line, or a secret that is never shown. Esc and Ctrl+C say no. */
import { type ScreenInput, setRaw } from '../../../ui/screen/early-input.js';
import { createKeySource } from '../../../ui/screen/key-source.js';
import type { Key } from '../../../ui/screen/port.js';

export interface Prompts {
  /** What was typed, trimmed; undefined: Esc, Ctrl+C, or the end of the input. A `hidden` line is not shown, nor its length. */
  line(question: string, options?: { readonly hidden?: boolean }): Promise<string | undefined>;
  /** Runs `work`; Esc and Ctrl+C abort its signal. */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  close(): void;
}

interface Output {
  write(text: string): unknown;
}

/** Takes the terminal until `close`; pastes come between marks, so that line ends in them do not answer. */
export function openPrompts(input: ScreenInput, output: Output): Prompts {
  const source = createKeySource(input, { now: () => performance.now(), onReply: () => undefined });
  setRaw(input, true);
  output.write('\x1b[?2004h');
  source.start();
  return {
    line: (question, { hidden = false } = {}) =>
      new Promise((resolve) => {
        const typed: string[] = [];
        output.write(question);
        const done = (value: string | undefined): void => {
          offKey();
          offEnd();
          output.write('\n');
          resolve(value);
        };
        const add = (text: string): void => {
          const letters = [...text.replace(/[\p{Cc}\p{Cf}]/gu, '')];
          typed.push(...letters);
          if (!hidden) output.write(letters.join(''));
        };
        const offKey = source.onKey((key) => {
          if (isNo(key)) done(undefined);
          else if (key.kind !== 'key') add(key.text);
          else if (key.name === 'enter') done(typed.join('').trim());
          else if (key.name === 'backspace' && typed.pop() !== undefined && !hidden) output.write('\b \b');
          else if (key.letter === 'u' && key.ctrl) {
            if (!hidden) output.write('\b \b'.repeat(typed.length));
            typed.length = 0;
          }
        });
        const offEnd = source.onEnd(() => done(undefined));
      }),
    async during(work) {
      const controller = new AbortController();
      const off = source.onKey((key) => {
        if (isNo(key)) controller.abort();
      });
      try {
        return await work(controller.signal);
      } finally {
        off();
      }
    },
    close() {
      source.stop();
      output.write('\x1b[?2004l');
      setRaw(input, false);
    },
  };
}

const isNo = (key: Key): boolean =>
  key.kind === 'key' && (key.name === 'escape' || (key.ctrl && (key.letter === 'c' || key.letter === 'd')));
