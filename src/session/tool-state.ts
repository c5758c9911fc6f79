/** What direct `tool` calls of one session (or folder) share: the plan, and which bytes of files were seen. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../base/clock.js';
import { stableJson } from '../base/stable-json.js';
import type { PlanTask } from '../types/tool.js';
import type { FileState } from '../types/workspace.js';
import { reasonOf, SessionFault } from './fault.js';
import { privateFolder, readLines, replaceFile } from './files.js';
import { isObject, listOf, parseObject } from './guards.js';
import { takeLock } from './lock.js';
import { asFileState } from './parse.js';
import { asPlanTask } from './parse-display.js';

export interface ToolState {
  readonly plan: readonly PlanTask[];
  /** Real path -> the bytes this session last saw or wrote. */
  readonly seen: ReadonlyMap<string, FileState>;
}

/** `session`: the free text of `--session`; `folder`: real path of the folder a call starts in. */
export type ToolStateKey = { readonly session: string } | { readonly folder: string };

const MOST_PATHS = 5000;
const LARGEST = 8 * 1024 * 1024;
const LOCK_TRIES = 40;
const EMPTY: ToolState = { plan: [], seen: new Map() };

/** The state file of a key, below the state folder. Free text never becomes a file name. */
export function toolStateFile(state: string, key: ToolStateKey): string {
  const text = 'session' in key ? `session:${key.session}` : `folder:${key.folder}`;
  return join(state, 'sessions', `tool-${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`);
}

/** A missing or damaged file is an empty state; entries that are damaged are left out. Never throws. */
export async function loadToolState(state: string, key: ToolStateKey): Promise<ToolState> {
  try {
    for await (const line of readLines(toolStateFile(state, key), { maxLine: LARGEST, maxBytes: LARGEST + 1 })) {
      const value = line.text === undefined ? undefined : parseObject(line.text);
      return value ? { plan: listOf(value.plan, asPlanTask) ?? [], seen: seenOf(value.seen) } : EMPTY;
    }
  } catch {
    // Absent, unreadable or not a plain file.
  }
  return EMPTY;
}

/**
 * Saves what changed between `before` (as loaded) and `after`; paths and plans another process changed meanwhile stay.
 * Atomic, mode 0600. Throws SessionFault `io` when it cannot be saved.
 */
export async function saveToolState(state: string, key: ToolStateKey, before: ToolState, after: ToolState): Promise<void> {
  const file = toolStateFile(state, key);
  const unique = randomHex(8);
  try {
    privateFolder(join(state, 'sessions'));
    const release = await waitForLock(`${file}.lock`, unique);
    try {
      const merged = merge(await loadToolState(state, key), before, after);
      replaceFile(file, `${JSON.stringify({ version: 1, plan: merged.plan, seen: Object.fromEntries(merged.seen) })}\n`, unique);
    } finally {
      release();
    }
  } catch (error) {
    throw new SessionFault('io', `cannot save ${file}: ${reasonOf(error)}`, { file });
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
  const seen = new Map(disk.seen);
  for (const [path, now] of after.seen) {
    if (stableJson(before.seen.get(path)) === stableJson(now) && seen.has(path)) continue;
    // Set anew, so that what was touched last is dropped last.
    seen.delete(path);
    seen.set(path, now);
  }
  for (const path of before.seen.keys()) if (!after.seen.has(path)) seen.delete(path);
  for (const path of seen.keys()) {
    if (seen.size <= MOST_PATHS) break;
    seen.delete(path);
  }
  return { plan: planChanged ? after.plan : disk.plan, seen };
}

function seenOf(value: unknown): Map<string, FileState> {
  const seen = new Map<string, FileState>();
  if (!isObject(value)) return seen;
  for (const [path, entry] of Object.entries(value)) {
    const clean = asFileState(entry);
    if (clean) seen.set(path, clean);
  }
  return seen;
}
