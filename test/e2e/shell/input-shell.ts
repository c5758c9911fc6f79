/** The real program in a pseudo terminal with a home, a project and a scripted model; everything is ended and removed after a test. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { program } from '../../helpers/program.js';
import { noPty, openPty, type PtyTerminal } from '../../helpers/pty.js';
import { envFor } from '../../helpers/wire/env.js';
import type { Script } from '../../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../../helpers/wire/server.js';

/** A loaded machine starts the program slowly. */
export const PATIENCE_MS = 40_000;

export interface ShellOptions {
  readonly script?: Script;
  readonly models?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Files of the project by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of the home by path. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  /** Run before the program starts. */
  prepare?(place: Place): void;
  /** False: does not wait for the input to be up. */
  readonly wait?: boolean;
  /** A program that starts ours, with its arguments; `NODE` and `MAIN` stand in its environment. */
  readonly through?: readonly [string, ...string[]];
  /** Without the variables that name a model. */
  readonly bare?: boolean;
}

export interface Place {
  readonly base: string;
  readonly home: string;
  readonly root: string;
}

export interface PlayedShell extends Place {
  readonly terminal: PtyTerminal;
  readonly server: WireServer;
  /** What the model was told last by a person. */
  lastSaid(): string;
  /** Sends keys and waits until the window shows something. */
  type(keys: string, shows: string | RegExp): Promise<void>;
  /** A command or message with Enter, once it stands in the input. */
  enter(line: string, shows: string | RegExp): Promise<void>;
  /** Another start with the same home, project and server. */
  again(more?: ShellOptions): Promise<PlayedShell>;
  /** The whole screen as one text. */
  shown(): string;
  all(): string;
}

/** The row of the input where it is empty or not: the last row that begins with the prompt. */
export const PROMPT = /^(?:coder|agent|chat)?> /m;

export const paste = (text: string): string => `\x1b[200~${text}\x1b[201~`;

/** To be called once in a file; gives the start of a shell. */
export function playedShells(): (options?: ShellOptions) => Promise<PlayedShell> {
  vi.setConfig({ testTimeout: 180_000 });
  const ends: (() => Promise<void> | void)[] = [];
  beforeEach(async (context) => {
    const without = await noPty();
    if (without) context.skip(without);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return async (options = {}) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-input-')));
    ends.push(() => rmSync(base, { recursive: true, force: true }));
    const place = { base, home: join(base, 'home'), root: join(base, 'project') };
    for (const folder of [place.home, place.root]) mkdirSync(folder);
    writeAll(place.root, options.files ?? {});
    writeAll(place.home, options.homeFiles ?? {});
    options.prepare?.(place);
    const server = await startWireServer({
      format: 'chat',
      script: options.script ?? (() => ({ text: 'Understood.' })),
      ...(options.models ? { models: options.models } : {}),
    });
    ends.push(() => server.close());
    return open(place, server, options, ends);
  };
}

async function open(place: Place, server: WireServer, options: ShellOptions, ends: (() => Promise<void> | void)[]) {
  const main = await program();
  const { env, args = [], columns = 80, rows = 24, through, bare } = options;
  const words = through ?? [process.execPath, main, ...args];
  const terminal = await openPty({
    file: words[0],
    args: words.slice(1),
    cwd: place.root,
    columns,
    rows,
    env: {
      HOME: place.home,
      ...(bare ? {} : envFor(server)),
      ...(through ? { NODE: process.execPath, MAIN: main } : {}),
      ...env,
    },
  });
  ends.push(() => terminal.close());
  if (options.wait !== false) await terminal.waitFor(PROMPT, { ms: PATIENCE_MS });
  const type = async (keys: string, shows: string | RegExp): Promise<void> => {
    terminal.send(keys);
    await terminal.waitFor(shows, { ms: PATIENCE_MS });
  };
  const shell: PlayedShell = {
    ...place,
    terminal,
    server,
    type,
    async enter(line, shows) {
      terminal.send(line);
      const last = line.slice(-20);
      await terminal.waitUntil(`the input shows ${last}`, () => flat(terminal.screen()).includes(flat([last])), PATIENCE_MS);
      await type('\r', shows);
    },
    lastSaid: () =>
      server.requests
        .at(-1)
        ?.conversation.turns.filter(({ role }) => role === 'user')
        .at(-1)?.text ?? '',
    again: (more = {}) => open(place, server, { ...options, ...more }, ends),
    shown: () => terminal.screen().join('\n'),
    all: () => terminal.scrollback().join('\n'),
  };
  return shell;
}

/** Without the blanks and breaks that narrow windows bring. */
const flat = (rows: readonly string[]): string => rows.join('').replace(/\s+/g, '');

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Ends like the pipe a test would be: how often a piece stands in a text. */
export const count = (text: string, piece: string): number => text.split(piece).length - 1;
