/** A real pseudo terminal with an emulator behind it: programs are typed on, and what they show is read. */
import type { Terminal } from '@xterm/headless';
import { bufferLines, newTerminal, windowRows } from './terminal.js';

export interface PtyOptions {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Whole environment; `TERM` is `xterm-256color` when absent. */
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

export interface PtyTerminal {
  readonly pid: number;
  readonly terminal: Terminal;
  send(keys: string): void;
  /** Until the window (or with `all` the scrollback too) shows it. Fails after `ms` with what is shown then. */
  waitFor(what: string | RegExp, options?: { readonly all?: boolean; readonly ms?: number }): Promise<void>;
  /** Until `holds` gives true; asked after each piece of output. `what` names it in the failure. */
  waitUntil(what: string, holds: () => boolean, ms?: number): Promise<void>;
  /** Rows of the window. */
  screen(): string[];
  /** All lines, the scrollback first, broken rows joined. */
  scrollback(): string[];
  cursor(): { readonly row: number; readonly column: number };
  /** The emulator first, then the program, as real ones do. */
  resize(columns: number, rows: number): void;
  /** Everything the program wrote so far. */
  output(): string;
  bytes(): number;
  signal(name: NodeJS.Signals): void;
  /** Closes our side of the terminal, as a window that is closed does. */
  hangUp(): void;
  /** Resolves when the program ended and its output is shown. */
  readonly exit: Promise<{ readonly code: number; readonly signal: number }>;
  /** Ends the program if it still runs. */
  close(): Promise<void>;
}

const WAIT_MS = 20_000;

/** Why there is no pseudo terminal here; undefined: there is one. */
export async function noPty(): Promise<string | undefined> {
  try {
    await import('@lydell/node-pty');
    return undefined;
  } catch (error) {
    return `no pseudo terminal: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export async function openPty(options: PtyOptions): Promise<PtyTerminal> {
  const { spawn } = await import('@lydell/node-pty');
  const columns = options.columns ?? 80;
  const rows = options.rows ?? 24;
  const terminal = newTerminal(columns, rows);
  const { env } = options;
  const child = spawn(options.file, [...(options.args ?? [])], {
    name: env?.['TERM'] ?? 'xterm-256color',
    cols: columns,
    rows,
    ...(options.cwd ? { cwd: options.cwd } : {}),
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env },
    encoding: 'utf8',
  });
  let output = '';
  let ended = false;
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  child.onData((text) => {
    output += text;
    terminal.write(text, changed);
  });
  // Answers of the emulator to questions about it.
  terminal.onData((text) => {
    if (!ended) child.write(text);
  });
  const exit = new Promise<{ code: number; signal: number }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      ended = true;
      terminal.write('', () => {
        changed();
        resolve({ code: exitCode, signal: signal ?? 0 });
      });
    });
  });
  const waitUntil = (what: string, holds: () => boolean, ms = WAIT_MS): Promise<void> =>
    new Promise((resolve, reject) => {
      const finish = (error?: Error): void => {
        watchers.delete(check);
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      const check = (): void => {
        if (holds()) finish();
        else if (ended) finish(new Error(`the program ended before: ${what}\n${bufferLines(terminal).slice(-40).join('\n')}`));
      };
      const timer = setTimeout(() => finish(new Error(`not within ${ms} ms: ${what}\n${windowRows(terminal).join('\n')}`)), ms);
      watchers.add(check);
      check();
    });
  const matches = (text: string, what: string | RegExp): boolean =>
    typeof what === 'string' ? text.includes(what) : what.test(text);
  return {
    pid: child.pid,
    terminal,
    send: (keys) => child.write(keys),
    waitUntil,
    waitFor: (what, more = {}) =>
      waitUntil(
        `shows ${what}`,
        () => matches((more.all ? bufferLines(terminal) : windowRows(terminal)).join('\n'), what),
        more.ms,
      ),
    screen: () => windowRows(terminal),
    scrollback: () => bufferLines(terminal),
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      child.resize(nextColumns, nextRows);
    },
    output: () => output,
    bytes: () => Buffer.byteLength(output),
    signal(name) {
      if (!ended) process.kill(child.pid, name);
    },
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    exit,
    async close() {
      if (!ended) child.kill('SIGKILL');
      await exit;
      terminal.dispose();
    },
  };
}
