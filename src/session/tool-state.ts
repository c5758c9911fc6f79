/** What direct `tool` calls of one session (or folder) share: the plan, and which bytes of files were seen. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../base/clock.js';
import { stableJson } from '../base/stable-json.js';
import type { PlanTask } from '../types/tool.js';
import type { FileState } from '../types/workspace.js';
import { ioFault } from './fault.js';
import { privateFolder, readLines, replaceFile, sweepDrafts } from './files.js';
import { isObject, listOf, parseObject } from './guards.js';
import { checkSessionId } from './ids.js';
import { takeLock } from './lock.js';
import { asFileState } from './parse.js';
import { asPlanTask } from './parse-display.js';

export interface ToolState {
  readonly plan: readonly PlanTask[];
  /** Real path -> the bytes this session last saw or wrote. */
  readonly seen: Readonly<Record<string, FileState>>;
}

const MOST_PATHS = 5000;
const LARGEST = 8 * 1024 * 1024;
const LOCK_TRIES = 40;
const EMPTY: ToolState = { plan: [], seen: {} };

/** The id of a state: by the free text of `--session`, otherwise by the folder (real path) a call starts in. Always a safe file name. */
export function toolStateId(key: { readonly session?: string; readonly workspace: string }): string {
  const text = key.session === undefined ? `folder:${key.workspace}` : `session:${key.session}`;
  return `tool-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** The state file of an id, below the state folder. */
export function toolStateFile(state: string, id: string): string {
  return join(state, 'sessions', `${checkSessionId(id)}.json`);
}

/** A missing or damaged file is an empty state; entries that are damaged are left out. Never throws. */
export async function loadToolState(state: string, id: string): Promise<ToolState> {
  try {
    for await (const line of readLines(toolStateFile(state, id), { maxLine: LARGEST, maxBytes: LARGEST + 1 })) {
      const value = line.text === undefined ? undefined : parseObject(line.text);
      return value ? { plan: listOf(value.plan, asPlanTask) ?? [], seen: seenOf(value.seen) } : EMPTY;
    }
  } catch {
    // Absent, unreadable or not a plain file.
  }
  return EMPTY;
}

/**
 * Saves what changed between `before` (as loaded; default: nothing) and `after`; paths and plans another process changed
 * meanwhile stay. Atomic, mode 0600. Throws SessionFault `io` when it cannot be saved.
 */
export async function saveToolState(state: string, id: string, after: ToolState, before: ToolState = EMPTY): Promise<void> {
  const file = toolStateFile(state, id);
  const unique = randomHex(8);
  try {
    privateFolder(join(state, 'sessions'));
    sweepDrafts(join(state, 'sessions'), Date.now());
    const release = await waitForLock(`${file}.lock`, unique);
    try {
      const merged = merge(await loadToolState(state, id), before, after);
      replaceFile(file, `${JSON.stringify({ version: 1, plan: merged.plan, seen: merged.seen })}\n`, unique);
    } finally {
      release();
    }
  } catch (error) {
    throw ioFault('save', file, error);
  }
}

/** Waits up to two seconds; then goes on without the lock, since a merge lost is better than a state never saved. */
async function waitForLock(file: string, unique: string): Promise<() => void> {
  for (let i = 0; i < LOCK_TRIES; i++) {
    const lock = takeLock(file, `${unique}${i}`);
    if (lock.held) return lock.release;
    await sleep(50);
  }
  return () => undefined;
}

function merge(disk: ToolState, before: ToolState, after: ToolState): ToolState {
  const planChanged = stableJson(before.plan) !== stableJson(after.plan);
  const then = new Map(Object.entries(before.seen));
  const seen = new Map(Object.entries(disk.seen));
  for (const [path, now] of Object.entries(after.seen)) {
    if (stableJson(then.get(path)) === stableJson(now) && seen.has(path)) continue;
    // Set anew, so that what was touched last is dropped last.
    seen.delete(path);
    seen.set(path, now);
  }
  for (const path of then.keys()) if (!Object.hasOwn(after.seen, path)) seen.delete(path);
  for (const path of seen.keys()) {
    if (seen.size <= MOST_PATHS) break;
    seen.delete(path);
  }
  return { plan: planChanged ? after.plan : disk.plan, seen: Object.fromEntries(seen) };
}

function seenOf(value: unknown): Record<string, FileState> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).flatMap(([path, entry]) => {
    const clean = asFileState(entry);
    return clean ? [[path, clean] as const] : [];
  });
  return Object.fromEntries(entries);
}
