/** What a folder brings that could widen what is allowed: its own rules, settings, programs and prompts. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type BroughtKind = 'policy' | 'config' | 'env' | 'hooks' | 'mcp' | 'plugin' | 'agent' | 'skill' | 'command';

export interface Brought {
  readonly kind: BroughtKind;
  /** Within the folder, with `/`. */
  readonly path: string;
  /** SHA-256 hex of its bytes; undefined for what is not pinned (prompts) or cannot be read. */
  readonly sha256?: string;
}

/** Larger files are listed without a hash, so they never count. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ENTRIES = 500;

const FILES: readonly (readonly [string, BroughtKind])[] = [
  ['coder_policy.json', 'policy'],
  ['.chatcli/coder_policy.json', 'policy'],
  ['.chatcli/config.json', 'config'],
  ['.env', 'env'],
  ['.chatcli/hooks.json', 'hooks'],
  ['.mcp.json', 'mcp'],
  ['.chatcli/mcp.json', 'mcp'],
  ['.chatcli/mcp_servers.json', 'mcp'],
];

const FOLDERS: readonly (readonly [string, BroughtKind])[] = [
  ['.chatcli/plugins', 'plugin'],
  ['.chatcli/hooks', 'hooks'],
  ['.chatcli/agents', 'agent'],
  ['.claude/agents', 'agent'],
  ['.chatcli/skills', 'skill'],
  ['.claude/skills', 'skill'],
  ['.agents/skills', 'skill'],
  ['.chatcli/commands', 'command'],
  ['.claude/commands', 'command'],
];

const PINNED: ReadonlySet<BroughtKind> = new Set(['policy', 'config', 'env', 'hooks', 'mcp', 'plugin']);

/** Lists it, files first, then folders' entries by name. `more` names further files of the folder (a `.env` under another name). */
export function whatItBrings(folder: string, more: readonly string[] = []): readonly Brought[] {
  const files = [...FILES, ...more.map((path) => [path, 'env'] as const)];
  const single = files.flatMap(([path, kind]) => (exists(join(folder, path)) ? [brought(folder, path, kind)] : []));
  const listed = FOLDERS.flatMap(([dir, kind]) =>
    namesIn(join(folder, dir)).map((name) => brought(folder, `${dir}/${name}`, kind)),
  );
  return [...single, ...listed];
}

function brought(folder: string, path: string, kind: BroughtKind): Brought {
  const sha256 = PINNED.has(kind) ? hashOfFile(join(folder, path)) : undefined;
  return sha256 === undefined ? { kind, path } : { kind, path, sha256 };
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).sort().slice(0, MOST_ENTRIES);
  } catch {
    return [];
  }
}

/** Undefined for anything but a regular file of reasonable size; never waits on a pipe. */
function hashOfFile(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= MOST_BYTES ? createHash('sha256').update(readFileSync(fd)).digest('hex') : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
