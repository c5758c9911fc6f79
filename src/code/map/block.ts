/** One file of a map: which of its lines are shown, in which order they come in, and what they take. */
import { levelsOf } from './levels.js';

export interface Block {
  /** One line, without control characters. */
  readonly path: string;
  readonly declarations: number;
  /** Outline lines, two spaces for each level. Asked for only when there is room; undefined: it must not be shown. */
  lines(): readonly string[] | undefined;
}

/** A block that takes up line after line. */
export interface Growing {
  /** Characters it has when the next line is shown too, without words about what is left out; infinite when there is none. */
  next(): number;
  /** Shows the next line. Returns how many characters more the text of the block has; it may be less than before. */
  grow(): number;
  /** The text with the first `count` lines that came in; it ends with a line break. */
  text(count: number): string;
}

const MARGIN = '  ';
const more = (count: number): string => `… ${count} more`;

/** Throws nothing. `missing`: declarations that are not among the lines. */
export function growing(path: string, lines: readonly string[], missing: number): Growing {
  const levels = levelsOf(lines.map((line) => (line.length - line.trimStart().length) / 2));
  const lengthOf = (line: number) => MARGIN.length + (lines[line - 1] ?? '').length + 1;
  let state = emptyState(levels.inside[0] ?? 0, missing);
  let count = 0;
  let chars = path.length + 1;
  const show = (line: number): number => {
    const container = levels.parent[line] ?? 0;
    const before = wordsOf(state, container).length;
    state.members.set(container, (state.members.get(container) ?? 0) + 1);
    state.hidden.set(container, (state.hidden.get(container) ?? 0) - 1 - (levels.inside[line] ?? 0));
    state.hidden.set(line, levels.inside[line] ?? 0);
    return lengthOf(line) + wordsOf(state, container).length + wordsOf(state, line).length - before;
  };

  /** What is said about what is left out of a container: at the end of its line, or on a line behind its members. */
  function wordsOf({ hidden, members }: State, container: number): string {
    const left = hidden.get(container) ?? 0;
    if (left <= 0) return '';
    if (container > 0 && !members.get(container)) return ` ${more(left)}`;
    if (!members.get(container)) return '';
    return `${MARGIN}${MARGIN.repeat((levels.depth[container] ?? 0) + 1)}${more(left)}\n`;
  }

  return {
    next() {
      const line = levels.order[count];
      return line === undefined ? Number.POSITIVE_INFINITY : chars + lengthOf(line);
    },
    grow() {
      const line = levels.order[count];
      if (line === undefined) return 0;
      chars += lengthOf(line);
      count++;
      return show(line) + (count === 1 ? path.length + 1 : 0);
    },
    text(wanted) {
      state = emptyState(levels.inside[0] ?? 0, missing);
      const shown = levels.order.slice(0, wanted);
      for (const line of shown) show(line);
      const parts = [`${path}\n`];
      const open: number[] = [0];
      const close = (until: number) => {
        while (open.length > 0 && open.at(-1) !== until) {
          const container = open.pop() ?? 0;
          if (state.members.get(container)) parts.push(wordsOf(state, container));
        }
      };
      for (const line of shown.toSorted((a, b) => a - b)) {
        close(levels.parent[line] ?? 0);
        const inLine = state.members.get(line) ? '' : wordsOf(state, line);
        parts.push(`${MARGIN}${lines[line - 1] ?? ''}${inLine}\n`);
        open.push(line);
      }
      close(-1);
      return parts.join('');
    },
  };
}

/** By line; 0 stands for the file. */
interface State {
  /** Declarations that are not shown, and of which this is the nearest container that is. */
  readonly hidden: Map<number, number>;
  /** Members that are shown. */
  readonly members: Map<number, number>;
}

const emptyState = (lines: number, missing: number): State => ({
  hidden: new Map([[0, lines + missing]]),
  members: new Map(),
});
