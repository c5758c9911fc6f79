/** Which shell runs a command line, and how it is called. */
import { whichSystem } from './which.js';

export interface Shell {
  readonly file: string;
  /** `sh` means only plain POSIX may be taken for granted. */
  readonly kind: 'bash' | 'sh';
  /** Options that keep every start-up file out. */
  readonly options: readonly string[];
}

/** bash without rc files when it is installed, otherwise sh; never a login or interactive one. */
export function findShell(env: Readonly<Record<string, string>>): Shell {
  const bash = whichSystem('bash', env);
  if (bash !== undefined) return { file: bash, kind: 'bash', options: ['--noprofile', '--norc'] };
  return { file: whichSystem('sh', env) ?? '/bin/sh', kind: 'sh', options: [] };
}

/** Arguments that run one command line. After `--` a line that begins with a dash stays a command. */
export function shellArguments(shell: Shell, command: string): string[] {
  return [...shell.options, '-c', '--', command];
}

/** Arguments that run a script file, for command lines longer than one argument may be. */
export function scriptArguments(shell: Shell, script: string): string[] {
  return [...shell.options, '--', script];
}
