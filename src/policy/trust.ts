/** Which folders the user trusts to bring their own rules and settings: one small file in our own state. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeAtomically } from './rules-file.js';

interface TrustFile {
  readonly folders: Readonly<Record<string, unknown>>;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Is exactly this folder trusted? A broken or missing file trusts nothing. */
export function isTrusted(stateDir: string, folder: string): boolean {
  return Object.hasOwn(readTrust(stateDir).folders, realFolder(folder));
}

/** The folders that are trusted, sorted. */
export function trustedFolders(stateDir: string): readonly string[] {
  return Object.keys(readTrust(stateDir).folders).sort();
}

/** Records a folder as trusted; `time` in milliseconds since 1970. Throws errno errors. */
export function trustFolder(stateDir: string, folder: string, time: number): void {
  const { folders, rest } = readTrust(stateDir);
  save(stateDir, { ...rest, folders: { ...folders, [realFolder(folder)]: { trusted: time } } });
}

/** Takes trust back; false when the folder had none. Throws errno errors. */
export function distrustFolder(stateDir: string, folder: string): boolean {
  const { folders, rest } = readTrust(stateDir);
  const name = realFolder(folder);
  if (!Object.hasOwn(folders, name)) return false;
  save(stateDir, { ...rest, folders: Object.fromEntries(Object.entries(folders).filter(([key]) => key !== name)) });
  return true;
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
