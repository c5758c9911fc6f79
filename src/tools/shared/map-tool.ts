/** The map of a tree for a model: walked and read within the boundary, ranked, and cut to its budget. */
import { isAbsolute, join, relative, sep } from 'node:path';
import { createMapCache, type MapCache } from '../../code/map/cache.js';
import { linesOf, type MapEntry } from '../../code/map/entries.js';
import { focusOf } from '../../code/map/focus.js';
import { type Gathered, type GatherRequest, gather } from '../../code/map/gather.js';
import { type Graph, graphOf } from '../../code/map/graph.js';
import { orderOf } from '../../code/map/rank.js';
import { type Block, mapText, skippedNote } from '../../code/map/render.js';
import type { MapCounts } from '../../code/map/types.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import type { Located, ReadPass, Workspace } from '../../types/workspace.js';
import { within } from '../../workspace/zones.js';
import { invalid, stopIfAborted } from './args.js';
import { counted } from './counted.js';
import { diskStateOf, type Walked, walkForMap } from './map-walk.js';
import { printable } from './printable.js';

/** Cap of a map in characters; a larger budget is this one. */
export const MAP_LIMIT = 60_000;
export const USUAL_BUDGET = 8_000;
/** Cap of what is read of one file (bytes); the walk passes larger ones over. */
const LARGEST = 2 * 1024 * 1024;
/** Words of a focus that are named in a note. */
const MOST_UNKNOWN = 5;
const READABLE: ReadonlySet<string> = new Set(['inside', 'scratch']);

export interface MapRequest {
  readonly dir: string;
  /** Characters; below 1: the usual one. */
  readonly budget: number;
  readonly focus: readonly string[];
  /** For tests: how texts are parsed. */
  readonly pool?: GatherRequest['pool'];
}

/** Throws ToolFault. A folder without source files is an answer. */
export async function runMap(request: MapRequest, context: ToolContext): Promise<ToolResult & { readonly counts: MapCounts }> {
  const { workspace, signal } = context;
  const budget = request.budget < 1 ? USUAL_BUDGET : Math.min(request.budget, MAP_LIMIT);
  const located = await folderOf(request.dir, workspace);
  const name = (path: string) => nameIn(workspace.root, path);
  const walked = await walkForMap(located.real, workspace.root, { shown: name, signal });
  const cache = createMapCache(join(context.host.state, 'cache', 'map'), workspace.root);
  const gathered = await gathering(walked, { request, located, context, cache });
  await breath(signal);
  const { entries } = gathered;
  const graph = await graphFor(gathered, cache, signal);
  await breath(signal);
  const asked = new Map(request.focus.map((text) => [asEntry(text, workspace), text]));
  const focus = asked.size > 0 ? focusOf(entries, [...asked.keys()]) : undefined;
  const order = orderOf(entries, graph, focus?.weights);
  const blocks = order.flatMap((number) => blockOf(entries[number], workspace));
  const notes = notesOf(walked, gathered, [
    ...(request.budget > MAP_LIMIT ? [`(a budget of ${request.budget} is more than is given at once: ${MAP_LIMIT})`] : []),
    ...unknownNote((focus?.unknown ?? []).map((text) => asked.get(text) ?? text)),
  ]);
  const { text, shown } = mapText(titleOf(located, entries), blocks, budget, notes);
  return {
    output: text,
    isError: false,
    display: { kind: 'tree', root: located.shown, entries: shown },
    counts: gathered.counts,
  };
}

/** Keys and cancellation get their turn between long steps. Throws when the signal fired. */
async function breath(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  stopIfAborted(signal);
}

/** Made anew only when some file is another. */
async function graphFor({ entries, names }: Gathered, cache: MapCache, signal: AbortSignal): Promise<Graph> {
  const kept = cache.loadGraph(entries);
  if (kept) return kept;
  await breath(signal);
  const graph = await graphOf(entries, names, () => breath(signal));
  await breath(signal);
  cache.saveGraph(entries, graph);
  return graph;
}

async function folderOf(dir: string, workspace: Workspace): Promise<Located> {
  try {
    const located = await workspace.directory(dir);
    if (located.zone === 'git') throw invalid('dir', `${located.shown} is the inside of a repository; map takes source folders`);
    return located;
  } catch (error) {
    if (!(error instanceof ToolFault) || error.code !== 'ENOTDIR') throw error;
    throw new ToolFault('ENOTDIR', `${error.message.replace(/\.$/, '')}. map takes a folder; use outline for one file`);
  }
}

function gathering(
  walked: Walked,
  about: { readonly request: MapRequest; readonly located: Located; readonly context: ToolContext; readonly cache: MapCache },
): Promise<Gathered> {
  const { request, located, cache } = about;
  const { workspace, signal } = about.context;
  const real = (path: string) => (isAbsolute(path) ? path : join(workspace.root, path));
  const pass: ReadPass = { kind: 'pass' };
  const work = gather({
    files: walked.files,
    read: (path) => readInside(real(path), workspace, pass),
    look: (path) => diskStateOf(real(path)),
    cache,
    covers: (path) => within(real(path), located.real),
    signal,
    ...(request.pool ? { pool: request.pool } : {}),
  });
  return work.catch((error: unknown) => {
    stopIfAborted(signal);
    throw error;
  });
}

/** Undefined for what is gone, guarded, outside or not readable: a map has no faults for single files. */
async function readInside(path: string, workspace: Workspace, pass: ReadPass): ReturnType<GatherRequest['read']> {
  try {
    const { bytes, state, located } = await workspace.readFile(path, { maxBytes: LARGEST, pass });
    return READABLE.has(located.zone) ? { bytes, sha256: state.sha256 } : undefined;
  } catch (error) {
    if (error instanceof ToolFault) return undefined;
    throw error;
  }
}

/** Relative to the workspace, with `/`; absolute outside of it. */
function nameIn(root: string, path: string): string {
  return within(path, root) ? relative(root, path).split(sep).join('/') : path;
}

/** What of the focus matched nothing. */
function unknownNote(unknown: readonly string[]): string[] {
  if (unknown.length === 0) return [];
  const said = unknown.slice(0, MOST_UNKNOWN).map((text) => JSON.stringify(printable(text.slice(0, 60))));
  const rest = unknown.length > said.length ? ` and ${unknown.length - said.length} more` : '';
  return [`(nothing here has to do with ${said.join(', ')}${rest})`];
}

/** A focus as entries are named: a path is located, a word stays. */
function asEntry(text: string, workspace: Workspace): string {
  try {
    return /[\\/.]/.test(text) ? nameIn(workspace.root, workspace.locate(text).real) : text;
  } catch {
    return text;
  }
}

/** What is kept of a file is not shown when it may not be read any more. */
function blockOf(entry: MapEntry | undefined, workspace: Workspace): Block[] {
  if (!entry || entry.declarations === 0) return [];
  const { path, declarations } = entry;
  return [{ path: printable(path), declarations, lines: () => (mayShow(path, workspace) ? linesOf(entry) : undefined) }];
}

function mayShow(path: string, workspace: Workspace): boolean {
  try {
    return READABLE.has(workspace.locate(isAbsolute(path) ? path : join(workspace.root, path)).zone);
  } catch {
    return false;
  }
}

function titleOf(located: Located, entries: readonly MapEntry[]): string {
  const where = located.shown === '.' ? 'the workspace' : printable(located.shown);
  if (entries.length === 0) return `Map of ${where}: no source files of a language with a parser.`;
  const total = entries.reduce((sum, { declarations }) => sum + declarations, 0);
  const empty = entries.filter(({ declarations }) => declarations === 0).length;
  const without = empty === 0 ? '' : ` (${empty} without declarations)`;
  return `Map of ${where}: ${counted(entries.length, 'source file')}${without}, ${counted(total, 'declaration')}; most used first`;
}

function notesOf(walked: Walked, { skipped }: Gathered, more: readonly string[]): string[] {
  const notes = [...more];
  const passed = skippedNote({ ...skipped, large: walked.large }, walked.secret);
  if (passed !== '') notes.push(passed);
  if (walked.unlisted > 0) notes.push(`(${counted(walked.unlisted, 'folder')} could not be listed)`);
  if (walked.limited) notes.push('(the tree has more files than a map looks at; name a folder in it)');
  return notes;
}
