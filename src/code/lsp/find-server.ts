/** Finds the server for a file: by the operator's variable, in the project's own packages, in PATH. Never through a shell. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { splitWords } from '../../base/words-split.js';
import { which } from '../../process/which.js';
import { doubtAbout, knownIn, nameOf } from './named-server.js';
import { type FindOptions, isBelow, isInside, isSwitch, realOf, serverPath, startFolder } from './server-env.js';
import { languageOf, SERVER_KINDS, type ServerKind } from './servers.js';

export interface FoundServer {
  readonly kind: ServerKind;
  /** How messages call it. */
  readonly name: string;
  readonly language: string;
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Folder it works on. */
  readonly root: string;
  /** Folder it is started in: not the root where that is not trusted. */
  readonly cwd: string;
  /** TypeScript it must use; set where the project's own must not run. */
  readonly tsserver?: string;
}

/** Why there is none: one English sentence. `known`: the language is one that servers exist for. */
export interface NoServer {
  readonly known: boolean;
  readonly reason: string;
  /** Name of one that is there and waits for trust. */
  readonly waiting?: string;
  /** The variable of the language names what cannot be used. */
  readonly misnamed?: true;
}

/** One that is there but must not be used: `why` follows its name. */
interface Refusal {
  readonly program: string;
  readonly why: string;
}

const OFF = /^(0|false|off|no|none)$/i;
const ONLY_USER = 'Only the user can trust the folder or install one';
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
  const refused: Refusal[] = [];
  for (const place of ['project', 'system'] as const) {
    for (const kind of kinds) {
      const found = installed(kind, { path, place, refused }, options);
      if (found !== undefined) return found;
    }
  }
  return missing(kinds, refused);
}

function named(line: string, { kind, path }: { kind: ServerKind; path: string }, options: FindOptions): FoundServer | NoServer {
  const { variable } = kind;
  const split = splitWords(line);
  const words = split.ok ? split.words.map((word) => word.text) : [];
  const [program, ...args] = words;
  if (program === undefined)
    return { known: true, misnamed: true, reason: `${variable} cannot be read: ${split.ok ? 'it is empty' : split.message}` };
  const file = isAbsolute(program) ? program : which(program, { ...options.env, PATH: serverPath(options) });
  if (file === undefined || !existsSync(file))
    return {
      known: true,
      misnamed: true,
      reason: `${variable} names ${program}, which is not an absolute path of a file and not in PATH`,
    };
  const language = languageOf(kind, basename(path)) ?? 'plaintext';
  // It may be any of the language's servers, or another: the settings of one we know go with its program's name.
  const found = knownIn(words, variable);
  const known = found?.kind ?? unknownKind(kind, nameOf(words));
  const root = rootOf(known, path, options.roots);
  const cwd = startFolder(root, options.trusted);
  const server = { kind: known, name: known.name, language, file, args: [...args, ...cautious(known, options)], root, cwd };
  if (options.trusted) return server;
  const doubt = doubtAbout([file, ...args], kind, options) ?? (isSwitch(file) ? `${program} ${SWITCHED}` : undefined);
  if (doubt !== undefined)
    return { known: true, reason: `${variable} names a server, but ${doubt}. ${ONLY_USER}`, waiting: known.name };
  const refused: Refusal[] = [];
  const script = found !== undefined && isAbsolute(found.word) ? found.word : file;
  return withOwnTypescript(server, { script, refused, options }) ?? missing([known], refused);
}

const cautious = ({ cautiousArgs = [] }: ServerKind, { trusted }: FindOptions): readonly string[] =>
  trusted ? [] : cautiousArgs;

/** A server of the operator's that is none of ours: for the same files, with no settings. */
function unknownKind({ variable, languages, markers, root, runsProject, install }: ServerKind, name: string): ServerKind {
  return { name, command: [name], variable, languages, markers, root, runsProject, install };
}

interface Look {
  readonly path: string;
  readonly place: 'project' | 'system';
  /** Gets what is there but must not be used. */
  readonly refused: Refusal[];
}

function installed(kind: ServerKind, { path, place, refused }: Look, options: FindOptions): FoundServer | undefined {
  const [program = '', ...args] = kind.command;
  const root = rootOf(kind, path, options.roots);
  if (kind.needs !== undefined && !kind.needs.some((file) => existsSync(join(root, file)))) return undefined;
  const name = basename(path);
  const at = place === 'project' ? inPackages(kind, path, options) : inPath(program, options, refused);
  if (at === undefined || (place === 'system' && !isRight(kind, at.file))) return undefined;
  if (place === 'project' && !options.trusted) {
    refused.push({ program, why: 'is in node_modules of this folder, which is not trusted, so it is not run' });
    return undefined;
  }
  if (kind.runsProject && !options.trusted) {
    refused.push({ program, why: 'may run code of this folder, which is not trusted' });
    return undefined;
  }
  const language = languageOf(kind, name) ?? 'plaintext';
  const cwd = startFolder(root, options.trusted);
  const found = {
    kind,
    name: kind.name,
    language,
    file: at.file,
    args: [...at.args, ...args, ...cautious(kind, options)],
    root,
    cwd,
  };
  return withOwnTypescript(found, { script: at.file, refused, options });
}

interface OwnTypescript {
  /** The server's own file, beside which its TypeScript is installed. */
  readonly script: string;
  readonly refused: Refusal[];
  readonly options: FindOptions;
}

/** In an untrusted folder typescript-language-server gets a TypeScript from elsewhere, or is not used. */
function withOwnTypescript(found: FoundServer, { script, refused, options }: OwnTypescript): FoundServer | undefined {
  if (found.kind.name !== 'typescript-language-server' || options.trusted) return found;
  const tsserver = ownTypescript(script);
  if (tsserver !== undefined && !isInside(tsserver, options.roots)) return { ...found, tsserver };
  const why = 'would run the TypeScript of this folder, which is not trusted; install typescript beside it';
  refused.push({ program: found.name, why });
  return undefined;
}

interface Program {
  readonly file: string;
  /** What comes before the arguments of the server. */
  readonly args: readonly string[];
}

function inPackages(kind: ServerKind, path: string, { roots }: FindOptions): Program | undefined {
  if (kind.npm !== true || process.platform === 'win32') return undefined;
  for (const folder of foldersUp(path, roots)) {
    const file = join(folder, 'node_modules', '.bin', kind.command[0] ?? '');
    if (!existsSync(file)) continue;
    if (isRight(kind, file)) return { file, args: [] };
    // Some package managers put a script there that starts the package's own.
    const script = join(folder, 'node_modules/typescript/bin/tsc');
    if (existsSync(script) && isRight(kind, script)) return { file: process.execPath, args: [script] };
  }
  return undefined;
}

function inPath(program: string, options: FindOptions, refused: Refusal[]): Program | undefined {
  const file = which(program, { ...options.env, PATH: serverPath(options) });
  if (options.trusted) return file === undefined ? undefined : { file, args: [] };
  if (file !== undefined && isInside(realOf(file), options.roots)) return undefined;
  const any = file ?? which(program, options.env);
  if (any === undefined || isInside(realOf(any), options.roots)) return undefined;
  if (!isSwitch(any)) return file === undefined ? undefined : { file, args: [] };
  refused.push({ program, why: SWITCHED });
  return undefined;
}

const SWITCHED = 'is started by a version manager, which follows files of this folder, which is not trusted';

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

function missing(kinds: readonly ServerKind[], refused: readonly Refusal[]): NoServer {
  const [first] = kinds as [ServerKind];
  const [waiting] = refused;
  if (waiting !== undefined) {
    const why = [...new Set(refused.map((each) => `${each.program} ${each.why}`))].join('; ');
    return { known: true, reason: `${why}. ${ONLY_USER}`, waiting: waiting.program };
  }
  const names = kinds.map((kind) => kind.name).join(', ');
  const reason = `no language server is installed for it (${names}). To get one: ${first.install}; or name one in ${first.variable}`;
  return { known: true, reason };
}
