/** A slash command of the shell: pure data plus one function with a narrow context. */

import type { Undoing } from './undo.js';

export interface CommandContext {
  print(text: string): void;
  /** A text of the catalogues in the user's language. */
  t(key: string, values?: Readonly<Record<string, string | number>>): string;
  readonly session: { readonly id: string; readonly mode: string; setMode(mode: string): void };
  readonly model: { readonly provider: string; readonly id: string };
  policyLines(): readonly string[];
  /** The agents that can be called; absent or empty: none. */
  agentLines?(): Promise<readonly string[]>;
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
