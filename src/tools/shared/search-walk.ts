/** The search of our own, for machines without ripgrep: the same files, the same answers. */

import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { decodeUtf16, detect } from '../../base/text-encoding.js';
import { ToolFault } from '../../types/tool.js';
import type { Workspace } from '../../types/workspace.js';
import { type FolderRules, rulesFor } from '../../workspace/ignore-rules.js';
import { stopIfAborted } from './args.js';
import { counted } from './counted.js';
import { pathFilter } from './path-filter.js';
import { jsPattern } from './search-pattern.js';
import {
  cutToMost,
  type FoundFile,
  type FoundLine,
  type SearchFound,
  type SearchPorts,
  type SearchQuery,
} from './search-types.js';
import { createMatcher, type Hit } from './search-worker.js';

const LARGEST_FILE = 32 * 1024 * 1024;
/** So many files that took too long end the search. */
const MOST_SLOW = 3;

/** Throws ToolFault for a pattern that is none, and when every file it tried took too long. */
export async function searchByWalking(query: SearchQuery, ports: SearchPorts, workspace: Workspace): Promise<SearchFound> {
  const matcher = createMatcher(jsPattern(query));
  const deadline = Date.now() + ports.timeoutMs;
  const files: FoundFile[] = [];
  const skipped = { slow: 0, large: 0 };
  let matches = 0;
  let ended = '';
  try {
    for (const path of query.isFile ? [query.start] : walk(query)) {
      stopIfAborted(ports.signal);
      if (Date.now() > deadline) ended = `the search was ended after ${Math.round(ports.timeoutMs / 1000)} s; there may be more`;
      if (skipped.slow >= MOST_SLOW) ended = 'the pattern takes too long; the search was ended';
      if (ended !== '' || matches > query.maxResults) break;
      const lines = await linesOf(path, workspace, skipped);
      if (!lines) continue;
      const hits = await matcher.match(lines, query.maxResults + 1);
      if (!hits) skipped.slow++;
      else if (hits.length > 0 && (await ports.accept(path))) {
        files.push({ path, lines: withContext(lines, hits, query.context) });
        matches += hits.length;
      }
    }
  } finally {
    await matcher.close();
  }
  if (matches === 0 && skipped.slow > 0)
    throw new ToolFault(
      'Timeout',
      'the pattern takes too long here (nested repetition?); write it more simply, or use regex: false',
    );
  const notes = ended === '' ? [] : [ended];
  if (skipped.slow > 0)
    notes.push(`${counted(skipped.slow, 'file was', 'files were')} passed over because the pattern took too long there`);
  if (skipped.large > 0) notes.push(`${counted(skipped.large, 'file')} over 32 MiB not searched`);
  return { ...cutToMost(files, query.maxResults), notes };
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

/** The lines of a text file; undefined for what is binary, unreadable, guarded or too large. */
async function linesOf(path: string, workspace: Workspace, skipped: { large: number }): Promise<string[] | undefined> {
  let bytes: Buffer;
  try {
    bytes = (await workspace.readFile(path, { maxBytes: LARGEST_FILE })).bytes;
  } catch (error) {
    if (error instanceof ToolFault && error.code === 'EFBIG') skipped.large++;
    return undefined;
  }
  const { encoding } = detect(bytes);
  if (encoding === 'bytes' || encoding === 'utf-8') {
    if (bytes.includes(0)) return undefined;
    return splitText(bytes.toString('utf8'));
  }
  return splitText(decodeUtf16(bytes, encoding));
}

function splitText(text: string): string[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function withContext(lines: readonly string[], hits: readonly Hit[], context: number): FoundLine[] {
  const found = new Map<number, FoundLine>();
  const add = (i: number) => {
    const text = lines[i];
    if (text !== undefined && !found.has(i)) found.set(i, { number: i + 1, text });
  };
  for (const [first, at, last] of hits) {
    for (let i = Math.max(0, first - context); i <= Math.min(lines.length - 1, last + context); i++) add(i);
    found.set(first, { number: first + 1, text: lines[first] ?? '', at });
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}
