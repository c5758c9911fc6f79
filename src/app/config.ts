/** What a configuration is, and the only reader of the process's environment. Kept light: every start loads it. */
import type { DenialLimits } from '../loop/denials.js';
import type { FolderTrust } from '../policy/trust.js';
import type { SandboxMode } from '../process/sandbox/types.js';
import type { IdleRule, PermissionMode } from '../types/policy.js';
import type { Effort, ModelInfo } from '../types/provider.js';
import { type Language, pickLanguage } from '../ui/text/index.js';
import type { ThemeChoice } from '../ui/theme/names.js';
import type { AgentConfig } from './agent-config.js';

/** What the command line may say about the configuration. */
export interface ConfigFlags {
  readonly directory?: string;
  readonly addDir?: readonly string[];
  readonly provider?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly permissionMode?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly trust?: boolean;
  readonly maxTurns?: number;
  readonly budgetUsd?: number;
  readonly parallel?: boolean;
  readonly testCmd?: string;
  readonly lintCmd?: string;
  readonly lang?: string;
  /** A state folder of its own, for runs that must not read or write the user's (the demo). */
  readonly isolatedState?: string;
}

/** What is wrong in a trusted project's settings: a key nothing is called by, or why none of it counts (English). */
export interface ProjectFault {
  readonly code: 'project-key' | 'project-settings';
  readonly file: string;
  readonly what: string;
}

export interface Config {
  readonly home: string;
  /** `~/.chatcli`, or `CHATCLI_HOME`. */
  readonly state: string;
  readonly root: string;
  readonly tmp: string;
  readonly addDirs: readonly string[];
  /** What of the folder's own rules, settings and variables counts. */
  readonly trust: FolderTrust;
  readonly language: Language;
  /** Whole environment, for providers' own variables and keys; never given to tools. */
  readonly env: Readonly<Record<string, string>>;
  /** Environment of child processes, provider keys removed. */
  readonly childEnv: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly model?: string;
  readonly effort?: Effort;
  readonly fallback: readonly string[];
  readonly toolMode: 'auto' | 'native' | 'text';
  readonly permissionMode: PermissionMode;
  readonly maxTurns: number;
  readonly maxOutputTokens?: number;
  readonly budgetUsd?: number;
  readonly testCmd?: string;
  readonly lintCmd?: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** File of a rule in `allow` or `deny`, by `allow PATTERN`; absent for those of the command line. */
  readonly ruleOrigins: Readonly<Record<string, string>>;
  /** Allow rules in the project's settings that are not trusted, or not as they are now. */
  readonly idleRules: readonly IdleRule[];
  readonly projectFaults: readonly ProjectFault[];
  readonly allowUnsafe: boolean;
  readonly denialLimits: DenialLimits;
  readonly agents: AgentConfig;
  /** `retired`: the variable that asked for a container, with its value. */
  readonly sandbox: { readonly mode: SandboxMode; readonly retired?: string };
  readonly keys: Readonly<Record<string, string>>;
  readonly keyCommands: Readonly<Record<string, readonly string[]>>;
  /** Names whose key lies in the keychain of the system, and how it is read. */
  readonly keychain: readonly string[];
  fromKeychain(name: string): Promise<string | undefined>;
  /** Milliseconds without a byte before a provider is asked again; undefined: the provider's own default. */
  readonly idleMs?: number;
  readonly maxRetries: number;
  readonly models: Readonly<Record<string, Partial<ModelInfo>>>;
  readonly color: boolean;
  /** Of the interactive screen. */
  readonly theme: ThemeChoice;
  /** The terminal knows letters only. */
  readonly dumb: boolean;
}

/** The language for messages before (or without) a configuration. */
export function environmentLanguage(): Language {
  return pickLanguage(process.env);
}

/** The terminal can do nothing but print. */
export function isDumb(): boolean {
  return process.env['TERM'] === 'dumb';
}

/** A copy of the process's environment. */
export function processEnvironment(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  return env;
}
