/** What a provider entry is, and the plain values it is built from. */
import type { ModelInfo, Provider } from '../../types/provider.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the configuration may say about providers; the application's whole configuration fits. */
export interface ProviderConfig {
  /** Name of the provider, already decided between flag, environment and file. */
  readonly provider?: string;
  readonly model?: string;
  /** Further providers, `NAME` or `NAME:model`, tried in order. */
  readonly fallback?: readonly string[];
  /** Keys by variable or provider name, from a file only the user can read. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Words of a command that prints a key, by variable or provider name. Run without a shell. */
  readonly keyCommands?: Readonly<Record<string, readonly string[]>>;
  /** Variable or provider names whose key lies in the keychain of the system. */
  readonly keychain?: readonly string[];
  /** Reads the keychain; undefined: it holds no such key. Must not throw. */
  fromKeychain?(name: string): Promise<string | undefined>;
  /** Milliseconds without a byte before a request counts as dead. */
  readonly idleMs?: number;
  readonly maxRetries?: number;
  /** What the user knows better about models, by model id. */
  readonly models?: Readonly<Record<string, Partial<ModelInfo>>>;
}

export interface ProviderSettings {
  /** Values of the environment, passed in; nothing here reads the process. */
  readonly env: Environment;
  readonly config: ProviderConfig;
}

/** One service: plain data and the function that makes its Provider. */
export interface ProviderEntry {
  readonly name: string;
  /** Variables that may hold the key; one that is set selects this provider. */
  readonly keyVariables: readonly string[];
  /** Variables that may hold the key only when the provider was named (they mean other things too). */
  readonly namedKeyVariables?: readonly string[];
  readonly urlVariables: readonly string[];
  readonly modelVariable: string;
  /** Absent: the server is asked which models it has. */
  readonly defaultModel?: string;
  /** Works without a key (a server of one's own). */
  readonly keyless?: boolean;
  /** Where the server is unless a variable says otherwise (keyless services). */
  readonly defaultAddress?: string;
  /** Where to look for the server when nothing is configured; loopback only. */
  readonly localProbe?: string;
  /** Makes the provider; loads its SDK at the first request. Never throws. */
  create(settings: ProviderSettings): Provider;
}

/** The first of these variables that holds something, trimmed. */
export function firstValue(env: Environment, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return value;
  }
  return undefined;
}
