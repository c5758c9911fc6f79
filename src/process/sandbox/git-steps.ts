/** Commands that a rebase under way would run when the user goes on with it. */
import { join } from 'node:path';
import { textOf } from './git-programs.js';

/** A list of steps, and the commands in it. */
export interface GitSteps {
  readonly file: string;
  readonly commands: readonly string[];
}

/** Where git keeps the steps of a rebase: `folder` is the data folder of a repository or of a linked working tree. */
export function stepsOf(folder: string): GitSteps {
  const file = join(folder, 'rebase-merge', 'git-rebase-todo');
  return { file, commands: commandsIn(file) };
}

/** The commands of `exec` lines that were not there before. */
export function newCommands({ file, commands }: GitSteps): string[] {
  return commandsIn(file).filter((command) => !commands.includes(command));
}

function commandsIn(file: string): string[] {
  const lines = (textOf(file) ?? '').split('\n');
  return lines.flatMap((line) => /^\s*(?:exec|x)\s+(\S.*)$/.exec(line)?.[1] ?? []);
}
