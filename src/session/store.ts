/** The saved sessions of one folder: list, read, delete. Bad files are listed as damaged, never thrown. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionState } from '../types/session.js';
import { errnoOf, ioFault, reasonOf, SessionFault } from './fault.js';
import { readLines } from './files.js';
import { createFold, firstLine, titleOf } from './fold.js';
import { isText, parseObject } from './guards.js';
import { checkSessionId, isSessionId } from './ids.js';
import { lockHolder } from './lock.js';
import { lockFile, logFile } from './log.js';
import { asHeader, refuseNewer } from './parse.js';

export interface SessionSummary {
  readonly id: string;
  readonly file: string;
  readonly workspace: string;
  /** Milliseconds since 1970; 0 when not known. */
  readonly created: number;
  /** Time of the last change of the file. */
  readonly updated: number;
  readonly title: string;
  readonly size: number;
  /** Why the file could not be understood. */
  readonly damaged?: string;
}

const LONGEST_LINE = 64 * 1024 * 1024;
/** A list reads no more than this of a file. */
const HEAD = 256 * 1024;

/** Newest first; only those of `workspace` (a real path) when it is given. An absent folder is an empty list. */
export async function listSessions(
  dir: string,
  options: { readonly workspace?: string; readonly limit?: number } = {},
): Promise<SessionSummary[]> {
  const found: { id: string; file: string; updated: number; size: number; plain: boolean }[] = [];
  for (const name of await namesIn(dir)) {
    const id = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
    if (!isSessionId(id)) continue;
    const file = join(dir, name);
    const stat = await lstat(file).catch(() => undefined);
    if (stat) found.push({ id, file, updated: stat.mtimeMs, size: stat.size, plain: stat.isFile() });
  }
  found.sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1));
  const out: SessionSummary[] = [];
  for (const { plain, ...rest } of found) {
    if (options.limit !== undefined && out.length >= options.limit) break;
    const summary = { ...rest, ...(plain ? await headOf(rest.file) : { ...NOTHING, damaged: 'not a plain file' }) };
    if (options.workspace === undefined || summary.workspace === options.workspace) out.push(summary);
  }
  return out;
}

/** The session of a workspace that was changed last; undefined when there is none. */
export async function latestSession(dir: string, workspace: string): Promise<SessionSummary | undefined> {
  const [latest] = (await listSessions(dir, { workspace })).filter((session) => session.damaged === undefined);
  return latest;
}

/** Folds a whole session without opening it for writing. Throws SessionFault `bad-id`, `not-found`, `newer`, `not-a-log`, `io`. */
export async function readSession(dir: string, id: string): Promise<SessionState> {
  const file = logFile(dir, id);
  const fold = createFold();
  try {
    for await (const line of readLines(file, { maxLine: LONGEST_LINE })) {
      if (line.number === 1) refuseNewer(line.text, id);
      fold.add(line.text);
    }
  } catch (error) {
    if (error instanceof SessionFault) throw error;
    if (errnoOf(error) === 'ENOENT') throw new SessionFault('not-found', `no session ${id}`, { id });
    if (errnoOf(error) === 'ELOOP') throw new SessionFault('not-a-log', `${file} is a symbolic link`, { file });
    throw ioFault('read', file, error);
  }
  const state = fold.state();
  return state.header.id === id ? state : { ...state, header: { ...state.header, id } };
}

/** Deletes a session and what belongs to it; false when there was none. Throws SessionFault `bad-id`, `locked`, `io`. */
export async function deleteSession(dir: string, id: string): Promise<boolean> {
  const file = logFile(dir, id);
  const holder = lockHolder(lockFile(dir, id));
  if (holder)
    throw new SessionFault('locked', `session ${id} is open in another process (pid ${holder.pid})`, { id, pid: holder.pid });
  const existed = (await lstat(file).catch(() => undefined)) !== undefined;
  try {
    await rm(join(dir, `${checkSessionId(id)}.undo`), { recursive: true, force: true });
    for (const path of [file, join(dir, `${checkSessionId(id)}.damaged`), lockFile(dir, id)]) await rm(path, { force: true });
  } catch (error) {
    throw ioFault('delete', file, error);
  }
  return existed;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioFault('list', dir, error);
  }
}

const NOTHING = { workspace: '', created: 0, title: '' };

async function headOf(file: string): Promise<Pick<SessionSummary, 'workspace' | 'created' | 'title' | 'damaged'>> {
  let head = NOTHING;
  let known = false;
  let task = '';
  try {
    for await (const line of readLines(file, { maxLine: HEAD, maxBytes: HEAD })) {
      const value = line.text === undefined ? undefined : parseObject(line.text);
      if (!value) continue;
      const header = asHeader(value);
      if (header) head = { ...head, workspace: header.workspace, created: header.created };
      else if (value.type === 'run-start' && isText(value.workspace)) head = { ...head, workspace: value.workspace };
      else if (value.type === 'session') return { ...NOTHING, damaged: 'unknown format' };
      known ||= header !== undefined || value.type === 'run-start';
      if (value.type === 'run-start' && isText(value.task)) task ||= firstLine(value.task);
      if (value.type === 'message-end' && value.agent === 'main')
        head = { ...head, title: head.title || titleOf([value.message]) };
      if (known && (task || head.title)) break;
    }
  } catch (error) {
    return { ...NOTHING, damaged: reasonOf(error) };
  }
  const summary = { ...head, title: task || head.title };
  return known ? summary : { ...summary, damaged: 'no session in it' };
}
