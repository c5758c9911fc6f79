/** Agents and skills a folder brings, each with one hash over all of its bytes; what a link leads to is never read. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_WALK, filesBelow } from '../base/files-below.js';
import { readRegular } from '../base/read-regular.js';
import { isWithin } from '../base/sensitive-paths.js';

export const AGENT_FOLDERS: readonly string[] = ['.chatcli/agents', '.agent/agents', '.claude/agents', '.agents/agents'];
export const SKILL_FOLDERS: readonly string[] = ['.chatcli/skills', '.agent/skills', '.claude/skills', '.agents/skills'];

/** Why there is no hash: a link (in it), too many files or bytes, or it cannot be read. */
export type SealFault = 'link' | 'large' | 'unreadable';

/** All bytes of a file or a skill package, as they are now. */
export type Seal =
  | { readonly sha256: string; readonly files: ReadonlyMap<string, string>; readonly bytes: number }
  | { readonly fault: SealFault };

export interface BroughtPrompt {
  /** Within the folder, with `/`. */
  readonly path: string;
  readonly sha256?: string;
  readonly fault?: SealFault;
}

/** Of one package. */
export const MOST_FILES = 500;
export const MOST_BYTES = 20 * 1024 * 1024;
const LARGEST_AGENT = 256 * 1024;
const MOST_ENTRIES = 500;
/** Of all a folder brings, so that a hostile one costs little. */
const ALL_BYTES = 64 * 1024 * 1024;

/** The agents of a folder, sub-folders included. Never throws. */
export function agentsBrought(folder: string): readonly BroughtPrompt[] {
  return AGENT_FOLDERS.flatMap((dir) => {
    if (leadsOut(folder, dir)) return [{ path: dir, fault: 'link' as const }];
    const { files, odd } = filesBelow(join(folder, dir), AGENT_WALK);
    const names = [...files, ...odd].filter((name) => /\.md$/i.test(name)).sort();
    return names.slice(0, MOST_ENTRIES).map((name) => withSeal(folder, `${dir}/${name}`, LARGEST_AGENT));
  });
}

/** The skills of a folder: packages, and single Markdown files. Never throws. */
export function skillsBrought(folder: string): readonly BroughtPrompt[] {
  let left = ALL_BYTES;
  return SKILL_FOLDERS.flatMap((dir) => {
    if (leadsOut(folder, dir)) return [{ path: dir, fault: 'link' as const }];
    const names = namesIn(join(folder, dir)).filter((name) => isSkill(join(folder, dir, name)));
    return names.slice(0, MOST_ENTRIES).map((name) => {
      const path = `${dir}/${name}`;
      const seal = sealOf(join(folder, path), Math.min(MOST_BYTES, left));
      if ('fault' in seal) return { path, fault: seal.fault };
      left -= seal.bytes;
      return { path, sha256: seal.sha256 };
    });
  });
}

/**
 * One hash over the file, or over the names and bytes of every file of the folder; `files` are their hashes by path from it
 * (of a single file: `''`). Never throws, never follows a link.
 */
export function sealOf(path: string, mostBytes: number = MOST_BYTES): Seal {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return { fault: 'link' };
    if (!stat.isDirectory()) {
      const bytes = readRegular(path, mostBytes);
      const sha256 = hashOf(bytes);
      return { sha256, files: new Map([['', sha256]]), bytes: bytes.length };
    }
    return sealFolder(path, mostBytes);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    return { fault: code === 'EFBIG' ? 'large' : 'unreadable' };
  }
}

function sealFolder(path: string, mostBytes: number): Seal {
  const { files, odd, cut } = filesBelow(path, { most: MOST_FILES, deep: 12 });
  if (odd.length > 0) return { fault: 'link' };
  if (cut) return { fault: 'large' };
  const hashes = new Map<string, string>();
  let bytes = 0;
  for (const name of files) {
    const content = readRegular(join(path, name), mostBytes - bytes);
    bytes += content.length;
    hashes.set(name, hashOf(content));
  }
  return { sha256: hashOf(`package\n${JSON.stringify([...hashes])}`), files: hashes, bytes };
}

/** The SHA-256 by which sealed bytes are known, hex. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function withSeal(folder: string, path: string, mostBytes: number): BroughtPrompt {
  const seal = sealOf(join(folder, path), mostBytes);
  return 'fault' in seal ? { path, fault: seal.fault } : { path, sha256: seal.sha256 };
}

/** A folder of agents or skills that lies elsewhere, by a link, is not the folder's own. */
function leadsOut(folder: string, dir: string): boolean {
  try {
    return !isWithin(realpathSync(join(folder, dir)), realpathSync(folder));
  } catch {
    return false;
  }
}

function isSkill(path: string): boolean {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return true;
    return stat.isDirectory() ? namesIn(path).some((name) => name.toLowerCase() === 'skill.md') : /\.md$/i.test(path);
  } catch {
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch {
    return [];
  }
}
