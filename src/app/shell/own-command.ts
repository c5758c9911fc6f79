/** `!command`: a command of the user's own, run as they would run it, its output shown and kept for the next message. */
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/** Of the output so much goes into the next message, the end of it. */
const MOST_KEPT = 16_000;

export interface OwnCommand {
  readonly code: number | undefined;
  readonly output: string;
}

/** Runs it in the user's shell and folder; `show` hears the output as it comes. Never throws; an aborted signal ends its group. */
export function runOwn(
  command: string,
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    show(text: string): void;
  },
): Promise<OwnCommand> {
  const { cwd, env, signal, show } = options;
  const shell = env['SHELL'] ?? '/bin/sh';
  return new Promise((resolve) => {
    const decoder = new StringDecoder('utf8');
    let output = '';
    const take = (chunk: Buffer): void => {
      const text = decoder.write(chunk);
      output = (output + text).slice(-MOST_KEPT);
      show(text);
    };
    const child = spawn(shell, ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const end = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // Gone already.
      }
    };
    signal.addEventListener('abort', end, { once: true });
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const done = (code: number | undefined): void => {
      signal.removeEventListener('abort', end);
      resolve({ code, output });
    };
    child.on('error', (error) => {
      show(`${error.message}\n`);
      done(undefined);
    });
    child.on('close', (code) => done(code ?? undefined));
  });
}
