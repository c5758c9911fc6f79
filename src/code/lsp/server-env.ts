/** The surroundings a server starts in; in an untrusted folder nothing of them leads into it. */
import { realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, parse, sep } from 'node:path';

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

/** Programs that stand for others and choose by files of the folder they run in (`rust-toolchain.toml`, `.tool-versions`). */
const SWITCHES: ReadonlySet<string> = new Set(['rustup', 'rustup-init', 'volta-shim', 'volta', 'mise', 'asdf', 'proto-shim']);
/** Lists of folders in which programs look for code. */
const FOLDER_LISTS = /(PATH|LIB)$/;
/** Nothing is fetched or compiled because a folder asks for it. */
const CAUTIOUS_ENV = { GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOPROXY: 'off', GOVCS: '*:off' } as const;

/** Is it a switch between versions, whatever name it is called by? */
export function isSwitch(file: string): boolean {
  const real = basename(realOf(file)).replace(/\.(exe|cmd)$/i, '');
  return SWITCHES.has(real) || /[\\/]shims[\\/][^\\/]+$/.test(file);
}

/** What of the environment's PATH a server gets: no relative folders, and none of the workspace unless it is trusted. */
export function serverPath({ env, roots, trusted }: FindOptions): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  if (trusted) return folders.join(delimiter);
  return folders.filter((folder) => !isInside(realOf(folder), roots) && basename(folder) !== 'shims').join(delimiter);
}

/** Environment of a server. In an untrusted folder no variable names it, and lists of folders hold absolute ones only. */
export function serverEnv(options: FindOptions): Record<string, string> {
  const { env, roots, trusted } = options;
  const PATH = serverPath(options);
  if (trusted) return { ...env, PATH };
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (name === 'HOME' || name === 'PWD') kept[name] = value;
    else if (FOLDER_LISTS.test(name)) {
      const folders = value.split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(realOf(folder), roots));
      if (folders.length > 0) kept[name] = folders.join(delimiter);
    } else if (!roots.some((root) => value.includes(root))) kept[name] = value;
  }
  return { ...kept, ...CAUTIOUS_ENV, PATH };
}

/** The folder a server is started in. Switches between versions and careless programs look there for what to run. */
export function startFolder(root: string, trusted: boolean): string {
  return trusted ? root : parse(root).root;
}

/** Does a real path lie in one of these folders? */
export const isInside = (path: string, roots: readonly string[]): boolean => roots.some((root) => isBelow(path, root));

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The path behind links; as given when there is none. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
