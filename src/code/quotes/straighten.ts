/** Curly quotes that keep a text from being parsed become straight ones; all others stay as they are. */
import { type Checker, checkerFor } from './checkers.js';
import { insertedQuotes, STRAIGHT } from './inserted.js';
import { isApostrophe, isMeant } from './pairs.js';
import { isBetter, type Reading } from './reading.js';

/** Files of code without a parser here: in these curly quotes are spoken of, not changed. */
const CODE =
  /\.(?:mm?|r|fish|zsh|sql|ya?ml|toml|xml|html?|scss|less|vue|svelte|lua|p[lm]|exs?|erl|hrl|hs|elm|clj[sc]?|lisp|el|vim|conf|ini|dockerfile|tf|hcl|proto|graphql|gql|cmake|gradle|dart|zig|nim|ps1|bat|sol)$|(?:^|\/)(?:makefile|dockerfile|jenkinsfile|vagrantfile|procfile|\.gitignore|\.dockerignore)$/i;
/** A longer text is not parsed for this. */
const LONGEST = 2 * 1024 * 1024;
/** How often a text is parsed. */
const MOST_READINGS = 60;
/** Milliseconds for one file. */
const MOST_MS = 3_000;
/** How often quotes that are no delimiters after all are left out of one choice. */
const MOST_ROUNDS = 4;

export interface Straightened {
  readonly text: string;
  /** 1-based lines with quotes that were replaced. */
  readonly replaced: readonly number[];
  /** Lines with inserted curly quotes of which nobody could say whether they belong there. */
  readonly unsure: readonly number[];
  /** Why, for `unsure`. `unclear`: the file does not parse there, with them or without. */
  readonly reason?: 'no-parser' | 'too-large' | 'unclear';
}

/**
 * `after` as it should be written to `path`, of which `before` is the text so far (undefined: none). Replaced are only quotes that
 * were inserted and begin and end a string together, whole pairs, and only where the text has more faults without that. Throws the
 * reason of the signal.
 */
export async function straighten(
  path: string,
  before: string | undefined,
  after: string,
  signal?: AbortSignal,
): Promise<Straightened> {
  const unchanged = { text: after, replaced: [], unsure: [] };
  const inserted = await insertedQuotes(before, after, signal);
  if (inserted.length === 0) return unchanged;
  const checker = checkerFor(path);
  if (!checker) return CODE.test(path) ? { ...unchanged, unsure: linesOf(after, inserted), reason: 'no-parser' } : unchanged;
  const tooLarge = { ...unchanged, unsure: linesOf(after, inserted), reason: 'too-large' } as const;
  if (after.length > LONGEST) return tooLarge;
  const chosen = await chosenOf(after, inserted, checker, signal);
  if (chosen === undefined) return tooLarge;
  const found = { text: replacedAt(after, chosen.offsets), replaced: linesOf(after, chosen.offsets) };
  const unsure = linesOf(after, chosen.bad);
  return unsure.length === 0 ? { ...found, unsure } : { ...found, unsure, reason: 'unclear' };
}

interface Chosen {
  /** What to replace. */
  readonly offsets: readonly number[];
  /** What was not replaced, and cannot be read. */
  readonly bad: readonly number[];
}

/** A set of quotes to replace, and how the text reads with it. */
interface State extends Reading {
  readonly offsets: readonly number[];
}

/** What to replace; undefined when parsing took too long. */
async function chosenOf(
  text: string,
  inserted: readonly number[],
  checker: Checker,
  signal: AbortSignal | undefined,
): Promise<Chosen | undefined> {
  const reader = readerOf(text, inserted, checker, signal);
  const start = await reader.read([]);
  if (!start) return undefined;
  let best = start;
  const tryAlso = async (more: readonly number[], isEnough?: (state: State) => boolean): Promise<void> => {
    if (best.faults.count === 0 || reader.isSpent()) return;
    const found = await consistent(text, rising([...best.offsets, ...more]), best.offsets, reader);
    if (found && isBetter(found.faults, best.faults) && (isEnough?.(found) ?? true)) best = found;
  };
  const isDouble = (at: number) => STRAIGHT.get(text[at] ?? '') === '"';
  const outside = inserted.filter((at) => !start.kept.has(at));
  const plain = outside.filter((at) => !isApostrophe(text, at));
  for (const some of [plain.filter(isDouble), plain, outside, outside.filter((at) => !isDouble(at))]) await tryAlso(some);
  for (const line of byLine(text, plain)) {
    await tryAlso(line.filter(isDouble));
    await tryAlso(line);
    await tryAlso(line.filter((at) => !isDouble(at)));
  }
  // A string may seem to begin at an apostrophe: believed only where nothing is left to be wrong.
  if (outside.length < inserted.length) {
    const isWhole = ({ faults }: State) => faults.count === 0;
    await tryAlso(inserted.filter(isDouble), isWhole);
    await tryAlso(
      inserted.filter((at) => !isApostrophe(text, at)),
      isWhole,
    );
  }
  const last = await onlyNeeded(best, start, reader);
  return { offsets: last.offsets, bad: last.faults.count === 0 ? [] : inserted.filter((at) => last.bad.has(at)) };
}

/** The quotes that stay delimiters of whole tokens when only these are replaced; undefined when they are no more than `already`. */
async function consistent(
  text: string,
  wanted: readonly number[],
  already: readonly number[],
  reader: Reader,
): Promise<State | undefined> {
  let offsets = wanted;
  for (let round = 0; round < MOST_ROUNDS && offsets.length > already.length && !reader.isSpent(); round++) {
    const found = await reader.read(offsets);
    if (!found) return undefined;
    const good = found.tokens
      .filter((token) => isMeant(text, token, new Set(offsets)))
      .flatMap(({ open, close }) => [...open, ...close]);
    if (good.length === offsets.length) return found;
    offsets = rising(good);
  }
  return undefined;
}

/** Quotes that the text was as good without are taken back; so are those there was no time to ask about. */
async function onlyNeeded(best: State, start: State, reader: Reader): Promise<State> {
  const doubtful = (state: State) =>
    state.tokens.filter(({ open, close }) => [...open, ...close].every((at) => !start.bad.has(at)));
  let state = best;
  let groups = [doubtful(best)].filter((tokens) => tokens.length > 0);
  for (let group = groups.pop(); group; group = groups.pop()) {
    const drop = new Set(group.flatMap(({ open, close }) => [...open, ...close]));
    const less = await reader.read(state.offsets.filter((at) => !drop.has(at)));
    const isSettled = reader.isSpent() || group.length === 1;
    if (less && (!isBetter(state.faults, less.faults) || (reader.isSpent() && group.length > 1))) state = less;
    else if (!isSettled) groups = [...groups, group.slice(0, group.length / 2), group.slice(group.length / 2)];
  }
  return state;
}

interface Reader {
  /** The text with these quotes replaced; undefined: it took too long. Throws the reason of the signal. */
  read(offsets: readonly number[]): Promise<State | undefined>;
  /** Whether nothing more should be tried. */
  isSpent(): boolean;
}

function readerOf(text: string, inserted: readonly number[], checker: Checker, signal: AbortSignal | undefined): Reader {
  const deadline = performance.now() + MOST_MS;
  let readings = 0;
  return {
    isSpent: () => readings >= MOST_READINGS || performance.now() > deadline,
    async read(offsets) {
      readings++;
      // Keys and cancellation get their turn between two readings.
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      const reading = await checker.read(replacedAt(text, offsets), inserted, signal);
      signal?.throwIfAborted();
      return reading && { ...reading, offsets };
    },
  };
}

function replacedAt(text: string, offsets: readonly number[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const offset of offsets) {
    parts.push(text.slice(at, offset), STRAIGHT.get(text[offset] ?? '') ?? text[offset] ?? '');
    at = offset + 1;
  }
  return parts.join('') + text.slice(at);
}

const rising = (offsets: readonly number[]): number[] => [...new Set(offsets)].sort((a, b) => a - b);

function byLine(text: string, offsets: readonly number[]): number[][] {
  const lines = new Map<number, number[]>();
  for (const [i, line] of lineNumbers(text, offsets).entries()) lines.set(line, [...(lines.get(line) ?? []), offsets[i] ?? 0]);
  return [...lines.values()];
}

const linesOf = (text: string, offsets: readonly number[]): number[] => [...new Set(lineNumbers(text, offsets))];

/** 1-based line of each offset; they rise. */
function lineNumbers(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let at = 0;
  return offsets.map((offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    return line;
  });
}
