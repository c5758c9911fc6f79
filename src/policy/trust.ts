/** Which folders the user trusts to bring their own rules and settings, with the hashes of what they brought then. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Brought } from './brings.js';
import { writeAtomically } from './rules-file.js';

/** What a folder's files may do: `pins` are SHA-256 hex by path within the folder; a file that is not pinned counts for nothing. */
export interface FolderTrust {
  /** True: whatever the folder brings counts (`--trust`, for one run). */
  readonly whole: boolean;
  readonly pins: Readonly<Record<string, string>>;
}

export const NO_TRUST: FolderTrust = { whole: false, pins: {} };
export const WHOLE_TRUST: FolderTrust = { whole: true, pins: {} };

interface TrustFile {
  readonly folders: Readonly<Record<string, unknown>>;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** What the user said about a folder, and about which files; undefined when never asked. */
export interface TrustRecord {
  readonly answer: 'trusted' | 'declined';
  readonly pins: Readonly<Record<string, string>>;
}

/** May these bytes of the folder's own file count? `path` is relative to the folder, with `/`. */
export function accepts(trust: FolderTrust, path: string, bytes: Uint8Array | string): boolean {
  if (trust.whole) return true;
  return Object.hasOwn(trust.pins, path) && trust.pins[path] === hashOf(bytes);
}

/** The trust recorded for exactly this folder. A broken or missing file trusts nothing. */
export function trustOf(stateDir: string, folder: string): FolderTrust {
  const record = trustRecord(stateDir, folder);
  return record?.answer === 'trusted' ? { whole: false, pins: record.pins } : NO_TRUST;
}

export function trustRecord(stateDir: string, folder: string): TrustRecord | undefined {
  const { folders } = readTrust(stateDir);
  const name = realFolder(folder);
  return Object.hasOwn(folders, name) ? asRecord(folders[name]) : undefined;
}

/** The folders that are trusted, sorted. */
export function trustedFolders(stateDir: string): readonly string[] {
  return Object.entries(readTrust(stateDir).folders)
    .filter(([, value]) => asRecord(value)?.answer === 'trusted')
    .map(([folder]) => folder)
    .sort();
}

/** Records the answer about a folder and what it brings now; `time` in milliseconds since 1970. Throws errno errors. */
export function recordTrust(
  stateDir: string,
  folder: string,
  answer: TrustRecord['answer'],
  brought: readonly Brought[],
  time: number,
): void {
  const { folders, rest } = readTrust(stateDir);
  const files = Object.fromEntries(brought.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [[path, sha256]])));
  save(stateDir, { ...rest, folders: { ...folders, [realFolder(folder)]: { [answer]: time, files } } });
}

/** Takes trust back; false when the folder had none. Throws errno errors. */
export function distrustFolder(stateDir: string, folder: string): boolean {
  const { folders, rest } = readTrust(stateDir);
  const name = realFolder(folder);
  if (!Object.hasOwn(folders, name)) return false;
  save(stateDir, { ...rest, folders: Object.fromEntries(Object.entries(folders).filter(([key]) => key !== name)) });
  return asRecord(folders[name])?.answer === 'trusted';
}

function asRecord(value: unknown): TrustRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { trusted, declined, files } = value as { trusted?: unknown; declined?: unknown; files?: unknown };
  const answer = trusted !== undefined ? 'trusted' : declined !== undefined ? 'declined' : undefined;
  if (!answer) return undefined;
  const given = typeof files === 'object' && files !== null && !Array.isArray(files) ? Object.entries(files) : [];
  const pins = Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  return { answer, pins };
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function trustPath(stateDir: string): string {
  return join(stateDir, 'trust.json');
}

function save(stateDir: string, value: unknown): void {
  writeAtomically(trustPath(stateDir), `${JSON.stringify(value, null, 2)}\n`);
}

function readTrust(stateDir: string): TrustFile {
  try {
    const path = trustPath(stateDir);
    if (!statSync(path).isFile()) return { folders: {}, rest: {} };
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return { folders: {}, rest: {} };
    const { folders, ...rest } = value as { folders?: unknown };
    const known =
      typeof folders === 'object' && folders !== null && !Array.isArray(folders) ? (folders as Record<string, unknown>) : {};
    return { folders: known, rest };
  } catch {
    return { folders: {}, rest: {} };
  }
}

/** The folder behind links, so that another name for it means the same. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
