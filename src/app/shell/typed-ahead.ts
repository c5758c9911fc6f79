/** Lines typed while something runs: those before the first command belong to the run, the others wait their turn. */
import { parseSlash } from '../../commands/registry.js';
import { contextWords } from './context-words.js';

/** What a line names with `@`; undefined when its run was stopped meanwhile. */
export type Fetched = Promise<string | undefined>;

export interface TypedAhead {
  /** Those that wait, the oldest first. */
  readonly lines: readonly string[];
  add(line: string): void;
  /** Takes all, for somebody who stopped what they were meant for. */
  takeAll(): readonly string[];
  /** Takes the oldest, with what was begun to be fetched for it. */
  next(): { readonly line: string; readonly fetched?: Fetched } | undefined;
  /**
   * Takes what a run may be told at its next step: all up to the first command. A line that names something is given to `fetch`,
   * once; it waits for what that brings, and those behind it with it.
   */
  forRun(fetch: (line: string) => Fetched): readonly { readonly line: string; readonly context?: string }[];
}

interface Entry {
  readonly line: string;
  readonly names: boolean;
  fetched?: Fetched;
  /** It is here. */
  context?: string;
}

export function createTypedAhead(): TypedAhead {
  let entries: readonly Entry[] = [];
  const take = (count: number): readonly Entry[] => {
    const taken = entries.slice(0, count);
    entries = entries.slice(taken.length);
    return taken;
  };
  const begin = (entry: Entry, fetch: (line: string) => Fetched): void => {
    if (!entry.names || entry.fetched) return;
    entry.fetched = fetch(entry.line).catch(() => undefined);
    void entry.fetched.then((context) => {
      if (context !== undefined) entry.context = context;
    });
  };
  return {
    get lines() {
      return entries.filter(({ fetched }) => !fetched).map(({ line }) => line);
    },
    add(line) {
      entries = [...entries, { line, names: !isCommand(line) && contextWords(line).length > 0 }];
    },
    takeAll: () => take(entries.length).map(({ line }) => line),
    next: () => take(1)[0],
    forRun(fetch) {
      const command = entries.findIndex(({ line }) => isCommand(line));
      const own = command < 0 ? entries : entries.slice(0, command);
      const waits = own.findIndex((entry) => {
        begin(entry, fetch);
        return entry.names && entry.context === undefined;
      });
      return take(waits < 0 ? own.length : waits);
    },
  };
}

/** True for a line that a run can be told as it stands: no command, and nothing named that must be fetched. */
export const isForRun = (line: string): boolean => !isCommand(line) && contextWords(line).length === 0;

const isCommand = (line: string): boolean => line.startsWith('!') || parseSlash(line) !== undefined;
