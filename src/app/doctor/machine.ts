/** The doctor's look at the machine: Node, system, git, shell, search, sandbox, terminal. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { release } from 'node:os';
import { isWithin } from '../../base/sensitive-paths.js';
import { examineSandbox } from '../../process/sandbox/open-sandbox.js';
import { findShell } from '../../process/shell.js';
import { whichSystem } from '../../process/which.js';
import { findRipgrep } from '../../tools/shared/search-ripgrep.js';
import { type Finding, finding } from './finding.js';
import type { DoctorPlace } from './place.js';

/** Oldest Node this program runs on. */
const OLDEST_NODE = [20, 19] as const;
const PROGRAM_MS = 5000;

export function lookAtNode({ text }: DoctorPlace): readonly Finding[] {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const system = { platform: process.platform, arch: process.arch, release: release() };
  return [
    finding(
      text,
      'node',
      old
        ? {
            status: 'fault',
            key: 'doctor.nodeOld',
            values: { version: node, needed: OLDEST_NODE.join('.') },
            fix: 'doctor.nodeFix',
          }
        : { status: 'ok', key: 'doctor.node', values: { version: node } },
    ),
    finding(text, 'system', { status: 'ok', key: 'doctor.system', values: system }),
  ];
}

export async function lookAtGit({ text, childEnv, root }: DoctorPlace): Promise<readonly Finding[]> {
  const file = whichSystem('git', childEnv);
  if (file === undefined) return [finding(text, 'git', { status: 'warning', key: 'doctor.gitNone', fix: 'doctor.gitFix' })];
  if (isInside(file, root)) return [foreign(text, 'git', file)];
  const version = await versionOf(file, childEnv);
  return [
    finding(
      text,
      'git',
      version === undefined
        ? { status: 'fault', key: 'doctor.gitBroken', values: { file }, fix: 'doctor.gitFix' }
        : { status: 'ok', key: 'doctor.git', values: { version, file } },
    ),
  ];
}

export function lookAtShell({ text, childEnv, root }: DoctorPlace): readonly Finding[] {
  const { file, kind } = findShell(childEnv);
  if (isInside(file, root)) return [foreign(text, 'shell', file)];
  if (realOf(file) === undefined)
    return [finding(text, 'shell', { status: 'fault', key: 'doctor.shellNone', values: { file }, fix: 'doctor.shellFix' })];
  return [finding(text, 'shell', { status: 'ok', key: 'doctor.shell', values: { file, kind } })];
}

export async function lookAtSearch({ text, childEnv, root }: DoctorPlace): Promise<readonly Finding[]> {
  const file = await findRipgrep(childEnv);
  if (file === undefined)
    return [finding(text, 'search', { status: 'warning', key: 'doctor.searchNone', fix: 'doctor.searchFix' })];
  // The one that came with this package may lie in a folder worked in: ours.
  if (file === whichSystem('rg', childEnv) && isInside(file, root)) return [foreign(text, 'search', file)];
  return [finding(text, 'search', { status: 'ok', key: 'doctor.search', values: { file } })];
}

/** Tried as at the first command, but nothing is made. */
export async function lookAtSandbox(place: DoctorPlace): Promise<readonly Finding[]> {
  const { text, sandbox: mode, root, temp, childEnv } = place;
  // What is wrong with its variable is said of the configuration.
  if (mode === undefined) return [];
  const now = await examineSandbox({
    mode,
    roots: [...(root === undefined ? [] : [root]), ...(place.config?.addDirs ?? [])],
    temp,
    writable: [],
    env: childEnv,
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
  });
  if (now.backend !== undefined) {
    const values = { level: now.level, mode, file: now.backend.file };
    return [finding(text, 'sandbox', { status: 'ok', key: 'doctor.sandbox', values })];
  }
  const values = { mode, reason: now.reason };
  if (mode === 'off')
    return [finding(text, 'sandbox', { status: 'warning', key: 'doctor.sandboxOff', values, fix: 'doctor.sandboxOn' })];
  const blocked = now.level === 'blocked';
  return [
    finding(text, 'sandbox', {
      status: blocked ? 'fault' : 'warning',
      key: blocked ? 'doctor.sandboxBlocked' : 'doctor.sandboxNone',
      values,
      fix: blocked ? 'doctor.sandboxBlockedFix' : 'doctor.sandboxFix',
    }),
  ];
}

export function lookAtTerminal({ text, env }: DoctorPlace): readonly Finding[] {
  const { stdin, stdout, stderr } = process;
  if (!stdin.isTTY || !stdout.isTTY)
    return [
      finding(text, 'terminal', { status: 'ok', key: 'doctor.terminalNone', values: { input: String(stdin.isTTY === true) } }),
    ];
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  const values = {
    term: env['TERM'] ?? '',
    columns: stdout.columns ?? 0,
    rows: stdout.rows ?? 0,
    colors: env['NO_COLOR'] ? 0 : 2 ** stderr.getColorDepth?.(env),
    locale,
  };
  const found = [finding(text, 'terminal', { status: 'ok', key: 'doctor.terminal', values })];
  if (process.platform !== 'win32' && !/utf-?8/i.test(locale))
    found.push(finding(text, 'terminal', { status: 'warning', key: 'doctor.localeNone', values, fix: 'doctor.localeFix' }));
  return found;
}

function foreign(text: DoctorPlace['text'], check: string, file: string): Finding {
  return finding(text, check, { status: 'fault', key: 'doctor.foreign', values: { file }, fix: 'doctor.foreignFix' });
}

/** Nothing of the folder worked in is run. */
function isInside(file: string, root: string | undefined): boolean {
  if (root === undefined || root === '/') return false;
  return isWithin(file, root) || isWithin(realOf(file) ?? file, root);
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function versionOf(file: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const settings = { cwd: '/', env: { PATH: env['PATH'] ?? '', LC_ALL: 'C' }, timeout: PROGRAM_MS, encoding: 'utf8' } as const;
  return new Promise((done) => {
    const child = execFile(file, ['--version'], settings, (_error, output) => done(/\d+(?:\.\d+)+/.exec(output)?.[0]));
    child.on('error', () => done(undefined));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end();
  });
}
