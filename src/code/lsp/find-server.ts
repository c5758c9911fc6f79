/** Finds the server for a file: by the operator's variable, in the project's own packages, in PATH. Never through a shell. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { splitWords } from '../../base/words-split.js';
import { which } from '../../process/which.js';
import { languageOf, SERVER_KINDS, type ServerKind } from './servers.js';

/** What decides which program may be a server. */
export interface FindOptions {
  /** Real paths of the workspace. */
  readonly roots: readonly string[];
  /** The folder's own programs may run. */
  readonly trusted: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Variable -> command line, the operator's own; `off` switches the servers of a language off. */
  readonly commands: Readonly<Record<string, string>>;
}

export interface FoundServer {
  readonly kind: ServerKind;
  readonly language: string;
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Folder it works on. */
  readonly root: string;
  /** TypeScript it must use; set where the project's own must not run. */
  readonly tsserver?: string;
}

/** Why there is none: one English sentence. `known`: the language is one that servers exist for. */
export interface NoServer {
  readonly known: boolean;
  readonly reason: string;
}

const OFF = /^(0|false|off|no|none)$/i;
/** TypeScript that is a server itself. */
const NATIVE_TYPESCRIPT = 7;

/** `path` is a real path. Looks at the disk; never throws. */
export function findServer(path: string, options: FindOptions): FoundServer | NoServer {
  const name = basename(path);
  const kinds = SERVER_KINDS.filter((kind) => languageOf(kind, name) !== undefined);
  const [first] = kinds;
  if (first === undefined) return { known: false, reason: `no language server is known for ${name}` };
  const line = (options.commands[first.variable] ?? '').trim();
  if (OFF.test(line)) return { known: true, reason: `language servers for it are switched off by ${first.variable}` };
  if (line !== '') return named(line, { kind: first, path }, options);
  const refused: string[] = [];
  for (const place of ['project', 'system'] as const) {
    for (const kind of kinds) {
      const found = installed(kind, { path, place, refused }, options);
      if (found !== undefined) return found;
    }
  }
  return { known: true, reason: missingText(kinds, refused) };
}

/** What of the environment's PATH a server gets: no relative folders, and none of the workspace unless it is trusted. */
export function serverPath({ env, roots, trusted }: FindOptions): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.filter((folder) => trusted || !isInside(realOf(folder), roots)).join(delimiter);
}

function named(line: string, { kind, path }: { kind: ServerKind; path: string }, options: FindOptions): FoundServer | NoServer {
  const split = splitWords(line);
  const [program, ...args] = split.ok ? split.words.map((word) => word.text) : [];
  if (program === undefined)
    return { known: true, reason: `${kind.variable} cannot be read: ${split.ok ? 'it is empty' : split.message}` };
  const file = isAbsolute(program) ? program : which(program, { ...options.env, PATH: serverPath(options) });
  if (file === undefined || !existsSync(file))
    return { known: true, reason: `${kind.variable} names ${program}, which is not an absolute path of a file and not in PATH` };
  const language = languageOf(kind, basename(path)) ?? 'plaintext';
  // It may be any of the language's servers, or another: the settings of one we know go with its program's name.
  const known = SERVER_KINDS.find((each) => each.variable === kind.variable && each.command[0] === basename(program)) ?? kind;
  return { kind: known, language, file, args, root: rootOf(known, path, options.roots) };
}

interface Look {
  readonly path: string;
  readonly place: 'project' | 'system';
  /** Gets what is there but must not be used. */
  readonly refused: string[];
}

function installed(kind: ServerKind, { path, place, refused }: Look, options: FindOptions): FoundServer | undefined {
  const [program = '', ...args] = kind.command;
  const root = rootOf(kind, path, options.roots);
  if (kind.needs !== undefined && !kind.needs.some((file) => existsSync(join(root, file)))) return undefined;
  const file = place === 'project' ? inPackages(program, kind, path, options) : inPath(program, options);
  if (file === undefined || !isRight(kind, file)) return undefined;
  const name = basename(path);
  if (place === 'project' && !options.trusted) {
    refused.push(`${program} is in node_modules of this folder, which is not trusted, so it is not run`);
    return undefined;
  }
  if (kind.runsProject && !options.trusted) {
    refused.push(`${program} would run code of this folder, which is not trusted`);
    return undefined;
  }
  const found = { kind, language: languageOf(kind, name) ?? 'plaintext', file, args, root };
  if (kind.name !== 'typescript-language-server' || options.trusted) return found;
  const tsserver = ownTypescript(file);
  if (tsserver !== undefined && !isInside(tsserver, options.roots)) return { ...found, tsserver };
  refused.push(`${program} would run the TypeScript of this folder, which is not trusted; install typescript beside it`);
  return undefined;
}

function inPackages(program: string, kind: ServerKind, path: string, { roots }: FindOptions): string | undefined {
  if (kind.npm !== true || process.platform === 'win32') return undefined;
  return foldersUp(path, roots)
    .map((folder) => join(folder, 'node_modules', '.bin', program))
    .find((file) => existsSync(file));
}

function inPath(program: string, options: FindOptions): string | undefined {
  const file = which(program, { ...options.env, PATH: serverPath(options) });
  if (file === undefined || (!options.trusted && isInside(realOf(file), options.roots))) return undefined;
  return file;
}

/** `tsc` is a server only since it is native; older ones do not know the option. */
function isRight(kind: ServerKind, file: string): boolean {
  if (kind.name !== 'tsc --lsp') return true;
  try {
    const manifest = join(dirname(dirname(realpathSync(file))), 'package.json');
    const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown; version?: unknown };
    return name === 'typescript' && typeof version === 'string' && Number.parseInt(version, 10) >= NATIVE_TYPESCRIPT;
  } catch {
    return false;
  }
}

/** The TypeScript that is installed with the server. */
function ownTypescript(file: string): string | undefined {
  try {
    return realpathSync(createRequire(realpathSync(file)).resolve('typescript/lib/tsserver.js'));
  } catch {
    return undefined;
  }
}

/** The folders from that of a file up to the workspace folder it lies in, nearest first. */
function foldersUp(path: string, roots: readonly string[]): string[] {
  const root = workspaceOf(path, roots);
  if (root === undefined) return [dirname(path)];
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === root || folder === dirname(folder)) return folders;
  }
}

function rootOf(kind: ServerKind, path: string, roots: readonly string[]): string {
  const folders = foldersUp(path, roots);
  const top = folders.at(-1) ?? dirname(path);
  if (kind.root === 'workspace') return top;
  const marked = folders.filter((folder) => kind.markers.some((marker) => existsSync(join(folder, marker))));
  return (kind.root === 'nearest' ? marked[0] : marked.at(-1)) ?? top;
}

function workspaceOf(path: string, roots: readonly string[]): string | undefined {
  return roots.filter((root) => isBelow(path, root)).sort((a, b) => b.length - a.length)[0];
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
const isInside = (path: string, roots: readonly string[]): boolean => roots.some((root) => isBelow(path, root));

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function missingText(kinds: readonly ServerKind[], refused: readonly string[]): string {
  const [first] = kinds as [ServerKind];
  if (refused.length > 0) return `${[...new Set(refused)].join('; ')}. Only the user can trust the folder or install one`;
  const names = kinds.map((kind) => kind.name).join(', ');
  return `no language server is installed for it (${names}). To get one: ${first.install}; or name one in ${first.variable}`;
}
