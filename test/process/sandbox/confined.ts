/** Runs real programs in a real sandbox: a place of its own with home and workspace outside any temporary folder, all removed afterwards. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../../src/process/sandbox/open-sandbox.js';
import { probeSandbox } from '../../../src/process/sandbox/probe.js';
import { type RefusalContext, type SandboxRefusal, sandboxRefusal } from '../../../src/process/sandbox/refusal.js';
import type { SandboxPlan } from '../../../src/process/sandbox/types.js';

export interface Confinement {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly state: string;
  readonly env: Record<string, string>;
  write(path: string, text: string): string;
  sandbox(extra?: Partial<SandboxOptions>): Sandbox;
  remove(): void;
}

/** A folder that is no temporary one, so that nothing in it is writable by itself, and in no repository. The tests' own home folder is a temporary one. */
const BASE = join(userInfo().homedir, '.sandbox-tests-of-chatcli');

/** `temporary`: the place lies in the temporary folder, as in a quick try. */
export function makeConfinement(options: { readonly temporary?: boolean } = {}): Confinement {
  if (!options.temporary) mkdirSync(BASE, { recursive: true });
  const root = realpathSync(mkdtempSync(join(options.temporary ? tmpdir() : BASE, 'box-')));
  const workspace = join(root, 'work space');
  const home = join(root, 'home');
  const state = join(home, '.chatcli');
  for (const folder of [workspace, home, state]) mkdirSync(folder);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: root,
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.invalid',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.invalid',
  };
  return {
    root,
    workspace,
    home,
    state,
    env,
    write(path, text) {
      const file = resolve(workspace, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    sandbox: (extra = {}) =>
      openSandbox({
        mode: 'workspace',
        roots: [workspace],
        home,
        state,
        temp: tmpdir(),
        uid: process.getuid?.() ?? 0,
        readable: [],
        writable: [],
        env,
        platform: process.platform,
        ...extra,
      }),
    remove() {
      rmSync(root, { recursive: true, force: true });
      try {
        rmdirSync(BASE);
      } catch {
        // Another test file is at work in it.
      }
    },
  };
}

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly plan?: SandboxPlan;
  readonly refusal?: SandboxRefusal;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
  readonly readOnly?: boolean;
  readonly nothingLasts?: boolean;
  readonly agent?: boolean;
  readonly tied?: boolean;
}

/** Runs a shell command in a sandbox to its end. */
export async function runIn(place: Confinement, sandbox: Sandbox, command: string, options: RunOptions = {}): Promise<Ran> {
  const env = { ...place.env, ...options.env };
  const cwd = options.cwd ?? place.workspace;
  const program = { file: '/bin/sh', args: ['-c', command], cwd, ownSession: true, tied: options.tied ?? false };
  const confined = await sandbox.confine(program, { ...options, env });
  const child = spawn(confined?.file ?? program.file, [...(confined?.args ?? program.args)], {
    cwd,
    env,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(confined?.handles ?? [])],
    detached: true,
  });
  confined?.release();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  if (options.input !== undefined) child.stdin?.end(options.input);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, failed) => {
    child.on('error', failed);
    child.on('close', (...end) => done(end));
  });
  const context: RefusalContext = { command, cwd };
  const refusal = confined && sandboxRefusal(output, code, confined.plan, context);
  return { code, signal, output, ...(confined && { plan: confined.plan }), ...(refusal && { refusal }) };
}

/** Why no real sandbox can be tried here, or undefined. */
export async function whyNot(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'bubblewrap is for Linux';
  const probe = await probeSandbox({
    platform: 'linux',
    env: { PATH: process.env['PATH'] ?? '' },
    uid: process.getuid?.() ?? 0,
    untrusted: [],
  });
  return probe.reason;
}
