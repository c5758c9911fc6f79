/** Which folders the user trusts to bring their own rules and settings, with the hashes of what they brought then. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Brought } from './brings.js';
import { whileLocked, writeAtomically } from './small-write.js';

/** What a folder's files may do: `pins` are SHA-256 hex by path within the folder; a file that is not pinned counts for nothing. */
export interface FolderTrust {
  /** True: given for one run (`--trust`), to what the folder brought when the run began. */
  readonly forRun: boolean;
  readonly pins: Readonly<Record<string, string>>;
}

export const NO_TRUST: FolderTrust = { forRun: false, pins: {} };

/** Trust for one run in what the folder brings now; what changes during the run no longer counts. */
export function trustForRun(brought: readonly Brought[]): FolderTrust {
  return { forRun: true, pins: pinsOf(brought) };
}

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
  return Object.hasOwn(trust.pins, path) && trust.pins[path] === hashOf(bytes);
}

/** Was the folder's file trusted with other bytes? Then it is news that it does not count. */
export function wasPinned(trust: FolderTrust, path: string): boolean {
  return Object.hasOwn(trust.pins, path);
}

/** The trust recorded for exactly this folder. A broken or missing file trusts nothing. */
export function trustOf(stateDir: string, folder: string): FolderTrust {
  const record = trustRecord(stateDir, folder);
  return record?.answer === 'trusted' ? { forRun: false, pins: record.pins } : NO_TRUST;
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
  whileLocked(trustPath(stateDir), () => {
    setAsideBroken(trustPath(stateDir));
    const { folders, rest } = readTrust(stateDir);
    const record = { [answer]: time, files: pinsOf(brought) };
    save(stateDir, { ...rest, folders: { ...folders, [realFolder(folder)]: record } });
  });
}

/** Takes trust back; false when the folder had none. Throws errno errors. */
export function distrustFolder(stateDir: string, folder: string): boolean {
  if (trustRecord(stateDir, folder) === undefined) return false;
  return whileLocked(trustPath(stateDir), () => {
    const { folders, rest } = readTrust(stateDir);
    const name = realFolder(folder);
    const kept = Object.fromEntries(Object.entries(folders).filter(([key]) => key !== name));
    save(stateDir, { ...rest, folders: kept });
    return asRecord(folders[name])?.answer === 'trusted';
  });
}

/** Another part of the trust store, by name, as it is written there; undefined: nothing is. Never throws. */
export function trustPart(stateDir: string, name: string): unknown {
  const { rest } = readTrust(stateDir);
  return Object.hasOwn(rest, name) ? rest[name] : undefined;
}

/** Replaces another part of the trust store by what `change` makes of it, one writer at a time. Throws errno errors. */
export function changeTrustPart(stateDir: string, name: string, change: (now: unknown) => unknown): void {
  whileLocked(trustPath(stateDir), () => {
    setAsideBroken(trustPath(stateDir));
    const { folders, rest } = readTrust(stateDir);
    save(stateDir, { folders, ...rest, [name]: change(Object.hasOwn(rest, name) ? rest[name] : undefined) });
  });
}

function pinsOf(brought: readonly Brought[]): Record<string, string> {
  return Object.fromEntries(brought.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [[path, sha256]])));
}

/** A file that cannot be read trusts nothing; before it is written anew its bytes are kept beside it. */
function setAsideBroken(path: string): void {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  } catch (error) {
    if ((error as { code?: unknown }).code !== undefined) return;
  }
  renameSync(path, `${path}.broken`);
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
