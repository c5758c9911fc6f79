/** Curly quotes that keep a text from being parsed become straight ones; all others stay as they are. */
import { type Checker, checkerFor } from './checkers.js';
import { insertedQuotes, STRAIGHT } from './inserted.js';
import { type Faults, isBetter } from './reading.js';

/** Files of code without a parser here: in these curly quotes are spoken of, not changed. */
const CODE =
  /\.(?:mm?|r|fish|zsh|sql|ya?ml|toml|xml|html?|scss|less|vue|svelte|lua|p[lm]|exs?|erl|hrl|hs|elm|clj[sc]?|lisp|el|vim|conf|ini|dockerfile|tf|hcl|proto|graphql|gql|cmake|gradle|dart|zig|nim|ps1|bat|sol)$|(?:^|\/)(?:makefile|dockerfile|jenkinsfile|vagrantfile|procfile|\.gitignore|\.dockerignore)$/i;
/** A longer text is not parsed for this. */
const LONGEST = 2 * 1024 * 1024;
/** How often a text is parsed. */
const MOST_READINGS = 60;
/** Milliseconds for one file. */
const MOST_MS = 3_000;

export interface Straightened {
  readonly text: string;
  /** 1-based lines with quotes that were replaced. */
  readonly replaced: readonly number[];
  /** Lines with inserted curly quotes of which nobody could say whether they belong there. */
  readonly unsure: readonly number[];
  /** Why, for `unsure`. */
  readonly reason?: 'no-parser' | 'too-large';
}

/**
 * `after` as it should be written to `path`, of which `before` is the text so far (undefined: none). Only quotes that were inserted
 * are replaced, only where the text then has fewer faults, and only as many as that takes. Throws the reason of the signal.
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
  if (after.length > LONGEST) return { ...unchanged, unsure: linesOf(after, inserted), reason: 'too-large' };
  const chosen = await needed(after, inserted, checker, signal);
  if (chosen === undefined) return { ...unchanged, unsure: linesOf(after, inserted), reason: 'too-large' };
  return { text: replacedAt(after, chosen), replaced: linesOf(after, chosen), unsure: [] };
}

/** Offsets to replace; undefined when parsing took too long. */
async function needed(
  text: string,
  inserted: readonly number[],
  checker: Checker,
  signal: AbortSignal | undefined,
): Promise<readonly number[] | undefined> {
  const deadline = performance.now() + MOST_MS;
  let readings = 0;
  const faultsWith = async (
    offsets: readonly number[],
  ): Promise<{ faults: Faults; delimiters: readonly number[] } | undefined> => {
    readings++;
    // Keys and cancellation get their turn between two readings.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const reading = await checker.read(replacedAt(text, offsets), offsets, signal);
    signal?.throwIfAborted();
    return reading && { faults: reading.faults, delimiters: offsets.filter((at) => reading.delimiters.has(at)) };
  };
  const start = await faultsWith([]);
  if (!start) return undefined;
  let best: { readonly offsets: readonly number[]; readonly faults: Faults } = { offsets: [], faults: start.faults };
  const tryAlso = async (more: readonly number[]): Promise<void> => {
    if (more.length === 0 || best.faults.count === 0 || readings >= MOST_READINGS || performance.now() > deadline) return;
    const offsets = [...new Set([...best.offsets, ...more])].sort((a, b) => a - b);
    if (offsets.length === best.offsets.length) return;
    const found = await faultsWith(offsets);
    if (!found || !isBetter(found.faults, best.faults)) return;
    best = { offsets, faults: found.faults };
    if (found.delimiters.length === offsets.length) return;
    // A quote inside a string or a comment was not what the parser stumbled over.
    const less = await faultsWith(found.delimiters);
    if (less && !isBetter(found.faults, less.faults)) best = { offsets: found.delimiters, faults: less.faults };
  };
  const isDouble = (at: number) => STRAIGHT.get(text[at] ?? '') === '"';
  const isSingle = (at: number) => !isDouble(at);
  await tryAlso(inserted.filter(isDouble));
  await tryAlso(inserted);
  await tryAlso(inserted.filter(isSingle));
  for (const line of byLine(text, inserted)) {
    await tryAlso(line.filter(isDouble));
    await tryAlso(line);
    await tryAlso(line.filter(isSingle));
    await tryAlso(line.length > 2 ? [line[0] ?? 0, line.at(-1) ?? 0] : []);
  }
  return best.offsets;
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
