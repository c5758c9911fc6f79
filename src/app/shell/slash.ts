/** One line with a slash in front: the command of ours or of a template, and the task it leaves behind. */
import type { ModeName } from '../../agents/registry.js';
import { nearestNames } from '../../base/nearest.js';
import { parseSlash } from '../../commands/registry.js';
import type { Command, CommandContext } from '../../types/command.js';
import type { Desk } from './desk.js';

/** A task that a command started; the mode holds for it alone. */
export interface StartedTask {
  readonly task: string;
  readonly mode?: ModeName;
}

/** Runs the command; false when the line is none. `started` hears of `/coder TASK`. */
export async function runSlash(
  line: string,
  desk: Desk,
  context: CommandContext,
  started: (task: StartedTask) => void,
): Promise<boolean> {
  const slash = parseSlash(line);
  if (!slash) return false;
  let { command } = slash;
  if (!command) {
    // Templates may be new since the last look.
    for (const warning of await desk.loadTemplates()) context.print(warning);
    command = desk.find(slash.name);
  }
  if (!command) context.print(unknownLine(slash.name, desk.commands(), context));
  await command?.run(slash.words, context);
  if (slash.mode && slash.words) started({ task: slash.words });
  return true;
}

function unknownLine(name: string, commands: readonly Command[], { t }: CommandContext): string {
  const known = commands.flatMap((one) => [one.name, ...one.aliases]);
  const [near] = nearestNames(name, known, 1);
  return near === undefined ? t('command.unknown', { name }) : t('command.near', { name, near });
}

/** Commands about what runs are of no use afterwards: they are done at once. True: the line was one. */
export function runsAtOnce(line: string, context: () => CommandContext | undefined): boolean {
  const slash = parseSlash(line.trim());
  const own = slash?.command?.name === 'agents' ? context() : undefined;
  if (!own) return false;
  void Promise.resolve(slash?.command?.run(slash.words, own)).catch(() => undefined);
  return true;
}
