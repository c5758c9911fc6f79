/** The search of our own, for machines without ripgrep and for terms that go over lines: the same files, the same answers. */

import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ToolFault } from '../../types/tool.js';
import type { Workspace } from '../../types/workspace.js';
import { type FolderRules, rulesFor } from '../../workspace/ignore-rules.js';
import { stopIfAborted } from './args.js';
import { counted } from './counted.js';
import { pathFilter } from './path-filter.js';
import { jsPattern } from './search-pattern.js';
import { shownText, textPieces } from './search-text.js';
import {
  cutToMost,
  type FoundFile,
  type FoundLine,
  type SearchFound,
  type SearchPorts,
  type SearchQuery,
} from './search-types.js';
import { createMatcher, type Hit, type Matcher } from './search-worker.js';

/** So many files that took too long end the search. */
const MOST_SLOW = 3;

interface Skipped {
  slow: number;
  large: number;
}

/**
 * `candidates`: the only files that can have a match, where that is known. Throws ToolFault for a pattern that is none, and
 * when every file it tried took too long.
 */
export async function searchByWalking(
  query: SearchQuery,
  ports: SearchPorts,
  workspace: Workspace,
  candidates?: readonly string[],
): Promise<SearchFound> {
  const pattern = jsPattern(query);
  const matcher = createMatcher(pattern);
  const deadline = Date.now() + ports.timeoutMs;
  const files: FoundFile[] = [];
  const skipped: Skipped = { slow: 0, large: 0 };
  let matches = 0;
  let ended = '';
  try {
    for (const path of query.isFile ? [query.start] : (candidates ?? walk(query))) {
      stopIfAborted(ports.signal);
      if (Date.now() > deadline) ended = `the search was ended after ${Math.round(ports.timeoutMs / 1000)} s; there may be more`;
      if (skipped.slow >= MOST_SLOW) ended = 'the pattern takes too long; the search was ended';
      if (ended !== '' || matches > query.maxResults) break;
      const most = query.maxResults + 1 - matches;
      const lines = await linesOf(path, { query, matcher, workspace, skipped, most, across: pattern.across, deadline, ports });
      if (lines.length === 0 || !(await ports.accept(path))) continue;
      files.push({ path, lines });
      matches += lines.filter((line) => line.at !== undefined).length;
    }
  } finally {
    await matcher.close();
  }
  if (matches === 0 && skipped.slow > 0)
    throw new ToolFault(
      'Timeout',
      'the pattern takes too long here (nested repetition?); write it more simply, or use regex: false',
    );
  return { ...cutToMost(files, query.maxResults), notes: notesOf(ended, skipped) };
}

function notesOf(ended: string, skipped: Skipped): string[] {
  const notes = ended === '' ? [] : [ended];
  if (skipped.slow > 0)
    notes.push(`${counted(skipped.slow, 'file was', 'files were')} passed over because the pattern took too long there`);
  if (skipped.large > 0)
    notes.push(
      `${counted(skipped.large, 'file')} over 32 MiB not searched: this term may go over lines; search for a single line`,
    );
  return notes;
}

/** Files in the order of their names, ignore files and globs honoured, links not followed. */
function* walk(query: SearchQuery): Generator<string> {
  const wanted = pathFilter(query);
  const shown = (path: string) => relative(query.root, path).split(sep).join('/');
  function* visit(dir: string, rules: FolderRules): Generator<string> {
    for (const entry of listed(dir)) {
      const path = join(dir, entry.name);
      const isFolder = entry.isDirectory();
      if (entry.name === '.git' || rules.ignores(entry.name, isFolder)) continue;
      if (isFolder && !query.exclude.length) yield* visit(path, rules.child(entry.name));
      else if (isFolder && wantedFolder(shown(path))) yield* visit(path, rules.child(entry.name));
      else if (entry.isFile() && wanted(shown(path))) yield path;
    }
  }
  const wantedFolder = pathFilter({ include: [], exclude: query.exclude });
  yield* visit(query.start, rulesFor(query.start, query.root));
}

function listed(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

interface FileWork {
  readonly query: SearchQuery;
  readonly matcher: Matcher;
  readonly workspace: Workspace;
  readonly skipped: Skipped;
  readonly most: number;
  readonly across: boolean;
  readonly deadline: number;
  readonly ports: SearchPorts;
}

/** The matching lines of a file with those around them; a piece that takes too long ends the file. */
async function linesOf(path: string, work: FileWork): Promise<readonly FoundLine[]> {
  const around = new Surroundings(work.query.context);
  let left = work.most;
  for await (const piece of textPieces(path, work.workspace, work.across)) {
    stopIfAborted(work.ports.signal);
    if (Date.now() > work.deadline) break;
    if (piece.cut) {
      work.skipped.large++;
      break;
    }
    const hits = await work.matcher.match(piece.text, left);
    if (!hits) {
      work.skipped.slow++;
      break;
    }
    around.take(piece.text, hits);
    left -= hits.length;
    if (left <= 0) break;
  }
  return around.found;
}

/** Collects hits and the lines around them, over the borders of pieces. */
class Surroundings {
  readonly found: FoundLine[] = [];
  readonly #context: number;
  /** Lines passed, and the last of them. */
  #passed = 0;
  #before: string[] = [];
  /** Lines up to this number are still wanted, and the last one taken. */
  #until = 0;
  #taken = 0;

  constructor(context: number) {
    this.#context = context;
  }

  take(text: string, hits: readonly Hit[]): void {
    const context = this.#context;
    if (hits.length === 0 && this.#until <= this.#passed) {
      this.#passed += countLines(text);
      this.#keep(splitText(lastLines(text, context)));
      return;
    }
    const lines = splitText(text);
    const passed = this.#passed;
    const lineAt = (number: number) => (number > passed ? lines[number - passed - 1] : this.#before.at(number - passed - 1));
    const add = (number: number, at?: number) => {
      const line = lineAt(number);
      if (line === undefined || number <= this.#taken) return;
      const shown = shownText(line);
      this.found.push({ number, text: shown, ...(at === undefined ? {} : { at: shownText(line.slice(0, at)).length }) });
      this.#taken = number;
    };
    const fill = (to: number) => {
      for (let number = Math.max(this.#taken, passed) + 1; number <= Math.min(to, passed + lines.length); number++) add(number);
    };
    for (const [first, at, last] of hits) {
      const number = passed + first + 1;
      fill(Math.min(this.#until, number - 1));
      for (let near = Math.max(this.#taken + 1, number - context); near < number; near++) add(near);
      add(number, at);
      this.#until = Math.max(this.#until, passed + last + 1 + context);
    }
    fill(this.#until);
    this.#passed += lines.length;
    this.#keep(lines);
  }

  #keep(lines: readonly string[]): void {
    const context = this.#context;
    this.#before = context > 0 ? [...this.#before, ...lines.slice(-context)].slice(-context) : [];
  }
}

function countLines(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The end of a text with at least so many lines, if it has them. */
function lastLines(text: string, count: number): string {
  let from = text.length;
  for (let left = count + 1; left > 0 && from > 0; left--) from = text.lastIndexOf('\n', from - 1);
  return count === 0 ? '' : text.slice(Math.max(0, from));
}

function splitText(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
