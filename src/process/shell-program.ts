/** The program and arguments that run a command line, however long it is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findShell, scriptArguments, shellArguments } from './shell.js';

/** Bytes of a command line that fit into one argument on every system (Linux: 128 KiB). */
const ARGUMENT_BYTES = 120_000;

export interface ShellProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** The file the command line was put into. */
  readonly script?: string;
  /** Takes away what was made for it, once it has ended. */
  cleanUp(): Promise<void>;
}

/**
 * A line too long for an argument goes into a script: `folder/command.sh`, or one in a new folder below `under`, by default the
 * folder for temporary files. What runs in a sandbox can write there, so a place of our own is better.
 */
export async function shellProgram(
  command: string,
  env: Readonly<Record<string, string>>,
  { folder, under = tmpdir() }: { readonly folder?: string; readonly under?: string } = {},
): Promise<ShellProgram> {
  const shell = findShell(env);
  if (Buffer.byteLength(command) <= ARGUMENT_BYTES)
    return { file: shell.file, args: shellArguments(shell, command), cleanUp: async () => undefined };
  const place = folder ?? (await newFolder(under));
  const script = join(place, 'command.sh');
  await writeFile(script, command, { mode: 0o600 });
  const made = folder === undefined ? place : script;
  return {
    file: shell.file,
    args: scriptArguments(shell, script),
    script,
    cleanUp: () => rm(made, { recursive: true, force: true }),
  };
}

async function newFolder(under: string): Promise<string> {
  try {
    return await mkdtemp(join(under, 'chatcli-command-'));
  } catch {
    // A state folder that cannot be written must not stop commands.
    return mkdtemp(join(tmpdir(), 'chatcli-command-'));
  }
}
