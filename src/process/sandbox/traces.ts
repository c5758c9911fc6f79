/** Writes down what a command may have left to be looked at, so that the next start does it when this one cannot: killed, or a kept job. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isElsewhere, isRunning, ownMark, type ProcessMark } from '../../base/process-mark.js';
import { readRegular } from '../../base/read-regular.js';
import type { PlanTrace } from './newcomers.js';
import { isBelow } from './stable-path.js';

/** A trace on disk; `remove` takes it away. */
export interface KeptTrace {
  readonly trace: PlanTrace;
  remove(): void;
}

export interface TraceStore {
  /** Notes a trace before its program starts. Never throws: what cannot be noted is looked at by this process alone. */
  note(trace: PlanTrace): KeptTrace;
  /** Traces of processes that are gone, about these workspaces; each once. Never throws. */
  adopt(): KeptTrace[];
}

const MOST_BYTES = 32 * 1024 * 1024;
const NAME = /^[0-9a-z]+-[0-9a-f]{12}\.json$/;
/** What is older (milliseconds) is about a workspace as it was long ago. */
const LONGEST_MS = 30 * 24 * 3600 * 1000;

/** `folder` lies where no command can write. */
export function createTraceStore(folder: string, roots: readonly string[]): TraceStore {
  const known = new Set<string>();
  const kept = (name: string, trace: PlanTrace): KeptTrace => {
    known.add(name);
    return { trace, remove: () => removeQuietly(join(folder, name)) };
  };
  return {
    note(trace) {
      const name = `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}.json`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, name), JSON.stringify({ owner: ownMark(), at: Date.now(), trace }), {
          mode: 0o600,
          flag: 'wx',
        });
      } catch {
        // A full disk does not keep a command from running.
      }
      return kept(name, trace);
    },
    adopt() {
      const adopted: KeptTrace[] = [];
      for (const name of namesIn(folder)) {
        if (known.has(name)) continue;
        const found = readTrace(join(folder, name));
        if (found === undefined || Date.now() - found.at > LONGEST_MS) removeQuietly(join(folder, name));
        else if (isRunning(found.owner) || isElsewhere(found.owner) || !concerns(found.trace, roots)) continue;
        else adopted.push(kept(name, found.trace));
      }
      return adopted;
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch {
    return [];
  }
}

function concerns({ scanned }: PlanTrace, roots: readonly string[]): boolean {
  return scanned.some((folder) => roots.some((root) => isBelow(folder, root) || isBelow(root, folder)));
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is looked at once more.
  }
}

interface StoredTrace {
  readonly owner: ProcessMark;
  readonly at: number;
  readonly trace: PlanTrace;
}

function readTrace(path: string): StoredTrace | undefined {
  try {
    const value = JSON.parse(readRegular(path, MOST_BYTES).toString('utf8')) as Partial<StoredTrace> | null;
    const { owner, at, trace } = value ?? {};
    if (typeof owner?.pid !== 'number' || typeof at !== 'number' || trace === undefined) return undefined;
    const { loose } = trace;
    const lists = [trace.watched, trace.awaited, trace.repositories, trace.present, trace.scanned, trace.writable];
    if (!lists.every((list) => Array.isArray(list) && list.every((text) => typeof text === 'string'))) return undefined;
    if (!Array.isArray(loose) || !loose.every((one) => typeof one?.entry === 'string' && Array.isArray(one.marks)))
      return undefined;
    if (!Array.isArray(trace.steps) || !trace.steps.every((one) => typeof one?.file === 'string' && Array.isArray(one.commands)))
      return undefined;
    return { owner, at, trace };
  } catch {
    return undefined;
  }
}
