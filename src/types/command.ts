/** A slash command of the shell: pure data plus one function with a narrow context. */

import type {
  Changed,
  CheckpointsPort,
  CommitPort,
  FilesPort,
  ModelsPort,
  RightsPort,
  SessionsPort,
  SettingsPort,
  Spent,
  WindowView,
} from './command-ports.js';
import type { PluginsPort } from './plugin-port.js';
import type { Undoing } from './undo.js';

export type { Changed } from './command-ports.js';

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
  /** The rest is there in a conversation only. */
  readonly rights?: RightsPort;
  readonly models?: ModelsPort;
  readonly settings?: SettingsPort;
  spent?(): readonly Spent[];
  window?(): WindowView;
  readonly sessions?: SessionsPort;
  readonly checkpoints?: CheckpointsPort;
  readonly commits?: CommitPort;
  readonly files?: FilesPort;
  /** Starts a run once the command has ended; in the present mode when none is given. */
  start?(task: string, mode?: 'chat' | 'agent' | 'coder'): void;
  /** Puts a line where the user types, if nothing stands there; false when that is not possible. */
  propose?(line: string): boolean;
  /** Lets file tools work in a further folder from the next message on. */
  addFolder?(dir: string): Changed;
  doctor?(): Promise<readonly string[]>;
  /** What there is of a kind that folders and the program bring, as lines. */
  listing?(kind: 'skills'): Promise<readonly string[]>;
  readonly plugins?: PluginsPort;
  /** What a prompt of the program's own says. */
  prompt?(name: 'reviewer'): string;
  /** A number, or an amount of dollars, as people read it. */
  number?(value: number, decimals?: number): string;
  /** The command could not do all it was asked; a headless call then ends with 1. */
  failed?(): void;
}

/** One word that may stand behind a command. */
export interface Suggestion {
  readonly insert: string;
  /** What the list shows; `insert` when absent. */
  readonly label?: string;
  readonly detail?: string;
  /** False: more of the word follows. */
  readonly ends?: boolean;
}

export interface Command {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Key of the one-line summary in the catalogues; of a template the summary itself. */
  readonly summary: string;
  /** Where `/help` lists it; absent: with the templates. */
  readonly group?: 'work' | 'changes' | 'model' | 'session' | 'project' | 'shell';
  run(words: string, context: CommandContext): Promise<void> | void;
  /**
   * Words that may stand where `word` is half typed; `before` is what stands between the name and it. What does not fit
   * `word` is left out by the shell, so all may be given. Quick, and without effects.
   */
  complete?(word: string, context: CommandContext, before: string): Promise<readonly Suggestion[]> | readonly Suggestion[];
}
