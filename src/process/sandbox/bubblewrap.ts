/** Writes a plan as arguments for bubblewrap: the same plan, the same arguments. */
import { existsSync, readdirSync } from 'node:fs';
import { look } from './stable-path.js';
import type { BubblewrapBackend, PlaceRule, Program, SandboxPlan } from './types.js';

/** First descriptor a handle has in the sandbox program; the ones before are its streams. */
export const FIRST_HANDLE = 3;

/** Rights root keeps: those that matter for files in the places it may write, and for servers. None that reaches the system. */
const ROOT_RIGHTS = ['CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_KILL', 'CAP_NET_BIND_SERVICE', 'CAP_SETGID', 'CAP_SETUID'];

export interface BubblewrapOptions {
  readonly plan: SandboxPlan;
  readonly backend: BubblewrapBackend;
  readonly program: Program;
  readonly uid: number;
  /** Root works in folders of other users and has to be let in as without a sandbox. */
  readonly foreignOwner?: boolean;
  /** Pinned paths that are given as open handles, in the order of their descriptors. */
  readonly handles?: readonly string[];
  /** What of `/proc` orders the kernel; looked up by default. */
  readonly kernel?: readonly string[];
}

/** Arguments after the program's name. */
export function bubblewrapArguments(options: BubblewrapOptions): string[] {
  const { plan, program } = options;
  return [
    ...namespaces(options),
    ...rights(options),
    ...(program.tied === true ? ['--die-with-parent'] : []),
    ...(program.ownSession ? [] : ['--new-session']),
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...kernelSettings(options).flatMap((path) => ['--ro-bind', path, path]),
    ...plan.rules.flatMap((rule) => mount(rule, options)),
    ...plan.rules.flatMap((rule) => (rule.kind === 'hide-folder' ? ['--remount-ro', rule.path] : [])),
    ...plan.unset.flatMap((name) => ['--unsetenv', name]),
    '--chdir',
    program.cwd,
    '--',
    program.file,
    ...program.args,
  ];
}

/**
 * Root may write these by being their owner, whatever rights were taken: what is written there (`core_pattern`, `modprobe`) the
 * kernel runs outside. Bubblewrap covers them for others only.
 */
function kernelSettings({ uid, kernel = kernelFiles() }: BubblewrapOptions): readonly string[] {
  return uid === 0 ? kernel : [];
}

let found: readonly string[] | undefined;

/** Bubblewrap covers the first two for root as well; in the others nothing can be written. */
const COVERED: ReadonlySet<string> = new Set(['bus', 'irq', 'sysvipc', 'tty']);

/** Entries of `/proc` that belong to no process and can be written, or hold such ones. */
function kernelFiles(): readonly string[] {
  if (found !== undefined || !existsSync('/proc')) return found ?? [];
  // By names alone: what kind a process's own folder is cannot be asked once the process has ended.
  found = readdirSync('/proc')
    .filter((name) => !/^\d+$/.test(name) && !COVERED.has(name))
    .map((name) => `/proc/${name}`)
    .filter((path) => {
      const stat = look(path);
      return stat !== undefined && (stat.isDirectory() || (stat.isFile() && (stat.mode & 0o222) !== 0));
    });
  return found;
}

function namespaces({ backend, plan }: BubblewrapOptions): string[] {
  return [
    ...(backend.userNamespace ? ['--unshare-user'] : []),
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(plan.network ? [] : ['--unshare-net']),
  ];
}

/** Root of the machine would keep every right, also that of making the system writable again. */
function rights({ backend, uid, foreignOwner }: BubblewrapOptions): string[] {
  if (uid !== 0) return [];
  if (backend.userNamespace) return ['--cap-drop', 'ALL'];
  const kept = foreignOwner === true ? [...ROOT_RIGHTS, 'CAP_DAC_OVERRIDE'] : ROOT_RIGHTS;
  return ['--cap-drop', 'ALL', ...kept.flatMap((right) => ['--cap-add', right])];
}

function mount(rule: PlaceRule, { backend, handles = [] }: BubblewrapOptions): string[] {
  const { path } = rule;
  const perms = (mode: string) => (backend.perms ? ['--perms', mode] : []);
  switch (rule.kind) {
    case 'write':
    case 'read': {
      const handle = rule.pinned === true ? handles.indexOf(path) : -1;
      const option = rule.kind === 'write' ? '--bind' : '--ro-bind';
      if (handle >= 0) return [`${option}-fd`, String(FIRST_HANDLE + handle), path];
      // By its path, whoever moves it at the right moment would have another place made writable.
      if (rule.kind === 'write' && rule.pinned === true) return [];
      return [option, path, path];
    }
    case 'private':
      return [...perms(rule.mode), '--tmpfs', path];
    case 'hide-folder':
      return [...perms(rule.passable ? '0111' : '0000'), '--tmpfs', path];
    case 'hide-file':
      // Without a stub: a device, on a mount where devices cannot be opened.
      return ['--ro-bind', rule.stub ?? '/dev/null', path];
  }
}
