/** Reads and checks the configuration files: own, project (after trust), model overrides, `.env`. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Validator } from '@cfworker/json-schema';
import type { ModelInfo } from '../types/provider.js';
import { CONFIG_SCHEMA, type ConfigFile, OWN_FILE_ONLY } from './config-schema.js';
import { UsageError } from './usage-error.js';

/** No configuration file is larger (bytes). */
const MAX_FILE = 1_000_000;

/** Do these bytes of a folder's own file count? */
export type Accepts = (bytes: Uint8Array) => boolean;

/** A project's settings as far as they can be used, and what is wrong in them. */
export interface ProjectSettings {
  readonly config?: ConfigFile;
  /** Keys nothing is called by; they count for nothing. */
  readonly unknown: readonly string[];
  /** Why none of it can be used; English. */
  readonly fault?: string;
}

/** The project's file, when it is there and accepted. Never throws: a folder's file may not stop every command. */
export function readProjectSettings(file: string, accepts: Accepts): ProjectSettings | undefined {
  let value: unknown;
  try {
    value = readJson(file, accepts);
  } catch (error) {
    return { unknown: [], fault: faultText(error) };
  }
  if (value === undefined) return undefined;
  const { value: config, ...rest } = checkedSettings(value);
  const kept = Object.entries(config ?? {}).filter(([key]) => !OWN_FILE_ONLY.includes(key));
  return config === undefined ? rest : { ...rest, config: Object.fromEntries(kept) as ConfigFile };
}

/** A project's settings from their text; `value` without the keys nothing is called by. Never throws. */
export function looseSettings(text: string): ReturnType<typeof checkedSettings> {
  try {
    return checkedSettings(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    return { unknown: [], fault: `not valid JSON: ${(error as Error).message}` };
  }
}

function checkedSettings(value: unknown): {
  readonly value?: ConfigFile;
  readonly unknown: readonly string[];
  readonly fault?: string;
} {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(isObject ? value : {});
  const isKnown = (key: string) => Object.hasOwn(CONFIG_SCHEMA.properties, key);
  const unknown = entries.map(([key]) => key).filter((key) => !isKnown(key));
  const known = isObject ? Object.fromEntries(entries.filter(([key]) => isKnown(key))) : value;
  const outcome = new Validator(CONFIG_SCHEMA as never, '2020-12', true).validate(known);
  if (outcome.valid) return { value: known as ConfigFile, unknown };
  const error = outcome.errors.at(-1);
  return { unknown, fault: `${error?.instanceLocation ?? '#'}: ${error?.error ?? '?'}` };
}

function faultText(error: unknown): string {
  if (!(error instanceof UsageError)) return String(error);
  const { reason, bytes } = error.values;
  return String(reason ?? (bytes === undefined ? 'it is not a regular file' : `it is larger than ${bytes} bytes`));
}

/** The parsed file, or undefined when there is none or it is not accepted. Throws UsageError that names file and place. */
export function readConfigFile(file: string, kind: 'own' | 'project', accepts?: Accepts): ConfigFile | undefined {
  const value = readJson(file, accepts);
  if (value === undefined) return undefined;
  const outcome = new Validator(CONFIG_SCHEMA as never, '2020-12', true).validate(value);
  if (!outcome.valid) {
    const unknown = outcome.errors.find((one) => one.keyword === 'additionalProperties' && one.instanceLocation === '#');
    const key = /"([^"]*)"/.exec(unknown?.error ?? '')?.[1];
    const names = Object.keys(CONFIG_SCHEMA.properties).join(', ');
    if (key !== undefined && !(key in CONFIG_SCHEMA.properties))
      throw new UsageError('usage.unknownKey', { file, key, names }, 'provider.known');
    const error = outcome.errors.at(-1);
    const reason = `${error?.instanceLocation ?? '#'}: ${error?.error ?? '?'}`;
    throw new UsageError('usage.badFile', { file, reason });
  }
  const config = value as ConfigFile;
  if (kind === 'own') {
    if (config.keys && (statSync(file).mode & 0o077) !== 0)
      throw new UsageError('usage.openKeys', { file }, 'usage.openKeysHint');
    return config;
  }
  const kept = Object.entries(config).filter(([key]) => !OWN_FILE_ONLY.includes(key));
  return Object.fromEntries(kept) as ConfigFile;
}

/** The rules in a project's file that is not accepted: its denials count all the same. Never throws; what is odd holds none. */
export function readRulesOnly(file: string): { readonly allow: readonly string[]; readonly deny: readonly string[] } {
  try {
    const value = readJson(file, () => true) as { allow?: unknown; deny?: unknown } | null | undefined;
    return { allow: textsOf(value?.allow), deny: textsOf(value?.deny) };
  } catch {
    return { allow: [], deny: [] };
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string' && entry.trim() !== '') : [];
}

/** `<state>/models.json`: what the user knows better about models (prices, windows), by model id. */
export function readModelOverrides(state: string): Readonly<Record<string, Partial<ModelInfo>>> {
  const file = join(state, 'models.json');
  const value = readJson(file);
  if (value === undefined) return {};
  const models = (value as { models?: unknown }).models ?? value;
  if (models === null || typeof models !== 'object' || Array.isArray(models))
    throw new UsageError('usage.badModels', { file, model: '#' });
  for (const [id, info] of Object.entries(models)) {
    const price = (info as { price?: { input?: unknown; output?: unknown } } | null)?.price;
    const bad =
      info === null ||
      typeof info !== 'object' ||
      (price !== undefined && (typeof price?.input !== 'number' || typeof price?.output !== 'number'));
    if (bad) throw new UsageError('usage.badModels', { file, model: id });
  }
  return models as Record<string, Partial<ModelInfo>>;
}

/** Variables a trusted `.env` may set: ours and the model services', never addresses or what guards us. */
export function readDotenv(file: string, accepts?: Accepts): Record<string, string> {
  let text: string;
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > MAX_FILE) return {};
    const bytes = readFileSync(file);
    if (accepts && !accepts(bytes)) return {};
    text = bytes.toString('utf8');
  } catch {
    return {};
  }
  return dotenvVariables(text);
}

/** The variables of a `.env` that may count, by name. Never throws. */
export function dotenvVariables(text: string): Record<string, string> {
  const values = parseEnv(text) as Record<string, string>;
  return Object.fromEntries(Object.entries(values).filter(([name]) => dotenvMaySet(name)));
}

const MODEL_NAMES =
  /^(?:LLM_PROVIDER|(?:OPENAI|ANTHROPIC|GOOGLEAI|XAI|ZAI|MINIMAX|MOONSHOT|OPENROUTER|OLLAMA|GITHUB_MODELS|LMSTUDIO|LLAMACPP|VLLM)_(?:API_KEY|MODEL)|OPENAI_USE_RESPONSES|OLLAMA_ENABLED|MAX_RETRIES|INITIAL_BACKOFF)$/;
const GUARDED =
  /HOME|DOTENV|SANDBOX|POLICY|SECURITY|SUDO|ALLOW|DENY|DENIAL|CHECKPOINT|PLUGIN|TRUST|_CMD$|COMMAND|TMPDIR|URL|WORKSPACE|READ_PATHS|KUBECONFIG|ENCRYPTION|PERMISSION/;

function dotenvMaySet(name: string): boolean {
  if (MODEL_NAMES.test(name)) return true;
  return name.startsWith('CHATCLI_') && !GUARDED.test(name.slice('CHATCLI_'.length));
}

function readJson(file: string, accepts?: Accepts): unknown {
  let text: string;
  try {
    const stat = statSync(file);
    if (accepts && (!stat.isFile() || stat.size > MAX_FILE)) return undefined;
    if (!stat.isFile()) throw new UsageError('usage.notPlain', { file });
    if (stat.size > MAX_FILE) throw new UsageError('usage.tooLarge', { file, bytes: MAX_FILE });
    const bytes = readFileSync(file);
    if (accepts && !accepts(bytes)) return undefined;
    text = bytes.toString('utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UsageError('usage.badFile', { file, reason: message });
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError('usage.badJson', { file, reason: (error as Error).message });
  }
}
