/** `!command`: a command of the user's own, run as they would run it, its output shown and kept for the next message. */
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/** Of the output so much goes into the next message, the end of it. */
const MOST_KEPT = 16_000;
/** What does not end when asked to has so long. */
const GRACE_MS = 1500;
/** After its end and so much silence, what it left running and holds the output open is not waited for. */
const DRAIN_MS = 200;
/** Nor is what goes on talking. */
const MOST_DRAIN_MS = 1000;

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
  const shell = env['SHELL'] || '/bin/sh';
  if (command.includes('\0')) {
    show('a command cannot hold a NUL character\n');
    return Promise.resolve({ code: undefined, output: '' });
  }
  return new Promise((resolve) => {
    let output = '';
    const told = (text: string): void => {
      output = (output + text).slice(-MOST_KEPT);
      show(text);
    };
    // What comes in pieces from both stays apart by lines.
    const streams = [wholeLines(told), wholeLines(told)] as const;
    const child = spawn(shell, ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const timers: NodeJS.Timeout[] = [];
    const send = (name: NodeJS.Signals): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, name);
      } catch {
        // Gone already.
      }
    };
    const stop = (): void => {
      send('SIGTERM');
      timers.push(setTimeout(() => send('SIGKILL'), GRACE_MS));
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', streams[0].take);
    child.stderr.on('data', streams[1].take);
    const done = (code: number | undefined): void => {
      signal.removeEventListener('abort', stop);
      // Of what was to be stopped nothing stays.
      if (signal.aborted) send('SIGKILL');
      for (const timer of timers) clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      for (const { end } of streams) end();
      resolve({ code, output });
    };
    child.on('error', (error) => {
      show(`${error.message}\n`);
      done(undefined);
    });
    child.on('close', (code) => done(code ?? undefined));
    child.on('exit', (code) => {
      const drain = setTimeout(() => done(code ?? undefined), DRAIN_MS);
      timers.push(drain);
      const latest = performance.now() + MOST_DRAIN_MS;
      const goOn = (): void => {
        if (performance.now() < latest) drain.refresh();
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', goOn);
    });
  });
}

/** So many characters of an output are shown as they come; of what follows the end. */
const MOST_SHOWN = 400_000;
const END_SHOWN = 8_000;

/** What is shown of an output that may be endless: pieces as `runOwn` gives them, whole lines or parts of long ones. */
export function shownOutput(print: (lines: readonly string[]) => void): {
  take(piece: string): void;
  /** Shows the end of what was held back; `cut` says how many characters are not shown. */
  end(cut: (count: number) => string): void;
} {
  let shown = 0;
  let held = '';
  let left = 0;
  const lines = (piece: string): readonly string[] => piece.replace(/\n$/, '').split('\n');
  return {
    take(piece) {
      if (shown < MOST_SHOWN) {
        shown += piece.length;
        print(lines(piece));
        return;
      }
      left += piece.length;
      held = (held + piece).slice(-END_SHOWN);
    },
    end(cut) {
      if (left > held.length) print([cut(left - held.length)]);
      if (held !== '') print(lines(held));
    },
  };
}

/** Gives whole lines as they come, the rest at the end; a line that grows long is given in parts. */
function wholeLines(give: (text: string) => void): { take(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    take(chunk) {
      rest += decoder.write(chunk);
      const lines = rest.lastIndexOf('\n') + 1;
      const end = lines > 0 || rest.length <= MOST_KEPT ? lines : rest.length;
      if (end === 0) return;
      give(rest.slice(0, end));
      rest = rest.slice(end);
    },
    end() {
      rest += decoder.end();
      if (rest !== '') give(rest);
      rest = '';
    },
  };
}
