/** Finds out which sandbox really works on this machine, by running one; bounded in time, once per process and place. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { bubblewrapArguments } from './bubblewrap.js';
import { NOT_INSTALLED } from './mode.js';
import { seatbeltArguments } from './seatbelt.js';
import { isBelow, stablePath } from './stable-path.js';
import type { BubblewrapBackend, SandboxPlan, SandboxProbe, SeatbeltBackend } from './types.js';

export interface ProbeOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  /** Folders the model can write: a sandbox program there is not trusted. Real paths. */
  readonly untrusted: readonly string[];
  /** Milliseconds one attempt may take; 3000 by default. */
  readonly attemptMs?: number;
  /** Where to look before PATH; the system's own folders by default. */
  readonly folders?: readonly string[];
}

const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
const MAC_SANDBOX = '/usr/bin/sandbox-exec';
/** What the trial command ends with: nothing else than its having run gives this. */
const TRIAL_CODE = 73;

const known = new Map<string, Promise<SandboxProbe>>();

/** Which backend works, or why none does. The answer is remembered for the life of the process. Never throws. */
export function probeSandbox(options: ProbeOptions): Promise<SandboxProbe> {
  const key = JSON.stringify([options.platform, options.env['PATH'] ?? '', options.uid, options.untrusted, options.folders]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const probe = lookForOne(options).catch(
    (error: unknown): SandboxProbe => ({ reason: `the sandbox could not be tried: ${String(error)}` }),
  );
  known.set(key, probe);
  return probe;
}

async function lookForOne(options: ProbeOptions): Promise<SandboxProbe> {
  if (options.platform === 'darwin') return trySeatbelt(options);
  if (options.platform !== 'linux')
    return { reason: `there is no sandbox for ${options.platform === 'win32' ? 'Windows' : options.platform}` };
  const found = findTrusted('bwrap', options);
  return found.file === undefined ? { reason: found.reason } : tryBubblewrap(found.file, options);
}

type Found = { readonly file: string } | { readonly file?: undefined; readonly reason: string };

/** A program by name that neither the model nor another user could have put there. */
export function findTrusted(name: string, options: ProbeOptions): Found {
  const onPath = (options.env['PATH'] ?? '').split(':').filter((folder) => isAbsolute(folder));
  let refused: string | undefined;
  for (const folder of new Set([...(options.folders ?? SYSTEM_FOLDERS), ...onPath])) {
    const file = stablePath(join(folder, name), () => false);
    if (file === undefined) continue;
    const why =
      distrust(file, options) ??
      (options.untrusted.some((place) => isBelow(folder, place)) ? 'lies where commands may write' : undefined);
    if (why === undefined) return { file };
    refused ??= `${join(folder, name)} ${why}`;
  }
  return { reason: refused === undefined ? NOT_INSTALLED : `bubblewrap is not trusted: ${refused}` };
}

function distrust(file: string, { untrusted, uid }: ProbeOptions): string | undefined {
  if (untrusted.some((place) => isBelow(file, place))) return 'lies where commands may write';
  const stat = statSync(file);
  if (!stat.isFile() || (stat.mode & 0o111) === 0) return 'is no program';
  for (const each of [stat, statSync(dirname(file))]) {
    if (each.uid !== 0 && each.uid !== uid) return `belongs to user ${each.uid}`;
    if ((each.mode & 0o002) !== 0) return 'can be changed by everybody';
  }
  return undefined;
}

/** A plan with one rule of each kind that depends on what the program understands. */
const TRIAL: SandboxPlan = {
  level: 'workspace',
  network: true,
  rules: [{ kind: 'hide-folder', path: '/tmp', passable: true }],
  unset: ['CHATCLI_TRIAL'],
  watched: [],
  awaited: [],
  steps: [],
  loose: [],
  repositories: [],
  present: [],
  scanned: [],
  notes: [],
  home: '/',
};
const TRIAL_COMMAND = ['-c', `test ! -w / || exit 1; exit ${TRIAL_CODE}`];
const trialProgram = { file: '/bin/sh', args: TRIAL_COMMAND, cwd: '/', ownSession: false, tied: true };

/** Undefined when it ran, otherwise what was said. */
function attempt(file: string, args: readonly string[], { attemptMs = 3000 }: ProbeOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settings = {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      timeout: attemptMs,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    } as const;
    const child = execFile(file, [...args], settings, (error, _output, said) => {
      if (error?.code === TRIAL_CODE) resolve(undefined);
      else if (error?.killed) resolve(`no answer within ${attemptMs / 1000} s`);
      else resolve(said.trim().split('\n')[0] || error?.message.split('\n')[0] || 'it ran nothing');
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end();
  });
}

async function tryBubblewrap(file: string, options: ProbeOptions): Promise<SandboxProbe> {
  const run = (backend: BubblewrapBackend, network: boolean) =>
    attempt(
      file,
      bubblewrapArguments({ plan: { ...TRIAL, network }, backend, program: trialProgram, uid: options.uid }),
      options,
    );
  let backend: BubblewrapBackend = { kind: 'bubblewrap', file, userNamespace: false, perms: true, handles: false, network: true };
  let said = await run(backend, true);
  if (said !== undefined && /unknown option --perms/i.test(said)) {
    backend = { ...backend, perms: false };
    said = await run(backend, true);
  }
  if (said !== undefined && options.uid === 0) {
    backend = { ...backend, userNamespace: true };
    const second = await run(backend, true);
    said = second === undefined ? undefined : said;
  }
  if (said !== undefined) return { reason: `bubblewrap does not work here: ${said.replace(/^bwrap: /, '')}${hintFor(said)}` };
  const [cut, version] = await Promise.all([run(backend, false), helpOf(file, options)]);
  return {
    backend: { ...backend, network: cut === undefined, handles: /--bind-fd\b/.test(version) && /--ro-bind-fd\b/.test(version) },
  };
}

function helpOf(file: string, { attemptMs = 3000 }: ProbeOptions): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, ['--help'], { cwd: '/', env: { LC_ALL: 'C' }, timeout: attemptMs, encoding: 'utf8' }, (_error, output, said) =>
      resolve(output + said),
    );
  });
}

function hintFor(said: string): string {
  if (/namespace|uid.?map|RTM_NEWADDR|No permissions/i.test(said))
    return ' (the system, a container or an outer sandbox does not let it make namespaces)';
  if (/mount proc/i.test(said)) return ' (inside a container or another sandbox /proc cannot be mounted)';
  return '';
}

async function trySeatbelt(options: ProbeOptions): Promise<SandboxProbe> {
  const plan = { ...TRIAL, rules: [] };
  let said: string | undefined;
  for (const services of [true, false]) {
    const backend: SeatbeltBackend = { kind: 'seatbelt', file: MAC_SANDBOX, services, network: true };
    said = await attempt(MAC_SANDBOX, seatbeltArguments(plan, backend, trialProgram), options);
    if (said === undefined) return { backend };
  }
  return { reason: `sandbox-exec does not work here: ${said}` };
}
