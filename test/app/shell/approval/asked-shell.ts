/** The interactive shell in a pseudo terminal, against a scripted model: for the tests of its questions. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { program } from '../../../helpers/program.js';
import { openPty, type PtyTerminal } from '../../../helpers/pty.js';
import type { Script } from '../../../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../../../helpers/wire/server.js';

export interface AskedShell {
  readonly terminal: PtyTerminal;
  readonly server: WireServer;
  /** A file of the workspace, or undefined. */
  file(name: string): string | undefined;
  /** Writes one from outside. */
  put(name: string, text: string): void;
  /** Key by key, as a person presses them. */
  press(...keys: string[]): Promise<void>;
  /** Types a line at the prompt. */
  say(line: string): Promise<void>;
  /** Until a question may be answered. */
  question(): Promise<void>;
  close(): Promise<void>;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function askedShell(options: {
  readonly script: Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<AskedShell> {
  const main = await program();
  const base = mkdtempSync(join(tmpdir(), 'chatcli-asked-'));
  const [home, root] = [join(base, 'home'), join(base, 'project')];
  for (const folder of [home, root]) mkdirSync(folder);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const server = await startWireServer({ format: 'chat', script: options.script });
  const terminal = await openPty({
    file: process.execPath,
    args: [main],
    cwd: root,
    columns: options.columns ?? 90,
    rows: options.rows ?? 40,
    env: {
      HOME: home,
      OPENAI_API_KEY: 'sk-scripted-key-1234',
      OPENAI_API_URL: `${server.url}/v1/chat/completions`,
      OPENAI_MODEL: 'gpt-4o',
      TERM_PROGRAM: 'vscode',
      CHATCLI_CODER_AUTODIAG: 'false',
      ...options.env,
    },
  });
  const shown = (): string => terminal.screen().join('\n');
  return {
    terminal,
    server,
    file: (name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : undefined),
    put: (name, text) => writeFileSync(join(root, name), text),
    async press(...keys) {
      for (const key of keys) {
        terminal.send(key);
        await pause(70);
      }
    },
    async say(line) {
      await terminal.waitUntil('the prompt', () => /^(?:\w+)?> /m.test(shown()));
      terminal.send(line);
      await terminal.waitFor(line.slice(-20));
      terminal.send('\r');
    },
    async question() {
      await terminal.waitFor(/\[y\/.*\]/);
      await pause(320);
    },
    async close() {
      await terminal.close();
      await server.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
