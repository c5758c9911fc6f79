/** Where package managers and compilers keep what they download: writable in the sandbox, the programs beside it are not. */
import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { which } from '../which.js';
import { look } from './stable-path.js';

/** Below the home folder. Never a folder that holds programs of PATH or settings a tool obeys. */
const HOME_CACHES: readonly string[] = [
  '.cache',
  'Library/Caches',
  '.npm',
  '.node-gyp',
  '.pnpm-store',
  '.local/share/pnpm/store',
  '.local/share/pnpm/.tools',
  '.local/state/pnpm',
  'Library/pnpm/store',
  '.yarn/berry',
  '.yarn-cache',
  '.bun/install/cache',
  'go/pkg',
  '.cargo/registry',
  '.cargo/git',
  '.rustup/downloads',
  '.rustup/tmp',
  '.gradle/caches',
  '.gradle/daemon',
  '.gradle/native',
  '.gradle/notifications',
  '.gradle/workers',
  '.gradle/wrapper',
  '.gradle/jdks',
  '.gradle/kotlin-profile',
  '.gradle/.tmp',
  '.m2/repository',
  '.m2/wrapper',
  '.ivy2/cache',
  '.ivy2/local',
  '.sbt/boot',
  '.konan',
  '.local/share/virtualenvs',
  '.local/share/NuGet',
  '.nuget/packages',
  '.composer/cache',
  '.bundle/cache',
  '.hex/packages',
  '.ccache',
  '.stack/pantry',
  '.cabal/packages',
];

/** Variables that move a cache, and what of their folder is the cache. */
const CACHE_VARIABLES: readonly (readonly [string, readonly string[]])[] = [
  ['XDG_CACHE_HOME', ['']],
  ['npm_config_cache', ['']],
  ['NPM_CONFIG_CACHE', ['']],
  ['YARN_CACHE_FOLDER', ['']],
  ['BUN_INSTALL_CACHE_DIR', ['']],
  ['GOCACHE', ['']],
  ['GOMODCACHE', ['']],
  ['GOPATH', ['pkg']],
  ['CARGO_HOME', ['registry', 'git']],
  ['GRADLE_USER_HOME', ['caches', 'daemon', 'native', 'notifications', 'workers', 'wrapper', '.tmp']],
  ['PIP_CACHE_DIR', ['']],
  ['UV_CACHE_DIR', ['']],
  ['POETRY_CACHE_DIR', ['']],
  ['DENO_DIR', ['']],
  ['NUGET_PACKAGES', ['']],
  ['COMPOSER_CACHE_DIR', ['']],
  ['CCACHE_DIR', ['']],
  ['PLAYWRIGHT_BROWSERS_PATH', ['']],
];

/** What a tool that is installed will want, and could not make itself below a home that is read-only. */
const WANTED: readonly (readonly [string, readonly string[]])[] = [
  ['sh', ['.cache']],
  ['npm', ['.npm']],
  ['go', ['go/pkg']],
  ['cargo', ['.cargo/registry', '.cargo/git']],
  ['mvn', ['.m2/repository']],
  ['gradle', ['.gradle/caches', '.gradle/daemon', '.gradle/native', '.gradle/notifications', '.gradle/workers', '.gradle/.tmp']],
  ['pnpm', ['.local/share/pnpm/store', '.local/state/pnpm']],
  ['yarn', ['.yarn/berry']],
  ['bun', ['.bun/install/cache']],
  ['dotnet', ['.nuget/packages', '.local/share/NuGet']],
];

/** Every place a cache may be at, whether it exists or not: absolute, as named. */
export function cachePlaces(home: string, env: Readonly<Record<string, string>>): string[] {
  const named = CACHE_VARIABLES.flatMap(([variable, parts]) =>
    (env[variable] ?? '')
      .split(variable === 'GOPATH' ? ':' : '\0')
      .filter((folder) => isAbsolute(folder))
      .flatMap((folder) => parts.map((part) => join(folder, part))),
  );
  return [...HOME_CACHES.map((entry) => join(home, entry)), ...named];
}

/**
 * Makes the caches of the tools that are installed, as these tools would do themselves outside. Returns what was made.
 * Never throws: what cannot be made is missing, and the tool says so.
 */
export function makeCaches(home: string, env: Readonly<Record<string, string>>): string[] {
  if (!isAbsolute(home) || home === '/' || look(home)?.isDirectory() !== true) return [];
  const made: string[] = [];
  for (const [program, folders] of WANTED) {
    const missing = folders.map((folder) => join(home, folder)).filter((folder) => look(folder) === undefined);
    if (missing.length === 0 || which(program, env) === undefined) continue;
    for (const folder of missing) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o755 });
        made.push(folder);
      } catch {
        // A home that cannot be written: the tool will meet the same.
      }
    }
  }
  return made;
}
