/** A uniform difference of indentation between what was searched and what the file has, and how to carry it over. */

export interface IndentPair {
  readonly search: string;
  readonly file: string;
}

export interface IndentMap {
  /** The file's indentation for one of the replacement; undefined when there is no honest answer. */
  apply(indent: string): string | undefined;
  /** For the result: what differed. */
  readonly note: string;
}

/** Undefined when the lines do not differ by one and the same shift. `wanted` are the indentations of the replacement. */
export function indentMap(pairs: readonly IndentPair[], wanted: readonly string[]): IndentMap | undefined {
  const [first] = pairs;
  if (!first || pairs.every((pair) => pair.search === pair.file)) return undefined;
  return added(pairs, first) ?? taken(pairs, first) ?? scaled(pairs, wanted);
}

function added(pairs: readonly IndentPair[], first: IndentPair): IndentMap | undefined {
  if (!first.file.endsWith(first.search)) return undefined;
  const prefix = first.file.slice(0, first.file.length - first.search.length);
  if (!pairs.every((pair) => pair.file === prefix + pair.search)) return undefined;
  return { apply: (indent) => prefix + indent, note: `indentation (the file has ${named(prefix)} more)` };
}

function taken(pairs: readonly IndentPair[], first: IndentPair): IndentMap | undefined {
  if (!first.search.endsWith(first.file)) return undefined;
  const prefix = first.search.slice(0, first.search.length - first.file.length);
  if (!pairs.every((pair) => pair.search === prefix + pair.file)) return undefined;
  return {
    apply: (indent) => (indent.startsWith(prefix) ? indent.slice(prefix.length) : undefined),
    note: `indentation (the file has ${named(prefix)} less)`,
  };
}

/** Tabs on one side, spaces on the other, at a fixed width. */
function scaled(pairs: readonly IndentPair[], wanted: readonly string[]): IndentMap | undefined {
  const only = (char: string, side: 'search' | 'file') => pairs.every((pair) => pair[side].split(char).join('') === '');
  const toTabs = only(' ', 'search') && only('\t', 'file');
  if (!toTabs && !(only('\t', 'search') && only(' ', 'file'))) return undefined;
  const tabs = (pair: IndentPair) => (toTabs ? pair.file : pair.search).length;
  const spaces = (pair: IndentPair) => (toTabs ? pair.search : pair.file).length;
  const [base] = pairs;
  if (!base) return undefined;
  const width = widthOf(
    pairs.map((pair) => ({ tabs: tabs(pair), spaces: spaces(pair) })),
    toTabs ? wanted : [],
  );
  if (width === undefined) return undefined;
  return {
    apply(indent) {
      if (indent.split(toTabs ? ' ' : '\t').join('') !== '') return undefined;
      const count = toTabs
        ? tabs(base) + (indent.length - spaces(base)) / width
        : spaces(base) + (indent.length - tabs(base)) * width;
      return Number.isInteger(count) && count >= 0 ? (toTabs ? '\t' : ' ').repeat(count) : undefined;
    },
    note: toTabs
      ? `indentation (the file has tabs, ${width} spaces were taken for one)`
      : `indentation (the file has ${width} spaces for a tab)`,
  };
}

/** Spaces that stand for one tab: from two levels of the match, from its only level, or from the replacement's steps. */
function widthOf(levels: readonly { tabs: number; spaces: number }[], wanted: readonly string[]): number | undefined {
  const [base] = levels;
  if (!base) return undefined;
  const other = levels.find((level) => level.tabs !== base.tabs || level.spaces !== base.spaces);
  if (other) {
    const width = (other.spaces - base.spaces) / (other.tabs - base.tabs);
    const fits = levels.every((level) => level.spaces - base.spaces === (level.tabs - base.tabs) * width);
    return Number.isInteger(width) && width >= 1 && fits ? width : undefined;
  }
  if (base.tabs > 0 && base.spaces > 0) {
    const width = base.spaces / base.tabs;
    return Number.isInteger(width) ? width : undefined;
  }
  const steps = wanted.map((indent) => Math.abs(indent.length - base.spaces)).filter((step) => step > 0);
  const step = steps.reduce(divisor, 0);
  return step === 0 ? 4 : [2, 3, 4, 8].includes(step) ? step : undefined;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function named(indent: string): string {
  const tabs = indent.split('\t').length - 1;
  if (tabs === indent.length) return tabs === 1 ? 'a tab' : `${tabs} tabs`;
  return tabs === 0 ? `${indent.length} space${indent.length === 1 ? '' : 's'}` : JSON.stringify(indent);
}

/** The white space a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
