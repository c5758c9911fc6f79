/** What of a home folder a sandbox hides, and what stands there instead so that tools go on working. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PERSONAL_HOME_PATHS } from '../../base/sensitive-paths.js';
import { isBelow, look, stablePath } from './stable-path.js';
import type { PlaceRule } from './types.js';

/**
 * Files that hold settings besides secrets: their tools fail when they cannot be read, or when they are not a document of
 * their kind. In their place stands an empty one. Everything else on the list cannot be opened at all.
 */
const EMPTY_DOCUMENTS: Readonly<Record<string, StubName>> = {
  '.npmrc': 'empty',
  '.yarnrc': 'empty',
  '.yarnrc.yml': 'empty',
  '.pypirc': 'empty',
  '.terraformrc': 'empty',
  '.my.cnf': 'empty',
  '.boto': 'empty',
  '.gradle/gradle.properties': 'empty',
  '.config/pip/pip.conf': 'empty',
  '.docker/config.json': 'json',
  '.config/containers/auth.json': 'json',
  '.composer/auth.json': 'json',
  '.config/composer/auth.json': 'json',
  '.m2/settings.xml': 'maven',
  '.m2/settings-security.xml': 'maven-security',
  '.nuget/NuGet/NuGet.Config': 'nuget',
};

const STUBS = {
  empty: '',
  json: '{}\n',
  maven: '<settings/>\n',
  'maven-security': '<settingsSecurity/>\n',
  nuget: '<?xml version="1.0" encoding="utf-8"?>\n<configuration/>\n',
} as const;

type StubName = keyof typeof STUBS;

/** Folders tools open although a token in the environment is all they need: empty, and what is written there is gone afterwards. */
const EMPTY_FOLDERS: ReadonlySet<string> = new Set([
  '.aws',
  '.azure',
  '.kube',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.config/doctl',
  '.config/heroku',
]);

/** Absolute paths of the documents that stand for hidden files, by name. */
export type Stubs = Readonly<Partial<Record<StubName, string>>>;

/** Writes the documents into a folder commands cannot write. Never throws: without them, hidden files cannot be opened. */
export function makeStubs(folder: string): Stubs {
  const made: Partial<Record<StubName, string>> = {};
  for (const [name, text] of Object.entries(STUBS) as [StubName, string][]) {
    const path = join(folder, `${name}.stub`);
    try {
      if (!holds(path, text)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const draft = `${path}.${process.pid}`;
        writeFileSync(draft, text, { mode: 0o444 });
        renameSync(draft, path);
      }
      made[name] = path;
    } catch {
      // Then the file it stands for cannot be opened, which hides it too.
    }
  }
  return made;
}

function holds(path: string, text: string): boolean {
  try {
    return look(path)?.isFile() === true && readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

/**
 * Rules that hide the personal list of one home folder, as far as it exists. A link on the list hides what it leads to,
 * unless that is the home folder, or one of `kept` (the workspace) itself; what lies above those can be passed through.
 */
export function hidePersonal(home: string, options: { readonly stubs: Stubs; readonly kept: readonly string[] }): PlaceRule[] {
  const rules: PlaceRule[] = [];
  for (const entry of PERSONAL_HOME_PATHS) {
    const place = join(home, entry);
    if (look(place) === undefined) continue;
    const path = stablePath(place, () => false);
    const stat = path === undefined ? undefined : look(path);
    if (path === undefined || stat === undefined) continue;
    if (isBelow(home, path) || options.kept.includes(path)) continue;
    const passable = options.kept.some((folder) => isBelow(folder, path));
    if (!stat.isDirectory())
      rules.push(hideFile(path, options.stubs[EMPTY_DOCUMENTS[entry] ?? 'empty'], entry in EMPTY_DOCUMENTS));
    else if (EMPTY_FOLDERS.has(entry)) rules.push({ kind: 'private', path, mode: '0700' });
    else rules.push({ kind: 'hide-folder', path, passable });
  }
  return rules;
}

function hideFile(path: string, stub: string | undefined, readable: boolean): PlaceRule {
  return stub !== undefined && readable ? { kind: 'hide-file', path, stub } : { kind: 'hide-file', path };
}

/** In a home that is a workspace itself: what is started at login or by the next command is read-only. */
const START_FILES: readonly string[] = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.config/fish',
  '.gitconfig',
  '.config/git',
  '.config/autostart',
  '.config/systemd',
  '.local/bin',
  'bin',
  '.cargo/bin',
  '.cargo/config.toml',
  '.gradle/init.d',
  'go/bin',
  'Library/LaunchAgents',
];

/** Existing start-up files and program folders of a home, as rules that keep them as they are. */
export function keepStartFiles(home: string): PlaceRule[] {
  return START_FILES.map((entry) => join(home, entry))
    .filter((path) => {
      const stat = look(path);
      return stat !== undefined && !stat.isSymbolicLink() && basename(path) !== '';
    })
    .map((path) => ({ kind: 'read', path, pinned: true }) as const);
}
