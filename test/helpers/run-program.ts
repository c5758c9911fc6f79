/** Runs the built program as a user would: own home, own workspace, its exit code and what it printed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { program } from './program.js';

export interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  remove(): void;
}

/** A fresh folder with `ws` and `home` in it. `from` is copied into the workspace; `files` are written over it. */
export function makePlace(options: { readonly from?: string; readonly files?: Readonly<Record<string, string>> } = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-e2e-')));
  const workspace = join(root, 'ws');
  const home = join(root, 'home');
  mkdirSync(workspace);
  mkdirSync(home);
  if (options.from) cpSync(options.from, workspace, { recursive: true });
  for (const [path, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  return { root, workspace, home, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as one JSON object. Fails when it is none. */
  json(): Record<string, unknown>;
  /** Standard output as one JSON object a line. */
  lines(): Record<string, unknown>[];
}

export interface RunOptions {
  readonly place: Place;
  readonly env?: Readonly<Record<string, string>>;
  /** Text for standard input; absent: no input at all. */
  readonly input?: string;
  readonly cwd?: string;
  /** A program and its arguments that run the rest of the line. */
  readonly within?: readonly string[];
  /** Called with the running process, for tests that interrupt it. */
  onStart?(child: ChildProcess): void;
}

/** Runs to the end. Ends itself after two minutes with an error that shows what was printed. */
export async function runProgram(args: readonly string[], options: RunOptions): Promise<Ran> {
  const main = await program();
  const [file = process.execPath, ...words] = [...(options.within ?? []), process.execPath, main, ...args];
  const child = spawn(file, words, {
    cwd: options.cwd ?? options.place.workspace,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: options.place.home,
      TERM: 'dumb',
      NO_COLOR: '1',
      LANG: 'C.UTF-8',
      CHATCLI_CODER_AUTODIAG: 'off',
      ...options.env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin?.on('error', () => undefined);
  if (options.input !== undefined) child.stdin?.end(options.input);
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`did not end in two minutes\n${stdout}\n${stderr}`));
    }, 120_000);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        code,
        signal,
        stdout,
        stderr,
        json: () => JSON.parse(stdout) as Record<string, unknown>,
        lines: () =>
          stdout
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, unknown>),
      });
    });
  });
}
