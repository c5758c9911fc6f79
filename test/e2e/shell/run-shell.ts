/** The shell in a pseudo terminal with a model the test speaks for; what run tests ask of the screen. */
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { count, PATIENCE_MS, type PlayedShell, playedShells, type ShellOptions, textOf } from './input-shell.js';
import { type LiveModel, type LiveTurn, startLiveModel } from './live-model.js';

export interface RunShell extends PlayedShell {
  readonly model: LiveModel;
  /** Sends a message; gives the request it leads to. */
  ask(line: string): Promise<LiveTurn>;
  /** A file of the project; empty when there is none. */
  file(name: string): string;
  /** The next request. */
  turn(of?: string): Promise<LiveTurn>;
  /** Until the window shows it. */
  sees(what: string | RegExp): Promise<void>;
  /** Until the window does not show it any more. */
  lost(what: string): Promise<void>;
  /** Until a question takes keys; the harmless key it does not know has been answered. */
  question(): Promise<void>;
}

/** To be called once in a file; gives the start of a shell whose model the test plays. */
export function runShells(): (options?: ShellOptions) => Promise<RunShell> {
  const start = playedShells();
  const models: LiveModel[] = [];
  afterEach(async () => {
    for (const model of models.splice(0)) await model.close();
  });
  return async (options = {}) => {
    const model = await startLiveModel();
    models.push(model);
    const shell = await start({ ...options, env: { ...model.env, ...options.env } });
    const { terminal } = shell;
    const turn = (of?: string): Promise<LiveTurn> =>
      Promise.race([
        model.turn(of),
        new Promise<never>((_, reject) => {
          setTimeout(() => reject(new Error(`no request came\n${shell.shown()}`)), PATIENCE_MS).unref();
        }),
      ]);
    const sees = (what: string | RegExp): Promise<void> => terminal.waitFor(what, { ms: PATIENCE_MS });
    return {
      ...shell,
      model,
      turn,
      file: (name) => textOf(join(shell.root, name)),
      sees,
      lost: (what) => terminal.waitUntil(`no more ${what}`, () => !shell.shown().includes(what), PATIENCE_MS),
      async ask(line) {
        terminal.send(line);
        await sees(line.slice(-20));
        terminal.send('\r');
        return turn();
      },
      async question() {
        await sees(/\[y\/.*\]|\[s\/.*\]/);
        // Keys are dropped until the keyboard was silent: one that is no answer is tried until it is heard.
        const heard = (): boolean => /Not an answer|não é uma resposta/.test(shell.shown());
        const again = setInterval(() => terminal.send('~'), 400);
        try {
          await terminal.waitUntil('a question that takes keys', heard, PATIENCE_MS);
        } finally {
          clearInterval(again);
        }
      },
    };
  };
}

/** Every piece stands exactly once in the scrollback. */
export function expectOnce(shell: PlayedShell, pieces: readonly string[]): void {
  const all = shell.all();
  expect(pieces.filter((piece) => count(all, piece) !== 1).map((piece) => `${count(all, piece)} x ${piece}`)).toEqual([]);
}

/** `row 001` and so on. */
export const rows = (number: number, from = 1): string[] =>
  Array.from({ length: number }, (_, index) => `row ${String(from + index).padStart(4, '0')}`);
