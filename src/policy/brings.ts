/** What a folder brings that could widen what is allowed: its own rules, settings, programs and prompts. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../base/sensitive-paths.js';
import { agentsBrought, type BroughtPrompt, type SealFault, skillsBrought } from './brought-prompts.js';

export type BroughtKind =
  | 'policy'
  | 'config'
  | 'env'
  | 'hooks'
  | 'mcp'
  | 'plugin'
  | 'agent'
  | 'skill'
  | 'command'
  /** A language server of the folder's packages, or a file by which one from elsewhere builds the project. */
  | 'language-server';

export interface Brought {
  readonly kind: BroughtKind;
  /** Within the folder, with `/`. */
  readonly path: string;
  /** SHA-256 hex of its bytes, of a skill package of all its files; undefined for what is not pinned or cannot be read. */
  readonly sha256?: string;
  /** Its kind counts only by its hash; false for commands and language servers. */
  readonly pinned: boolean;
  /** Of agents and skills: why there is no hash. */
  readonly fault?: SealFault;
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
  ['.chatcli/commands', 'command'],
  ['.claude/commands', 'command'],
];

const PINNED: ReadonlySet<BroughtKind> = new Set(['policy', 'config', 'env', 'hooks', 'mcp', 'plugin']);

/** Language servers that packages of the folder may bring; they run in trusted folders only. */
export const SERVER_PROGRAMS: readonly string[] = [
  'tsc',
  'typescript-language-server',
  'pyright-langserver',
  'basedpyright-langserver',
  'intelephense',
  'bash-language-server',
  'yaml-language-server',
  'vscode-json-language-server',
  'vscode-css-language-server',
  'vscode-html-language-server',
];
const PROGRAMS = 'node_modules/.bin';

/** Files that tell language servers what to run: toolchains, build scripts, plugins. */
export const BUILD_FILES: readonly string[] = [
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'Gemfile',
  '.solargraph.yml',
  'global.json',
  'Directory.Build.props',
  'composer.json',
  '.luarc.json',
  '.luarc.jsonc',
  'build.zig',
  'pubspec.yaml',
  'mix.exs',
  'Package.swift',
  'build.sbt',
  'build.sc',
  'project.scala',
];

export interface BringsOptions {
  /** Further files of the folder: a `.env` under another name. */
  readonly more?: readonly string[];
  /** Folder of our own state: what lies there is the user's, also where the folder is the home folder. */
  readonly state?: string;
  /** The user's home folder: where it is the folder, its agents and skills are the user's. */
  readonly home?: string;
}

/** Lists it, files first, then folders' entries by name. Never throws. */
export function whatItBrings(folder: string, options: BringsOptions = {}): readonly Brought[] {
  const files = [...FILES, ...(options.more ?? []).map((path) => [path, 'env'] as const)];
  const single = files.flatMap(([path, kind]) => (exists(join(folder, path)) ? [brought(folder, path, kind)] : []));
  const listed = FOLDERS.flatMap(([dir, kind]) =>
    namesIn(join(folder, dir)).map((name) => brought(folder, `${dir}/${name}`, kind)),
  );
  const prompts = isHome(folder, options.home) ? [] : promptsOf(folder);
  const servers = serversOf(folder).map((path) => ({ kind: 'language-server', path, pinned: false }) as const);
  const state = options.state === undefined ? undefined : realOf(options.state);
  const isOwn = (path: string) => state !== undefined && isWithin(realOf(join(folder, path)) ?? '', state);
  return [...single, ...listed, ...prompts, ...servers].filter(({ path }) => !isOwn(path));
}

function promptsOf(folder: string): Brought[] {
  const as = (kind: 'agent' | 'skill') => (one: BroughtPrompt) => ({ ...one, kind, pinned: true });
  return [...agentsBrought(folder).map(as('agent')), ...skillsBrought(folder).map(as('skill'))];
}

function isHome(folder: string, home: string | undefined): boolean {
  return home !== undefined && (realOf(folder) ?? folder) === (realOf(home) ?? home);
}

function serversOf(folder: string): string[] {
  const programs = SERVER_PROGRAMS.filter((name) => exists(join(folder, PROGRAMS, name)) && (name !== 'tsc' || isServer(folder)));
  const builds = BUILD_FILES.filter((name) => exists(join(folder, name)));
  return [...programs.map((name) => `${PROGRAMS}/${name}`), ...builds];
}

/** The compiler of TypeScript is a server since version 7. */
function isServer(folder: string): boolean {
  try {
    const text = readFileSync(join(folder, 'node_modules/typescript/package.json'), 'utf8');
    return Number.parseInt(String((JSON.parse(text) as { version?: unknown }).version), 10) >= 7;
  } catch {
    return false;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function brought(folder: string, path: string, kind: BroughtKind): Brought {
  const pinned = PINNED.has(kind);
  const sha256 = pinned ? hashOfFile(join(folder, path)) : undefined;
  return { kind, path, pinned, ...(sha256 === undefined ? {} : { sha256 }) };
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
