/** What commands of the shell work on beyond the session itself: narrow ports, each optional in the context. */
import type { PermissionMode } from './policy.js';
import type { Effort, Usage } from './provider.js';
import type { SessionState } from './session.js';

/** What a change came to, as lines for people. */
export interface Changed {
  readonly done: boolean;
  readonly lines: readonly string[];
}

/** The permission mode of the session; a change is in force for the next call at once. */
export interface RightsPort {
  readonly mode: PermissionMode;
  /** The mode before the present one was set, to come back from plan mode. */
  readonly before: PermissionMode;
  set(mode: PermissionMode): void;
  /** Where commands run: `off` and `none` mean that nothing confines them. */
  sandbox(): string;
}

export interface ProviderChoice {
  readonly name: string;
  /** `key`: a key is set; `local`: needs none; `none`: cannot be used before one of `variables` is set. */
  readonly ready: 'key' | 'local' | 'none';
  readonly variables: readonly string[];
  readonly isActive: boolean;
}

export interface ModelChoice {
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Dollars per million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

export interface ModelList {
  readonly provider: string;
  /** `service`: it was asked; `catalogue`: it did not answer, and these are known families. */
  readonly source: 'service' | 'catalogue';
  readonly models: readonly ModelChoice[];
}

/** Which model answers. Changes count from the next message on; what was said stays. */
export interface ModelsPort {
  readonly provider: string;
  readonly model: string;
  readonly effort: Effort | undefined;
  /** The same for completion: what the last `list` of a provider gave, without asking. */
  known(provider: string): readonly string[];
  providers(): readonly ProviderChoice[];
  /** Asks the service (the active one when no name is given); may take some seconds. Never throws. */
  list(provider?: string): Promise<ModelList>;
  use(choice: { readonly provider?: string; readonly model?: string }): Promise<Changed>;
  setEffort(effort: Effort | undefined): void;
}

export type SettingOrigin = 'flag' | 'variable' | 'project' | 'own' | 'default' | 'session';

export interface Setting {
  readonly name: string;
  /** As people read it; secrets are never in it. */
  readonly shown: string;
  readonly origin: SettingOrigin;
  /** The flag, variable or file it comes from. */
  readonly from?: string;
  readonly about: string;
}

export interface SettingsPort {
  list(): readonly Setting[];
  /** Writes the user's own file; no value takes the setting out of it. */
  set(name: string, value: string | undefined): Changed;
  readonly file: string;
}

/** What one agent spent on one model in this session. */
export interface Spent {
  readonly agent: string;
  readonly model: string;
  readonly requests: number;
  readonly usage: Usage;
  /** Dollars; undefined: the price of a request is not known. */
  readonly cost: number | undefined;
}

/** One kind of thing in the window, estimated in tokens. */
export interface WindowPart {
  readonly kind: 'system' | 'tools' | 'person' | 'answers' | 'reasoning' | 'calls' | 'results' | 'notes' | 'images';
  readonly tokens: number;
  readonly count: number;
}

export interface WindowView {
  readonly model: string;
  /** Tokens the window holds. */
  readonly size: number;
  readonly parts: readonly WindowPart[];
  /** Tokens the service counted for the last request; undefined before the first. */
  readonly measured: number | undefined;
}

export interface SavedSession {
  readonly id: string;
  readonly title: string;
  readonly created: number;
  readonly updated: number;
  readonly damaged?: string;
}

/** Saved conversations of this folder. Reading throws Error with a sentence for people. */
export interface SessionsPort {
  list(): Promise<readonly SavedSession[]>;
  read(id: string): Promise<SessionState>;
  /** Goes on with it once the command has ended. */
  resume(id: string): void;
  /** The redacted text of a session as a document. */
  document(id: string, form: 'md' | 'html' | 'json'): Promise<string>;
}

export interface SavedCheckpoint {
  readonly id: string;
  readonly time: number;
  readonly label: string;
}

export interface CheckpointChange {
  readonly path: string;
  readonly how: 'added' | 'removed' | 'changed';
}

/** Snapshots of the folder. All throw Error with a sentence. */
export interface CheckpointsPort {
  list(): Promise<readonly SavedCheckpoint[]>;
  /** What has changed in the folder since, newest state against the snapshot. */
  changes(id: string): Promise<readonly CheckpointChange[]>;
  /** A unified diff from the snapshot to the folder as it is. */
  diff(id: string): Promise<string>;
  /** Brings the folder back; what it holds now is recorded first. Later files stay unless `exact`. */
  restore(id: string, options: { readonly exact: boolean }): Promise<Changed>;
}

/** Commits with a message the model wrote. All throw Error with a sentence. */
export interface CommitPort {
  /** What would be committed: the staged changes, or all when nothing is staged. */
  pending(): Promise<{ readonly staged: boolean; readonly files: readonly string[] }>;
  write(): Promise<string>;
  /** Passes the gate like any command. `again`: there is more than what was shown; nothing was done, and asked once more it is. */
  commit(message: string): Promise<Changed & { readonly again?: boolean }>;
}

/** Writes a file the user named. */
export interface FilesPort {
  /** Mode 0600. Never replaces a file unless `replace`; gives its path as people read it. Throws Error with a sentence. */
  write(
    path: string,
    text: string,
    options: { readonly replace: boolean },
  ): { readonly path: string; readonly replaced: boolean };
}

/** A prompt template of the user's or of a trusted folder. */
export interface Template {
  /** `review`, or `frontend:component` for a file in a folder. */
  readonly name: string;
  readonly about: string;
  readonly file: string;
  readonly body: string;
}
