/** The slash commands, one line each; help and completion come from this list. */
import type { Command } from '../types/command.js';
import { addDir } from './add-dir.js';
import { agent } from './agent.js';
import { agents } from './agents.js';
import { chat } from './chat.js';
import { checkpoint } from './checkpoint.js';
import { coder } from './coder.js';
import { commit } from './commit.js';
import { compact } from './compact.js';
import { config } from './config.js';
import { context } from './context.js';
import { cost } from './cost.js';
import { diff } from './diff.js';
import { doctor } from './doctor.js';
import { effort } from './effort.js';
import { exit } from './exit.js';
import { exportSession } from './export.js';
import { help } from './help.js';
import { init } from './init.js';
import { mcp } from './mcp.js';
import { memory } from './memory.js';
import { mode } from './mode.js';
import { model } from './model.js';
import { plan } from './plan.js';
import { plugin } from './plugin.js';
import { policy } from './policy.js';
import { redo } from './redo.js';
import { resume } from './resume.js';
import { review } from './review.js';
import { session } from './session.js';
import { skills } from './skills.js';
import { switchProvider } from './switch.js';
import { trust } from './trust.js';
import { undo } from './undo.js';

export const COMMANDS: readonly Command[] = [
  coder,
  agent,
  chat,
  plan,
  mode,
  review,
  agents,
  undo,
  redo,
  diff,
  checkpoint,
  commit,
  switchProvider,
  model,
  effort,
  session,
  resume,
  context,
  cost,
  compact,
  exportSession,
  config,
  init,
  doctor,
  policy,
  trust,
  addDir,
  skills,
  plugin,
  mcp,
  memory,
  help,
  exit,
];

/** Modes by the command that enters them. */
const MODES: ReadonlyMap<Command, 'coder' | 'agent' | 'chat'> = new Map([
  [coder, 'coder'],
  [agent, 'agent'],
  [chat, 'chat'],
]);

/** A line that begins like a command. `command` is undefined when there is none of that name. */
export interface SlashLine {
  readonly name: string;
  /** Everything behind the name, trimmed. */
  readonly words: string;
  readonly command?: Command;
  /** Set for `/coder`, `/agent`, `/run`, `/chat`: the words, if any, are a task in that mode. */
  readonly mode?: 'coder' | 'agent' | 'chat';
}

/** Undefined for a line that is no command; a path such as `/usr/bin` is none. */
export function parseSlash(line: string): SlashLine | undefined {
  const match = /^\/([a-z?][a-z0-9_:-]{0,79})(?:\s+([\s\S]*))?$/i.exec(line.trim());
  if (!match) return undefined;
  const name = (match[1] ?? '').toLowerCase();
  const command = COMMANDS.find((one) => one.name === name || one.aliases.includes(name));
  const mode = command && MODES.get(command);
  return { name, words: (match[2] ?? '').trim(), ...(command ? { command } : {}), ...(mode ? { mode } : {}) };
}

/** Commands a half-typed line may become. */
export function completeSlash(line: string): string[] {
  if (!/^\/\S*$/.test(line)) return [];
  return COMMANDS.flatMap((command) => [command.name, ...command.aliases])
    .map((name) => `/${name}`)
    .filter((name) => name.startsWith(line.toLowerCase()))
    .sort();
}
