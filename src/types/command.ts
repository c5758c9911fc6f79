/** A slash command of the shell: pure data plus one function with a narrow context. */

import type { Undoing } from './undo.js';

/** What a change came to, as lines for people. */
export interface Changed {
  readonly done: boolean;
  readonly lines: readonly string[];
}

/** Trust of the folder worked in. `add` and `remove` throw when it cannot be saved. */
export interface TrustPort {
  show(): readonly string[];
  /** Trusts what stands there now; not done when that is not what `show` showed last. */
  add(): Changed;
  remove(): Changed;
  /** All trusted folders. */
  list(): readonly string[];
}

export interface CommandContext {
  print(text: string): void;
  /** A text of the catalogues in the user's language. */
  t(key: string, values?: Readonly<Record<string, string | number>>): string;
  readonly session: { readonly id: string; readonly mode: string; setMode(mode: string): void };
  readonly model: { readonly provider: string; readonly id: string };
  policyLines(): readonly string[];
  /** Who is at work, else (with `all` too) the agents that can be called; absent or empty: none. */
  agentLines?(all?: boolean): Promise<readonly string[]>;
  /** Stops one agent at work by its id; false: there is none of that id. */
  cancelAgent?(worker: string): boolean;
  /** Takes a rule out of the user's own file and says what became of it; absent where no rules are at hand. */
  removeRule?(pattern: string): Changed;
  /** What the folder brings and whether it counts; absent outside the shell. */
  readonly trust?: TrustPort;
  commands(): readonly Command[];
  stop(): void;
  /** What can be taken back in this session; absent where nothing is recorded. */
  readonly undoing?: Undoing;
  /** The command could not do all it was asked; a headless call then ends with 1. */
  failed?(): void;
}

export interface Command {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Key of the one-line summary in the catalogues. */
  readonly summary: string;
  run(words: string, context: CommandContext): Promise<void> | void;
}
