/** Journals of writes under way as they lie on the disk: whose they are and what in them is not finished. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../base/clock.js';
import { isRunning, ownMark, type ProcessMark } from '../base/process-mark.js';
import { readRegular } from '../base/read-regular.js';
import { asRecord, type BackupRecord } from './backup-record.js';
import { isTempName } from './temp-name.js';
import { asIntent, type Intent } from './transaction/intent.js';

/** A write of one file. */
export interface WriteEntry {
  /** Real path of the file being written. */
  readonly path: string;
  /** Temporary files beside it (names): the new content, the new backup, what the backup replaces. */
  readonly temps: readonly string[];
  /** SHA-256 of the new content: a file that holds it was written. */
  readonly after?: string;
  /** What the manifest said before; null: nothing. */
  readonly before?: BackupRecord | null;
  /** Set while the file's own bytes are being overwritten: where its old bytes lie. */
  readonly restore?: { readonly backup: string; readonly sha256: string };
}

export type Unfinished =
  | { readonly kind: 'write'; readonly id: number; readonly time: number; readonly entry: WriteEntry }
  /** `committed`: all files are new already, only what follows is missing. */
  | { readonly kind: 'change'; readonly id: number; readonly intent: Intent; readonly committed: boolean };

/** Number of the process, then when it began (ticks and boot, where known), then its token and more that is random. */
const NAME = /^write-(\d+)-(?:(\d+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-)?([0-9a-f]+)\.jsonl$/;
const TOKEN_LENGTH = 24;
const LARGEST_JOURNAL = 256 * 1024 * 1024;

/** A name for the journal of a process. */
export function journalName({ pid, start, token }: ReturnType<typeof ownMark>): string {
  const [boot, ticks] = start.split(':');
  const name = `write-${pid}-${ticks ? `${ticks}-${boot}-` : ''}${token}${randomHex(12)}.jsonl`;
  return NAME.test(name) ? name : `write-${pid}-${token}${randomHex(12)}.jsonl`;
}

/** The process a journal belongs to; undefined for a name that is none of ours. */
function ownerOf(name: string): ProcessMark | undefined {
  const [, pid, ticks, boot, random] = NAME.exec(name) ?? [];
  if (pid === undefined || random === undefined) return undefined;
  return { pid: Number(pid), start: ticks && boot ? `${boot}:${ticks}` : '', token: random.slice(0, TOKEN_LENGTH) };
}

/** The journals of processes that are gone. Never throws. */
export function deadJournals(folder: string): string[] {
  try {
    const own = ownMark();
    // Asking the system about this very process costs more than all the rest.
    const isOwn = (owner: ProcessMark) => owner.token === own.token && owner.pid === own.pid && owner.start === own.start;
    return readdirSync(folder).filter((name) => {
      const owner = ownerOf(name);
      return owner !== undefined && !isOwn(owner) && !isRunning(owner);
    });
  } catch {
    return [];
  }
}

/** What is not finished in a journal. Throws errno errors. A line that was cut off had not begun anything. */
export function unfinishedIn(folder: string, name: string): Unfinished[] {
  const found = new Map<number, Unfinished>();
  for (const line of readRegular(join(folder, name), LARGEST_JOURNAL).toString('utf8').split('\n')) {
    const value = line === '' ? undefined : parsed(line);
    if (typeof value?.id !== 'number') continue;
    const { id } = value;
    const known = found.get(id);
    if (typeof value.committed === 'boolean' && known?.kind === 'change') found.set(id, { ...known, committed: value.committed });
    else if (value.done === true) found.delete(id);
    else {
      const entry = asUnfinished(value, id);
      if (entry) found.set(id, entry);
    }
  }
  return [...found.values()];
}

/** Real paths of the files an entry is about. */
export function pathsOf(entry: Unfinished): string[] {
  return entry.kind === 'write' ? [entry.entry.path] : entry.intent.files.map(({ path }) => path);
}

/** Names of the temporary files an entry may still need. */
export function tempsOf(entry: Unfinished): string[] {
  if (entry.kind === 'write') return [...entry.entry.temps];
  return entry.intent.files.flatMap(({ temp, saved, copy }) => [temp, saved, ...(copy === '' ? [] : [copy])]);
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function asUnfinished(value: Record<string, unknown>, id: number): Unfinished | undefined {
  if (value['change'] !== undefined) {
    const intent = asIntent(value['change']);
    return intent && { kind: 'change', id, intent, committed: false };
  }
  const { path, time, restore } = value;
  if (typeof path !== 'string' || !Array.isArray(value['temps']) || typeof time !== 'number') return undefined;
  const temps = value['temps'].filter((name): name is string => typeof name === 'string' && isTempName(name));
  const after = typeof value['after'] === 'string' ? { after: value['after'] } : {};
  const before = value['before'] === null ? null : asRecord(value['before'], path);
  const known = { path, temps, ...after, ...(before === undefined ? {} : { before }) };
  if (restore === undefined) return { kind: 'write', id, time, entry: known };
  const { backup, sha256 } = (restore ?? {}) as { readonly backup?: unknown; readonly sha256?: unknown };
  if (typeof backup !== 'string' || typeof sha256 !== 'string') return undefined;
  return { kind: 'write', id, time, entry: { ...known, restore: { backup, sha256 } } };
}
