/** Works out what a command may touch: from the workspace, the machine's folders and the lists of what is private. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { isPythonFolder } from '../safe-path.js';
import { arrange } from './arrange.js';
import { barePlaces, enclosingPlaces, type GitPlaces, repositoryPlaces } from './git-places.js';
import { allPrograms, identityOf } from './git-programs.js';
import { hidePersonal, keepStartFiles, makeStubs, type Stubs } from './hidden-places.js';
import { createScanner, type WorkspaceScan } from './scan-workspace.js';
import { createSecretRules } from './secret-files.js';
import { createSecretMemory } from './secret-memory.js';
import { macSocketPlaces, socketPlaces } from './sockets.js';
import { isBelow, isSystemFolder, look, stablePath } from './stable-path.js';
import { cachePlaces } from './tool-caches.js';
import type { PlaceRule, SandboxBackend, SandboxLevel, SandboxPlan } from './types.js';

/** What does not change while a session lasts. Paths absolute; `roots` real. */
export interface SandboxPlaces {
  readonly roots: readonly string[];
  readonly home: string;
  /** Our own state folder. */
  readonly state: string;
  /** The folder for temporary files this process uses. */
  readonly temp: string;
  readonly uid: number;
  /** Folders that stay readable although they lie in our state: scratch of the session, packages of loaded skills. */
  readonly readable: readonly string[];
  /** Further folders commands may write. */
  readonly writable: readonly string[];
}

export interface PlanRequest extends SandboxPlaces {
  readonly level: SandboxLevel;
  readonly backend: SandboxBackend;
  /** Environment of the command, for what it says about places. */
  readonly env: Readonly<Record<string, string>>;
  /** The workspace is read-only: linters, language servers. */
  readonly readOnly?: boolean;
  /** With `readOnly`: nothing is writable but temporary folders of its own. */
  readonly nothingLasts?: boolean;
  /** False cuts the network; `strict` always does. */
  readonly network?: boolean;
  /** The SSH agent is passed. */
  readonly agent?: boolean;
}

/** Plan, or the reason why there can be none: an English sentence without its full stop. */
export type Planned = { readonly plan: SandboxPlan } | { readonly plan?: undefined; readonly reason: string };

/** Repositories of one workspace whose hooks and settings are kept; the ones nearest to its top. */
const MOST_REPOSITORIES = 100;
const TOP_OF_SYSTEM: ReadonlySet<string> = new Set(
  (
    'bin boot cores dev etc home lib lib32 lib64 libx32 lost+found media nix proc root run sbin snap sys tmp usr var ' +
    'Applications Library Network System Users Volumes private'
  ).split(' '),
);
const LINUX_TEMP = ['/tmp', '/var/tmp'];
const MAC_TEMP = ['/private/tmp', '/private/var/tmp'];

/** A planner that remembers what it saw. One for the life of a sandbox. Looks at the disk at every call; never throws. */
export function createPlanner(scan = createScanner()): (request: PlanRequest) => Promise<Planned> {
  const secretRules = createSecretRules();
  const remember = createSecretMemory();
  let stubs: Stubs | undefined;
  return async (request) => {
    const fault = faultOf(request);
    if (fault !== undefined) return { reason: fault };
    stubs ??= makeStubs(join(request.state, 'cache', 'sandbox'));
    const known = stubs;
    const homes = homesOf(request);
    const home = homes[0] as string;
    // What is gone is left out; what is somewhere else now was refused above.
    const roots = request.roots.flatMap((root) => (root === '/' ? ownTopFolders() : look(root) === undefined ? [] : [root]));
    const open = openPlaces({ ...request, roots }, homes);
    const writable = (place: string) => isOpen(open, place);
    const scans: { root: string; seen: WorkspaceScan }[] = [];
    for (const root of topmost(roots)) scans.push({ root, seen: await scan.inTurns(root) });
    const git = gitPlaces(scans, { roots, home, writable, readOnly: request.readOnly === true });
    const files = scans.flatMap(({ seen }) => seen.secrets);
    const hidden = await secretRules(files, {
      repositories: scans.flatMap(({ root, seen }) => [root, ...seen.repositories.map((entry) => dirname(entry))]),
      env: request.env,
      stub: known.empty,
    });
    const secrets = await remember(hidden, { roots: scans.map(({ root }) => root), files });
    if (secrets === undefined) return { reason: LOST };
    const agent = request.agent === true;
    const temp = open.filter((rule) => rule.temp).map((rule) => rule.path);
    const sockets =
      request.backend.kind === 'seatbelt'
        ? macSocketPlaces({ env: request.env, home, agent })
        : socketPlaces({ ...request, roots, home, temp, agent });
    const rules = arrange([
      ...open,
      ...git.flatMap((places) => places.rules),
      ...(request.backend.kind === 'bubblewrap' ? compiledPlaces(open, temp, request.env) : []),
      ...privateProgramPlaces(open, request.env['PATH'] ?? ''),
      ...programPlaces(open, request.env['PATH'] ?? '', roots),
      ...homes.filter((each) => roots.some((root) => isBelow(each, root))).flatMap(keepStartFiles),
      ...scans.flatMap(({ seen }) => seen.own.map((path) => ({ kind: 'read', path, pinned: true }) as const)),
      ...secrets,
      ...homes.flatMap((each) => hidePersonal(each, { stubs: known, kept: roots })),
      ...sockets.rules,
      ...stateRules({ ...request, roots }, home),
      ...rootRules({ ...request, roots }),
    ]);
    return {
      plan: {
        level: request.level,
        network: request.level !== 'strict' && request.network !== false,
        rules,
        unset: sockets.unset,
        watched: git.flatMap((places) => places.watched),
        awaited: git.flatMap((places) => places.awaited),
        loose: looseIn(scans, git),
        steps: git.flatMap((places) => places.steps),
        repositories: git.flatMap((places) => places.rules.filter(({ kind }) => kind === 'write').map(({ path }) => path)),
        present: presentIn(scans, git),
        scanned: scans.map(({ root }) => root),
        notes: [
          ...(request.roots.includes('/') ? ['the workspace is /: system and home folders stay read-only'] : []),
          ...git.flatMap((places) => places.notes),
          ...scans
            .filter(({ seen }) => seen.repositories.length > MOST_REPOSITORIES)
            .map(
              ({ root }) =>
                `${root} holds more than ${MOST_REPOSITORIES} repositories: hooks and settings of the others can be changed`,
            ),
          ...scans
            .filter(({ seen }) => !seen.complete)
            .map(
              ({ root }) =>
                `${root} is too large to be looked through whole: secret files deep in it may be readable, repositories there can be changed`,
            ),
        ],
        home,
      },
    };
  };
}

const LOST =
  'a secret file that was hidden was moved, and the workspace is too large to find it again in time; remove what made it so large, or start again';

/** The home folder the environment names, and the one the system knows the user by: `ssh` and Java go there. Real paths. */
function homesOf(request: PlanRequest): string[] {
  const named = [request.home];
  try {
    named.push(userInfo().homedir);
  } catch {
    // A user without an entry has no second home.
  }
  return [...new Set(named.map((home) => stablePath(home, () => false) ?? home))].filter(
    (home, index) => index === 0 || home !== '/',
  );
}

/** Why these places cannot be confined as they should. */
function faultOf(request: PlanRequest): string | undefined {
  if (request.level === 'strict' && !request.backend.network) return 'the network cannot be cut off here';
  for (const root of request.roots) {
    if (look(root) !== undefined && (stablePath(root, () => false) !== root || look(root)?.isDirectory() !== true))
      return `the folder ${root} is no longer where it was`;
  }
  return undefined;
}

type OpenRule = Extract<PlaceRule, { kind: 'write' | 'read' | 'private' }> & { readonly temp?: boolean };

/** Temporary folders, the home folder over them, caches over that, and the workspace over all. Where nothing may last, no caches. */
function openPlaces(request: PlanRequest, homes: readonly string[]): OpenRule[] {
  const usual = request.backend.kind === 'seatbelt' ? MAC_TEMP : LINUX_TEMP;
  const named = [request.temp, request.env['TMPDIR'] ?? ''].filter((path) => path !== '');
  const caches = [...homes.flatMap((home) => cachePlaces(home, request.env)), ...request.writable];
  // All that may become writable, wherever it leads: a link in there could be a command's work and is not followed.
  const reachable = [...usual, ...named, ...caches].map((path) => stablePath(path, () => false));
  const doubtful = [...request.roots, ...reachable.filter((path) => path !== undefined)];
  const isDoubtful = (place: string) => doubtful.some((folder) => isBelow(place, folder));
  const closed = [...homes, request.state, stablePath(request.state, () => false) ?? request.state];
  const isEphemeral = request.readOnly === true && request.nothingLasts === true;
  const rules: OpenRule[] = [];
  const add = (place: string, temp: boolean, standard: boolean) => {
    const path = stablePath(place, isDoubtful);
    if (path === undefined || look(path)?.isDirectory() !== true || isSystemFolder(path) || homes.includes(path)) return;
    // A folder that holds the home folder, or our own state, is no cache.
    if (!standard && closed.some((folder) => isBelow(folder, path))) return;
    if (!isEphemeral) rules.push({ kind: 'write', path, shown: temp, temp });
    else if (temp) rules.push({ kind: 'private', path, mode: '1777', temp });
  };
  for (const path of usual) add(path, true, true);
  for (const path of named) add(path, true, false);
  // Service users and containers have homes that are not there.
  const present = homes.filter((home) => look(home)?.isDirectory() === true);
  rules.push(...present.map((path) => ({ kind: 'read', path, ...(isEphemeral ? { shown: true } : {}) }) as const));
  for (const path of caches) add(path, false, false);
  return [...rules, ...rootRules(request)];
}

function rootRules(request: PlanRequest): OpenRule[] {
  const kind = request.readOnly ? 'read' : 'write';
  return request.roots.map((root): OpenRule => ({ kind, path: root, shown: true }));
}

/** Can commands write at this place? The deepest rule counts. */
function isOpen(rules: readonly OpenRule[], place: string): boolean {
  let deepest: OpenRule | undefined;
  for (const rule of rules) if (isBelow(place, rule.path) && rule.path.length >= (deepest?.path.length ?? 0)) deepest = rule;
  return deepest?.kind === 'write';
}

/**
 * Where Node keeps compiled programs, ours among them, and would run what a command put there: each command has its own,
 * empty. Made when it is missing, as Node would, since a command could make it.
 */
function compiledPlaces(open: readonly OpenRule[], temp: readonly string[], env: PlanRequest['env']): PlaceRule[] {
  const named = env['NODE_COMPILE_CACHE'];
  const places = [...temp.map((folder) => join(folder, 'node-compile-cache')), ...(named === undefined ? [] : [named])];
  return places.flatMap((place): PlaceRule[] => {
    if (look(place) === undefined && place !== named) makeShared(place);
    const path = stablePath(place, () => false);
    if (path === undefined || look(path)?.isDirectory() !== true || !isOpen(open, path)) return [];
    return open.some((rule) => rule.path === path) ? [] : [{ kind: 'private', path, mode: '0700' }];
  });
}

function makeShared(folder: string): void {
  try {
    mkdirSync(folder);
    chmodSync(folder, 0o1777);
  } catch {
    // A folder that cannot be written by us cannot be by the command.
  }
}

/**
 * A folder of PATH that lies in a cache or a temporary folder stays as it is, and where it is: what is put there would be run
 * outside. Not the workspace's own, and not a Python environment, whose packages could do the same.
 */
function programPlaces(open: readonly OpenRule[], path: string, roots: readonly string[]): PlaceRule[] {
  const rules: PlaceRule[] = [];
  for (const named of new Set(path.split(':'))) {
    const folder = stablePath(named, () => false);
    if (folder === undefined || look(folder)?.isDirectory() !== true || isPythonFolder(folder)) continue;
    if (!isOpen(open, folder) || open.some((rule) => rule.path === folder) || roots.some((root) => isBelow(folder, root)))
      continue;
    rules.push({ kind: 'read', path: folder, pinned: true });
    // Otherwise a folder above it could be moved away.
    for (let above = dirname(folder); isOpen(open, above) && !open.some((rule) => rule.path === above); above = dirname(above))
      rules.push({ kind: 'write', path: above, pinned: true });
  }
  return rules;
}

/** Folders of PATH that a temporary folder of the command's own would cover. */
function privateProgramPlaces(open: readonly OpenRule[], path: string): PlaceRule[] {
  return [...new Set(path.split(':'))].flatMap((named): PlaceRule[] => {
    const folder = stablePath(named, () => false);
    if (folder === undefined || look(folder)?.isDirectory() !== true) return [];
    const isCovered = open.some((rule) => rule.kind === 'private' && isBelow(folder, rule.path));
    return isCovered ? [{ kind: 'read', path: folder, shown: true }] : [];
  });
}

/** Folders of `/` that are no part of the system and hold no homes: a workspace at `/` means these. */
function ownTopFolders(): string[] {
  try {
    return readdirSync('/', { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !TOP_OF_SYSTEM.has(entry.name))
      .map((entry) => `/${entry.name}`);
  } catch {
    return [];
  }
}

/** Our own policy, keys, sessions and backups are out of reach; what tools gave to read is not. */
function stateRules(request: PlanRequest, home: string): PlaceRule[] {
  const state = stablePath(request.state, () => false);
  if (state === undefined || look(state)?.isDirectory() !== true || isBelow(home, state) || request.roots.includes(state))
    return [];
  const readable = request.readable
    .map((folder) => stablePath(folder, () => false))
    .filter((folder) => folder !== undefined && look(folder)?.isDirectory() === true);
  const shown = [...(readable as string[]), ...request.roots].some((folder) => isBelow(folder, state));
  return [
    { kind: 'hide-folder', path: state, passable: shown },
    ...(readable as string[]).map((path) => ({ kind: 'read', path, shown: true }) as const),
  ];
}

function topmost(roots: readonly string[]): string[] {
  return [...new Set(roots)].filter((root) => !roots.some((other) => other !== root && isBelow(root, other)));
}

function presentIn(scans: readonly { readonly seen: WorkspaceScan }[], git: readonly GitPlaces[]): string[] {
  const paths = [
    ...scans.flatMap(({ seen }) => [...seen.repositories, ...seen.bare, ...seen.own]),
    ...git.flatMap((places) => places.rules.filter(({ kind }) => kind === 'write').map(({ path }) => path)),
    ...git.flatMap((places) => places.modules),
  ];
  return paths.map(identityOf).filter((identity) => identity !== undefined);
}

/** What cannot be kept is compared afterwards: links, pointers to places of nobody, and what is beyond the bound. */
function looseIn(scans: readonly { readonly seen: WorkspaceScan }[], git: readonly GitPlaces[]): SandboxPlan['loose'] {
  const entries = [
    ...git.flatMap((places) => places.loose),
    ...scans.flatMap(({ seen }) => seen.repositories.slice(MOST_REPOSITORIES)),
  ];
  return entries.map((entry) => ({ entry, marks: allPrograms(entry).map(({ mark }) => mark) }));
}

function gitPlaces(
  scans: readonly { readonly root: string; readonly seen: WorkspaceScan }[],
  options: Parameters<typeof enclosingPlaces>[1],
): GitPlaces[] {
  return scans.flatMap(({ root, seen }) => [
    ...(seen.repositories.includes(join(root, '.git')) ? [] : [enclosingPlaces(root, options), barePlaces(root, options)]),
    ...seen.repositories.slice(0, MOST_REPOSITORIES).map((entry) => repositoryPlaces(entry, options)),
  ]);
}
