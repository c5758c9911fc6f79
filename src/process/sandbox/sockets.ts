/** Sockets through which a command could have something done outside its sandbox: Docker, agents, the desktop's buses, terminals. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { isBelow, look, stablePath } from './stable-path.js';
import type { PlaceRule, SandboxLevel } from './types.js';

export interface SocketOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly level: SandboxLevel;
  readonly home: string;
  readonly roots: readonly string[];
  readonly temp: readonly string[];
  /** The user agreed that the SSH agent is passed. */
  readonly agent: boolean;
  /** Text of the kernel's list of sockets; read from `/proc/net/unix` by default. */
  readonly list?: string;
}

/** Parts of `/run` that programs need and that take no orders. */
const RUN_SHOWN: readonly string[] = [
  'NetworkManager',
  'current-system',
  'nscd',
  'opengl-driver',
  'resolvconf',
  'systemd/resolve',
  'systemd/userdb',
  'utmp',
  'wrappers',
];

/** Databases and caches: reached over the network as well. Not in `strict`. */
const RUN_SERVERS: readonly string[] = ['memcached', 'mongodb', 'mysqld', 'mariadb', 'postgresql', 'redis', 'valkey'];
const SERVER_SOCKET =
  /^(\.s\.PGSQL\.\d+|mysqlx?\.sock|mysqld\.sock|mariadb\.sock|mongodb-\d+\.sock|(redis|valkey|memcached).*\.sock)$/;

/** Variables that name such sockets; their values would only lead to failures. */
const SOCKET_VARIABLES: readonly string[] = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_SYSTEM_BUS_ADDRESS',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WAYLAND_DISPLAY',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
  'VSCODE_GIT_ASKPASS_NODE',
  'VSCODE_GIT_ASKPASS_MAIN',
  'NVIM',
  'NVIM_LISTEN_ADDRESS',
];

const MOST_SOCKETS = 200;

/** Rules that put these sockets out of reach, and the variables to leave out. Linux only. */
export function socketPlaces(options: SocketOptions): { readonly rules: PlaceRule[]; readonly unset: string[] } {
  const rules: PlaceRule[] = [];
  for (const run of ['/run', '/var/run']) {
    if (look(run)?.isDirectory() !== true) continue;
    rules.push(
      { kind: 'private', path: run, mode: '0755' },
      { kind: 'private', path: join(run, 'user', String(options.uid)), mode: '0700' },
    );
    const shown = options.level === 'strict' ? RUN_SHOWN : [...RUN_SHOWN, ...RUN_SERVERS];
    rules.push(...shown.flatMap((name) => existing(join(run, name))));
  }
  for (const temp of options.temp) {
    for (const name of ['.X11-unix', '.ICE-unix'])
      if (look(join(temp, name))?.isDirectory()) rules.push({ kind: 'private', path: join(temp, name), mode: '1777' });
    const terminals = join(temp, `tmux-${options.uid}`);
    if (look(terminals)?.isDirectory()) rules.push({ kind: 'private', path: terminals, mode: '0700' });
  }
  const runtime = options.env['XDG_RUNTIME_DIR'] ?? '';
  const kept = [...options.roots, ...options.temp, options.home];
  if (isAbsolute(runtime) && look(runtime)?.isDirectory() && !kept.some((folder) => isBelow(folder, runtime)))
    rules.push({ kind: 'private', path: runtime, mode: '0700' });
  const agent = socketOf(options.env['SSH_AUTH_SOCK']);
  for (const path of new Set([...boundSockets(options), ...(agent === undefined ? [] : [agent])]))
    if (!(options.agent && path === agent)) rules.push({ kind: 'hide-file', path });
  if (options.agent && agent !== undefined) rules.push({ kind: 'read', path: agent, shown: true });
  const passed = options.agent && agent !== undefined ? ['SSH_AUTH_SOCK', 'SSH_AGENT_PID'] : [];
  return { rules, unset: SOCKET_VARIABLES.filter((name) => name in options.env && !passed.includes(name)) };
}

function existing(path: string): PlaceRule[] {
  return stablePath(path, () => false) === undefined ? [] : [{ kind: 'read', path, shown: true }];
}

function socketOf(path: string | undefined): string | undefined {
  const real = path === undefined ? undefined : stablePath(path, () => false);
  return real !== undefined && look(real)?.isSocket() ? real : undefined;
}

const MAC_SOCKETS = ['.docker/run/docker.sock', '.colima/default/docker.sock', '.orbstack/run/docker.sock', '.rd/docker.sock'];

/** The same on macOS, where places are refused by name, whether they exist or not. */
export function macSocketPlaces(options: Pick<SocketOptions, 'env' | 'home' | 'agent'>): ReturnType<typeof socketPlaces> {
  const agent = stablePath(options.env['SSH_AUTH_SOCK'] ?? '', () => false);
  const closed = ['/private/var/run/docker.sock', ...MAC_SOCKETS.map((name) => join(options.home, name))];
  if (!options.agent && agent !== undefined) closed.push(agent);
  return {
    rules: closed.map((path) => ({ kind: 'hide-file', path }) as const),
    unset: options.agent ? [] : ['SSH_AUTH_SOCK', 'SSH_AGENT_PID'].filter((name) => name in options.env),
  };
}

/** Sockets with a place on disk that we could speak to, and so the command could. */
function boundSockets(options: SocketOptions): string[] {
  const found: string[] = [];
  for (const line of (options.list ?? listOfKernel()).split('\n').slice(1)) {
    const named = /^\S+: \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1];
    if (named === undefined || isBelow(named, '/run') || isBelow(named, '/var/run')) continue;
    const path = socketOf(named);
    if (path === undefined || found.includes(path) || !isReachable(path)) continue;
    if (options.level === 'workspace') {
      if (SERVER_SOCKET.test(basename(path)) || options.roots.some((root) => isBelow(path, root))) continue;
    }
    found.push(path);
    if (found.length >= MOST_SOCKETS) break;
  }
  return found;
}

function isReachable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function listOfKernel(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return '';
  }
}
