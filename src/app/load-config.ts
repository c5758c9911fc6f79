/** Environment, files and flags become one frozen Config. */
import { realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DEFAULT_DENIAL_LIMITS } from '../loop/denials.js';
import { type Brought, whatItBrings } from '../policy/brings.js';
import { accepts, type FolderTrust, trustForRun, trustOf, trustRecord, wasPinned } from '../policy/trust.js';
import { safePath } from '../process/safe-path.js';
import { parseSandboxMode, SANDBOX_MODES } from '../process/sandbox/mode.js';
import { scrubEnv } from '../process/scrub-env.js';
import { type IdleRule, PERMISSION_MODES } from '../types/policy.js';
import { pickLanguage } from '../ui/text/index.js';
import { THEME_CHOICES } from '../ui/theme/names.js';
import { agentConfig } from './agent-config.js';
import { type Config, type ConfigFlags, type ProjectFault, processEnvironment } from './config.js';
import {
  type ProjectSettings,
  readConfigFile,
  readDotenv,
  readModelOverrides,
  readProjectSettings,
  readRulesOnly,
} from './config-files.js';
import type { ConfigFile } from './config-schema.js';
import { homeFolder } from './home-folder.js';
import { providerKeys } from './redact.js';
import { UsageError } from './usage-error.js';

const PROJECT_CONFIG = '.chatcli/config.json';

/** Reads everything once. Throws UsageError with file or variable and what would work. */
export function loadConfig(flags: ConfigFlags = {}): Config {
  const base = processEnvironment();
  const root = workspaceRoot(flags.directory);
  const home = homeFolder();
  if (home === undefined) throw new UsageError('usage.noHome');
  const moved = base['CHATCLI_HOME'];
  const state = flags.isolatedState ?? (moved ? resolve(moved) : join(home, '.chatcli'));
  const trust = flags.trust === true ? trustForRun(broughtBy({ root, state, home, env: base })) : trustOf(state, root);
  const isTrusted = trust.forRun || trustRecord(state, root)?.answer === 'trusted';
  const own = readConfigFile(join(state, 'config.json'), 'own') ?? {};
  const { project, narrowing, idle, faults } = projectFile(root, state, trust);
  const addDirs = [...(own.addDirs ?? []), ...(project.addDirs ?? []), ...(flags.addDir ?? [])].map(furtherFolder);
  const env = withSafePath(completed(base, root, trust), [root, ...addDirs], isTrusted);
  const file: ConfigFile = { ...own, ...project };
  const lang = oneOf('--lang', flags.lang, ['en', 'pt-BR', 'pt'] as const);
  const language = lang
    ? pickLanguage({ CHATCLI_LANG: lang })
    : file.lang && !env['CHATCLI_LANG']
      ? file.lang
      : pickLanguage(env);
  return Object.freeze({
    home,
    state,
    root,
    tmp: tmpdir(),
    addDirs,
    trust,
    language,
    env,
    childEnv: scrubEnv(env, providerKeys({ env, keys: own.keys ?? {} })),
    provider: flags.provider ?? env['LLM_PROVIDER'] ?? file.provider,
    model: flags.model ?? file.model,
    effort: oneOf('--effort', flags.effort, ['low', 'medium', 'high', 'max'] as const) ?? file.effort,
    fallback: list(env['CHATCLI_FALLBACK_PROVIDERS']) ?? file.fallback ?? [],
    toolMode:
      oneOf('CHATCLI_TOOL_MODE', env['CHATCLI_TOOL_MODE'], ['auto', 'native', 'text'] as const) ?? file.toolMode ?? 'auto',
    permissionMode: oneOf('--permission-mode', flags.permissionMode, PERMISSION_MODES) ?? file.permissionMode ?? 'default',
    maxTurns: turnLimit(flags.maxTurns, env['CHATCLI_AGENT_PLUGIN_MAX_TURNS'], file.maxTurns),
    maxOutputTokens: file.maxOutputTokens,
    budgetUsd: flags.budgetUsd ?? file.budgetUsd,
    testCmd: flags.testCmd ?? file.testCmd,
    lintCmd: flags.lintCmd ?? file.lintCmd,
    allow: [...(own.allow ?? []), ...(project.allow ?? []), ...rulesOf('--allow', flags.allow)],
    deny: [...(own.deny ?? []), ...narrowing, ...rulesOf('--deny', flags.deny)],
    ruleOrigins: {
      ...originsOf(join(root, PROJECT_CONFIG), project.allow, narrowing),
      ...originsOf(join(state, 'config.json'), own.allow, own.deny),
    },
    idleRules: idle,
    projectFaults: faults,
    allowUnsafe: own.allowUnsafe === true,
    denialLimits: {
      inARow: wholeNumber(env['CHATCLI_MAX_CONSECUTIVE_DENIALS'], 1, 1000) ?? DEFAULT_DENIAL_LIMITS.inARow,
      inAll: wholeNumber(env['CHATCLI_MAX_TOTAL_DENIALS'], 1, 1000) ?? DEFAULT_DENIAL_LIMITS.inAll,
    },
    agents: agentConfig(env, flags.parallel !== false),
    sandbox: sandboxOf(base),
    keys: own.keys ?? {},
    keyCommands: own.keyCommands ?? {},
    keychain: own.keychain ?? [],
    fromKeychain: async (name: string) => (await import('./keychain.js')).keychainGet(name),
    ...(file.idleSeconds === undefined ? {} : { idleMs: file.idleSeconds * 1000 }),
    maxRetries: file.maxRetries ?? wholeNumber(env['MAX_RETRIES'], 0, 20) ?? 5,
    models: readModelOverrides(state),
    dumb: env['TERM'] === 'dumb',
    theme: oneOf('CHATCLI_THEME', env['CHATCLI_THEME'], THEME_CHOICES) ?? file.theme ?? 'auto',
    color: !env['NO_COLOR'] && env['TERM'] !== 'dumb' && process.stderr.isTTY === true,
  });
}

interface ProjectFile {
  readonly project: ConfigFile;
  /** Its denials, which count before it is trusted. */
  readonly narrowing: readonly string[];
  readonly idle: readonly IdleRule[];
  readonly faults: readonly ProjectFault[];
}

function projectFile(root: string, state: string, trust: FolderTrust): ProjectFile {
  const file = join(root, PROJECT_CONFIG);
  // In the home folder it is the user's own file, read as such.
  if (file === join(state, 'config.json')) return { project: {}, narrowing: [], idle: [], faults: [] };
  const settings = readProjectSettings(file, (bytes) => accepts(trust, PROJECT_CONFIG, bytes));
  const faults = settings === undefined ? [] : projectFaults(file, settings);
  if (settings?.config) return { project: settings.config, narrowing: settings.config.deny ?? [], idle: [], faults };
  const { allow, deny } = readRulesOnly(file);
  const why = wasPinned(trust, PROJECT_CONFIG) ? 'changed' : 'untrusted';
  const idle = allow.map((pattern) => ({ rule: { pattern, action: 'allow', origin: file }, why }) as const);
  return { project: {}, narrowing: deny, idle: settings === undefined ? idle : [], faults };
}

function projectFaults(file: string, { unknown, fault }: ProjectSettings): ProjectFault[] {
  const keys = unknown.map((key) => ({ code: 'project-key', file, what: key }) as const);
  return fault === undefined ? keys : [...keys, { code: 'project-settings', file, what: fault }];
}

function originsOf(file: string, allow: readonly string[] = [], deny: readonly string[] = []): Record<string, string> {
  const keys = [...allow.map((pattern) => `allow ${pattern.trim()}`), ...deny.map((pattern) => `deny ${pattern.trim()}`)];
  return Object.fromEntries(keys.map((key) => [key, file]));
}

/**
 * What the folder brings, a `.env` under another name included, without what is the user's own and without a `.env` that sets
 * nothing of ours.
 */
export function broughtBy(
  config: Pick<Config, 'root' | 'state' | 'env'> & { readonly home?: string | undefined },
): readonly Brought[] {
  const { within } = dotenvOf(config.env, config.root);
  const all = whatItBrings(config.root, {
    more: within === undefined || within === '.env' ? [] : [within],
    state: config.state,
    ...(config.home === undefined ? {} : { home: config.home }),
  });
  return all.filter(({ kind, path }) => kind !== 'env' || Object.keys(readDotenv(join(config.root, path))).length > 0);
}

function workspaceRoot(directory: string | undefined): string {
  const dir = resolve(directory ?? '.');
  try {
    if (statSync(dir).isDirectory()) return realpathSync(dir);
  } catch {
    // told below
  }
  throw new UsageError('usage.badFolder', { folder: directory ?? '.' });
}

function furtherFolder(dir: string): string {
  const folder = resolve(dir);
  if (isFolder(folder)) return folder;
  throw new UsageError('usage.badAddDir', { folder: dir });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function rulesOf(name: string, rules: readonly string[] | undefined): readonly string[] {
  if (rules?.some((rule) => rule.trim() === '')) throw new UsageError('usage.emptyRule', { name });
  return rules ?? [];
}

/** The environment, completed from `.env` as far as it is trusted; what is set already wins. */
function completed(env: Record<string, string>, root: string, trust: FolderTrust): Record<string, string> {
  const { file, within } = dotenvOf(env, root);
  const theirs = within === undefined ? undefined : (bytes: Uint8Array) => accepts(trust, within, bytes);
  return { ...readDotenv(file, theirs), ...env };
}

/** Whatever starts a program of ours or of the model looks for it outside the folder worked in first. */
function withSafePath(env: Record<string, string>, roots: readonly string[], trusted: boolean): Record<string, string> {
  const name = Object.keys(env).find((one) => one === 'PATH' || (process.platform === 'win32' && /^path$/i.test(one)));
  return name === undefined ? env : { ...env, [name]: safePath(env[name] ?? '', { roots, trusted, env }) };
}

/** The `.env` in question; `within` is set when it is the folder's own word, whoever names it: its path from the folder. */
export function dotenvOf(
  env: Readonly<Record<string, string>>,
  root: string,
): { readonly file: string; readonly within?: string } {
  const named = env['CHATCLI_DOTENV'] ?? '';
  const file = named === '' ? join(root, '.env') : resolve(root, named);
  if (isAbsolute(named) && !file.startsWith(`${root}/`)) return { file };
  return { file, within: relative(root, file).split(sep).join('/') };
}

function oneOf<T extends string>(name: string, value: string | undefined, known: readonly T[]): T | undefined {
  if (value === undefined || value === '') return undefined;
  if ((known as readonly string[]).includes(value)) return value as T;
  throw new UsageError('usage.badChoice', { name, value, names: known.join(', ') }, 'provider.known');
}

/** From the environment alone: neither a project nor a file in it has a say. */
function sandboxOf(env: Readonly<Record<string, string>>): Config['sandbox'] {
  const name = 'CHATCLI_CODER_SANDBOX';
  const value = env['CHATCLI_CODER_SANDBOX'] ?? '';
  const parsed = parseSandboxMode(value);
  if (parsed === undefined)
    throw new UsageError('usage.badChoice', { name, value, names: SANDBOX_MODES.join(', ') }, 'provider.known');
  const image = env['CHATCLI_CODER_SANDBOX_IMAGE'] ?? '';
  if (parsed.retired !== undefined) return { mode: parsed.mode, retired: `${name}=${parsed.retired}` };
  return image === '' ? { mode: parsed.mode } : { mode: parsed.mode, retired: `${name}_IMAGE` };
}

function list(value: string | undefined): string[] | undefined {
  const words = value
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  return words?.length ? words : undefined;
}

function wholeNumber(value: string | undefined, low: number, high: number): number | undefined {
  if (value === undefined || !/^\d{1,6}$/.test(value.trim())) return undefined;
  return Math.min(high, Math.max(low, Number(value)));
}

/** 50 turns unless told otherwise, never more than 200; a value that is no number counts as not given (original). */
function turnLimit(flag: number | undefined, variable: string | undefined, file: number | undefined): number {
  return flag ?? wholeNumber(variable, 1, 200) ?? file ?? 50;
}
