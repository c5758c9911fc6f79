/** Enters and leaves the modes of a terminal, and leaves them on every way out of the process. */
import { writeSync } from 'node:fs';
import type { ScreenOutput, TerminalTraits } from './features.js';

/** What is written on entering, and what undoes it. */
export interface Modes {
  readonly enter: string;
  readonly leave: string;
}

/** Bracketed paste, and keys told apart where the terminal is known to do it. Colours, wrap, cursor and frames are put right on leaving. */
export function modesOf(traits: TerminalTraits): Modes {
  const on = traits.keys === 'kitty' ? '\x1b[>1u' : traits.keys === 'xterm' ? '\x1b[>4;1m' : '';
  const off = traits.keys === 'kitty' ? '\x1b[<u' : traits.keys === 'xterm' ? '\x1b[>4m' : '';
  const frame = traits.synchronized ? '\x1b[?2026l' : '';
  return { enter: `\x1b[?2004h${on}`, leave: `${frame}${off}\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?25h` };
}

const ATTEMPTS = 200;

/** Writes before the process ends, when nothing can be waited for. A terminal that takes nothing more gets no more. */
export function writeNow(output: ScreenOutput, text: string): void {
  if (typeof output.fd !== 'number') {
    output.write(text);
    return;
  }
  let bytes = Buffer.from(text);
  for (let i = 0; i < ATTEMPTS && bytes.length > 0; i++) {
    try {
      bytes = bytes.subarray(writeSync(output.fd, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

export interface ExitHooks {
  release(): void;
}

const ENDING = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/**
 * Calls `leave` (synchronous) before the process ends: at its exit, before an uncaught error is printed, at a signal. A signal
 * nobody else listens to ends the process as it would have. `stop` brackets a stop by job control: it is called before, what it
 * gives back after the process goes on.
 */
export function hookExits(leave: () => void, stop: () => () => void): ExitHooks {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    leave();
    process.kill(process.pid, signal);
  };
  const onStop = (): void => {
    const goOn = stop();
    process.off('SIGTSTP', onStop);
    // Without our listener the process stops here, unless no shell could ever start it again.
    process.kill(process.pid, 'SIGTSTP');
    setImmediate(() => {
      if (released) return;
      process.on('SIGTSTP', onStop);
      goOn();
    });
  };
  let released = false;
  process.on('exit', leave);
  process.on('uncaughtExceptionMonitor', leave);
  for (const name of ENDING) process.on(name, onSignal);
  if (process.platform !== 'win32') process.on('SIGTSTP', onStop);
  return {
    release() {
      if (released) return;
      released = true;
      process.off('exit', leave);
      process.off('uncaughtExceptionMonitor', leave);
      for (const name of ENDING) process.off(name, onSignal);
      process.off('SIGTSTP', onStop);
    },
  };
}
