/** Lines typed while something runs: those before the first command belong to the run, the others wait their turn. */
import { parseSlash } from '../../commands/registry.js';

export interface TypedAhead {
  /** The oldest first. */
  readonly lines: readonly string[];
  add(line: string): void;
  /** Takes the oldest. */
  next(): string | undefined;
  /** Takes what a run may be told at its next step: all up to the first command. */
  forRun(): readonly string[];
}

export function createTypedAhead(): TypedAhead {
  let lines: readonly string[] = [];
  const take = (count: number): readonly string[] => {
    const taken = lines.slice(0, count);
    lines = lines.slice(taken.length);
    return taken;
  };
  return {
    get lines() {
      return lines;
    },
    add(line) {
      lines = [...lines, line];
    },
    next: () => take(1)[0],
    forRun() {
      const command = lines.findIndex(isCommand);
      return take(command < 0 ? lines.length : command);
    },
  };
}

const isCommand = (line: string): boolean => line.startsWith('!') || parseSlash(line) !== undefined;
