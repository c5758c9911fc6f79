import type { GitSteps } from './git-steps.js';
/** The words of the sandbox: what is asked for, what works here, and the rules one command runs under. Data only. */

/** What the operator asks for. `auto`: `workspace` where it works. */
export type SandboxMode = 'auto' | 'off' | 'workspace' | 'strict';

/** What is in force. `strict` has no network. */
export type SandboxLevel = 'workspace' | 'strict';

export interface BubblewrapBackend {
  readonly kind: 'bubblewrap';
  /** Absolute path of the program. */
  readonly file: string;
  /** A user namespace has to be asked for (root without the right to mount). */
  readonly userNamespace: boolean;
  /** `--perms` is understood (0.5 and later): hidden folders cannot even be listed. */
  readonly perms: boolean;
  /** `--bind-fd` is understood: places a command could swap meanwhile are bound by open handle. */
  readonly handles: boolean;
  /** The network can be cut. */
  readonly network: boolean;
}

export interface SeatbeltBackend {
  readonly kind: 'seatbelt';
  readonly file: string;
  /** The rules against starting programs through system services are understood. */
  readonly services: boolean;
  readonly network: boolean;
}

export type SandboxBackend = BubblewrapBackend | SeatbeltBackend;

/** What a look at this machine found. Without a backend, `reason` is one English sentence without its full stop. */
export type SandboxProbe =
  | { readonly backend: SandboxBackend; readonly reason?: undefined }
  | { readonly backend?: undefined; readonly reason: string };

/**
 * A rule about one real path and all below it, until a deeper rule.
 * `write`, `read`: as it is. `private`: empty, writable, gone with the command. `hide-folder`: cannot be read; `passable` when
 * deeper rules show parts of it. `hide-file`: another file in its place (`stub`), or one that cannot be opened.
 */
export type PlaceRule =
  | {
      readonly kind: 'write' | 'read';
      readonly path: string;
      /** Kept although a rule above hides the place. */
      readonly shown?: boolean;
      /** Its place lies where commands can write: bound by handle, and a mount of its own so that it cannot be moved. */
      readonly pinned?: boolean;
    }
  | { readonly kind: 'private'; readonly path: string; readonly mode: string }
  | { readonly kind: 'hide-folder'; readonly path: string; readonly passable: boolean }
  | { readonly kind: 'hide-file'; readonly path: string; readonly stub?: string };

/** Everything a command is confined by. `rules` are sorted: a deeper path never comes before its parents. */
export interface SandboxPlan {
  readonly level: SandboxLevel;
  readonly network: boolean;
  readonly rules: readonly PlaceRule[];
  /** Variables that name sockets the command must not use. */
  readonly unset: readonly string[];
  /** Files that would redirect git and did not exist before; see `plantedFiles`. */
  readonly watched: readonly string[];
  /** Files of settings git would read, if they came into being. */
  readonly awaited: readonly string[];
  /** Entries of repositories that cannot be kept as they are, with the marks of what they run already. */
  readonly loose: readonly { readonly entry: string; readonly marks: readonly string[] }[];
  /** Lists of steps of a rebase, with the commands they hold already. */
  readonly steps: readonly GitSteps[];
  /** Data folders of repositories whose submodules are looked at as well. */
  readonly repositories: readonly string[];
  /** Identities (device and inode) of the repositories and settings of ours that were there when the plan was made. */
  readonly present: readonly string[];
  /** Workspaces that were looked through for them. */
  readonly scanned: readonly string[];
  /** English sentences about what could not be protected. */
  readonly notes: readonly string[];
  readonly home: string;
}

export type { ProgramStart as Program } from '../../types/sandbox.js';

/** A program inside its sandbox. `handles` must stand in its `stdio` from index 3 on, in this order; `release` closes ours. */
export interface ConfinedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly handles: readonly number[];
  readonly plan: SandboxPlan;
  release(): void;
}
