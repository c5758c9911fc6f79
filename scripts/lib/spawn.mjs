// Child processes for the scripts: signals and exit codes go through.
import { spawn } from 'node:child_process';

const FORWARDED = process.platform === 'win32' ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program on our own terminal and answers `{code, signal}` when it has ended.
 * A signal to us goes to the child; Ctrl+C on a terminal reaches it without us (same process group).
 */
export function runThrough(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const forward = (signal) => {
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    const done = () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      done();
      resolve({ code, signal });
    });
  });
}

/** Runs a program quietly: `{code, output}` with both streams in one text. Ends with us. `onStart` is told its process id. */
export function runQuiet(command, args, { onStart, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    if (child.pid !== undefined) onStart?.(child.pid);
    const parts = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.stderr.on('data', (part) => parts.push(part));
    const stop = () => child.kill('SIGKILL');
    process.on('exit', stop);
    child.on('error', (error) => {
      process.off('exit', stop);
      reject(error);
    });
    child.on('close', (code, signal) => {
      process.off('exit', stop);
      resolve({ code, signal, output: Buffer.concat(parts).toString('utf8') });
    });
  });
}

/** Ends this process the way the child ended: same exit code, or the same signal. */
export function endLike({ code, signal }) {
  if (signal && process.platform !== 'win32') process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}
