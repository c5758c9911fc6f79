/** What `@coder search` and `@search` share. */

import { dirname, join, relative, sep } from 'node:path';
import type { JsonObject } from '../../types/json.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { Located } from '../../types/workspace.js';
import { createRecordStore } from '../../workspace/backup-record.js';
import { isOwnBackup } from '../../workspace/backups.js';
import { type FolderRules, repositoryOf, rulesFor } from '../../workspace/ignore-rules.js';
import { countArg, flagArg, invalid, listArg, requiredText, textArg } from './args.js';
import { counted } from './counted.js';
import { globList } from './glob-list.js';
import { pathFilter } from './path-filter.js';
import { hitsOf, matchesText } from './search-format.js';
import { goesAcross, matchesNothing } from './search-pattern.js';
import { filesHolding, findRipgrep, type RipgrepProgram, searchWithRipgrep } from './search-ripgrep.js';
import { isBinaryFile } from './search-text.js';
import type { SearchFound, SearchPorts, SearchQuery } from './search-types.js';
import { searchByWalking } from './search-walk.js';
import { countSecretFiles } from './secret-files.js';

const MAX_RESULTS = 100;
const CONTEXT = 2;
const MOST_CONTEXT = 50;
const LONGEST_TERM = 10_000;
const TIMEOUT_MS = 60_000;

export interface SearchDefaults {
  readonly regex: boolean;
  readonly caseSensitive: boolean;
}

/** Which program searches; `none` is our own walk. Without it the best there is. */
export interface SearchEngine {
  readonly ripgrep?: string | 'none';
}

/** Throws ToolFault. No match is no error. */
export async function runSearch(
  args: JsonObject,
  defaults: SearchDefaults,
  context: ToolContext,
  engine: SearchEngine = {},
): Promise<ToolResult> {
  const { workspace } = context;
  const term = requiredText(args, 'term');
  if (term === '') throw invalid('term', 'is empty; give the text to search for');
  if (term.includes('\0')) throw invalid('term', 'holds a NUL character, which no text file has');
  if (term.length > LONGEST_TERM) throw invalid('term', `has ${term.length} characters, at most ${LONGEST_TERM}`);
  const start = await startOf(textArg(args, 'dir') ?? '.', context);
  const globs = globList(listArg(args, 'include') ?? [], workspace.root);
  const query: SearchQuery = {
    term,
    regex: flagArg(args, 'regex') ?? defaults.regex,
    caseSensitive: flagArg(args, 'case_sensitive') ?? defaults.caseSensitive,
    context: Math.min(countArg(args, 'context', 0) ?? CONTEXT, MOST_CONTEXT),
    maxResults: countArg(args, 'max_results', 1) ?? MAX_RESULTS,
    ...(start.isFile ? { include: [], exclude: [] } : globs),
    start: start.located.real,
    isFile: start.isFile,
    root: workspace.root,
  };
  const search = await searcher(query, context, engine);
  const running = search(query);
  const secrets = start.isFile ? undefined : countSecretFiles(query.start, query.root);
  const found = await running;
  const notes = [...found.notes];
  if (found.matches === 0) notes.push(...(await hints(query, search)));
  if (secrets && secrets.count > 0)
    notes.push(`${secrets.atLeast ? 'at least ' : ''}${counted(secrets.count, 'secret file')} (.env and the like) not searched`);
  return result(query, start.located, found, notes);
}

function result(query: SearchQuery, start: Located, found: SearchFound, notes: readonly string[]): ToolResult {
  const show = (path: string) => {
    const shown = relative(query.root, path);
    return shown.startsWith('..') ? path : shown.split(sep).join('/');
  };
  const files = counted(found.files.length, 'file');
  const count = counted(found.matches, 'match', 'matches');
  const title =
    found.matches === 0
      ? `No matches for ${JSON.stringify(query.term.slice(0, 200))} in ${start.shown === '.' ? 'the workspace' : start.shown}.`
      : found.more
        ? `The first ${count} (max_results), in ${files}; there are more:`
        : `${count} in ${files}:`;
  const body = found.matches === 0 ? '' : `\n${matchesText(found, { show })}`;
  const tail = notes.map((note) => `Note: ${note}.\n`).join('');
  return {
    output: `${title}\n${body}${tail}`,
    isError: false,
    display: { kind: 'matches', hits: hitsOf(found, { show }), more: found.more },
  };
}

async function startOf(dir: string, { workspace }: ToolContext): Promise<{ located: Located; isFile: boolean }> {
  let located: Located;
  let isFile = false;
  try {
    located = await workspace.directory(dir);
  } catch (error) {
    if (!(error instanceof ToolFault) || error.code !== 'ENOTDIR') throw error;
    const opened = await workspace.openFile(dir);
    await opened.handle.close();
    located = opened.located;
    isFile = true;
  }
  if (located.zone === 'git')
    throw invalid('dir', `${located.shown} is the inside of a repository, which is never searched; use the git commands`);
  return { located, isFile };
}

type Search = (query: SearchQuery) => Promise<SearchFound>;

async function searcher(query: SearchQuery, context: ToolContext, engine: SearchEngine): Promise<Search> {
  const { workspace, host } = context;
  const ports: SearchPorts = {
    accept: acceptor(query, context),
    isBinary: (path) => isBinaryFile(path, workspace).catch(() => true),
    signal: context.signal,
    timeoutMs: TIMEOUT_MS,
  };
  const path = engine.ripgrep ?? (await findRipgrep(host.childEnv));
  if (path === undefined || path === 'none') return (wanted) => searchByWalking(wanted, ports, workspace);
  const program = { path, env: host.childEnv };
  return async (wanted) => {
    if (goesAcross(wanted)) return searchByWalking(wanted, ports, workspace, await candidates(wanted, ports, program));
    if (matchesNothing(wanted)) return searchByWalking(wanted, ports, workspace);
    return (await searchWithRipgrep(wanted, ports, program)) ?? searchByWalking(wanted, ports, workspace);
  };
}

/** The only files in which a plain text over several lines can stand: those that hold its longest line. */
async function candidates(query: SearchQuery, ports: SearchPorts, program: RipgrepProgram): Promise<string[] | undefined> {
  if (query.regex || query.isFile) return undefined;
  const longest = query.term.split(/[\r\n]+/).reduce((best, line) => (line.length > best.length ? line : best), '');
  return longest === '' ? undefined : filesHolding(longest, query, ports, program);
}

const SEARCHED_ZONES = new Set(['inside', 'scratch']);

/** Shows nothing of guarded files, of what `.chatignore` names, and of our own backups. */
function acceptor(query: SearchQuery, context: ToolContext): SearchPorts['accept'] {
  const rules = new Map<string, FolderRules>();
  const records = createRecordStore(context.host.state);
  // Without a repository ripgrep would take ignore files of any folder above; ours stop at the workspace.
  const full = repositoryOf(query.start) === undefined;
  const rulesIn = (dir: string): FolderRules => {
    const known =
      rules.get(dir) ??
      (dir === query.start
        ? rulesFor(dir, query.root)
        : rulesIn(dirname(dir)).child(dir.slice(dirname(dir).length).replace(/^[\\/]+/, '')));
    rules.set(dir, known);
    return known;
  };
  const wanted = pathFilter(query);
  return async (path) => {
    if (!wanted(relative(query.root, path).split(sep).join('/'))) return false;
    if (!SEARCHED_ZONES.has(context.workspace.locate(path).zone)) return false;
    if (query.isFile) return true;
    const names = relative(query.start, path).split(sep);
    let dir = query.start;
    for (const [i, name] of names.entries()) {
      const here = rulesIn(dir);
      const isFolder = i < names.length - 1;
      if (here.hides(name, isFolder) || (full && here.ignores(name, isFolder))) return false;
      dir = join(dir, name);
    }
    return !(await isOwnBackup(records, path));
  };
}

/** What may help when nothing was found. */
async function hints(query: SearchQuery, search: Search): Promise<string[]> {
  const notes: string[] = [];
  if (!query.regex && /[.*+?()[\]{}|^$\\]/.test(query.term)) {
    try {
      const { matches } = await search({ ...query, regex: true, maxResults: 1, context: 0 });
      if (matches > 0) notes.push('the term was taken as plain text; as a regular expression it does match (regex: true)');
    } catch {
      // Not a pattern: nothing to say.
    }
  }
  if (query.caseSensitive) notes.push('upper and lower case count; case_sensitive: false ignores them');
  if (query.include.length > 0) notes.push(`only files that match ${query.include.join(', ')} were searched`);
  return notes;
}
