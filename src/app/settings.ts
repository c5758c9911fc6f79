/** Settings for people: each with its value and where that comes from; and changes of the user's own file. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { accepts } from '../policy/trust.js';
import type { Changed } from '../types/command.js';
import type { Setting, SettingOrigin, SettingsPort } from '../types/command-ports.js';
import type { Json } from '../types/json.js';
import type { Text } from '../ui/text/index.js';
import type { Config, ConfigFlags } from './config.js';
import { readConfigFile, readProjectSettings } from './config-files.js';
import { CONFIG_SCHEMA, type ConfigFile, OWN_FILE_ONLY } from './config-schema.js';

type Name = keyof typeof CONFIG_SCHEMA.properties;

const NAMES = Object.keys(CONFIG_SCHEMA.properties) as readonly Name[];
const PROJECT_FILE = '.chatcli/config.json';

/** Flags and variables that come before the files, as load-config reads them. */
const FLAGS: Readonly<Partial<Record<Name, readonly [flag: string, key: keyof ConfigFlags]>>> = {
  provider: ['--provider', 'provider'],
  model: ['--model', 'model'],
  effort: ['--effort', 'effort'],
  permissionMode: ['--permission-mode', 'permissionMode'],
  maxTurns: ['--max-turns', 'maxTurns'],
  budgetUsd: ['--budget-usd', 'budgetUsd'],
  testCmd: ['--test-cmd', 'testCmd'],
  lintCmd: ['--lint-cmd', 'lintCmd'],
  lang: ['--lang', 'lang'],
};
const VARIABLES: Readonly<Partial<Record<Name, readonly string[]>>> = {
  provider: ['LLM_PROVIDER'],
  fallback: ['CHATCLI_FALLBACK_PROVIDERS'],
  toolMode: ['CHATCLI_TOOL_MODE'],
  maxTurns: ['CHATCLI_AGENT_PLUGIN_MAX_TURNS'],
  lang: ['CHATCLI_LANG'],
  theme: ['CHATCLI_THEME'],
};
/** Of these a variable counts only where no file says anything. */
const LATE_VARIABLES: Readonly<Partial<Record<Name, readonly string[]>>> = {
  maxRetries: ['MAX_RETRIES'],
  lang: ['LC_ALL', 'LANG'],
};

export interface SettingsOptions {
  readonly config: Config;
  readonly flags: ConfigFlags;
  readonly text: Text;
  /** What was set in this session. */
  readonly changed?: ReadonlySet<string>;
}

export function settingsPort(options: SettingsOptions): SettingsPort {
  const { config, text } = options;
  const file = join(config.state, 'config.json');
  return {
    file,
    list: () => NAMES.map((name) => settingOf(name, options)),
    set: (name, value) => change(file, name, value, text),
  };
}

function settingOf(name: Name, options: SettingsOptions): Setting {
  const { config } = options;
  const value = settingValue(name, config);
  const { about = '' } = { about: CONFIG_SCHEMA.properties[name].description };
  return { name, shown: shownOf(name, value), about, ...originOf(name, options) };
}

function settingValue(name: Name, config: Config): unknown {
  if (name === 'lang') return config.language;
  if (name === 'idleSeconds') return config.idleMs === undefined ? undefined : config.idleMs / 1000;
  return config[name];
}

/** Values of keys are never shown, nor the commands that print them. */
function shownOf(name: Name, value: unknown): string {
  if (value === undefined) return '';
  if (name === 'keys' || name === 'keyCommands') return Object.keys(value as object).join(', ');
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
}

function originOf(
  name: Name,
  { config, flags, changed }: SettingsOptions,
): { readonly origin: SettingOrigin; readonly from?: string } {
  if (changed?.has(name)) return { origin: 'session' };
  const [flag, key] = FLAGS[name] ?? [];
  if (flag !== undefined && key !== undefined && flags[key] !== undefined) return { origin: 'flag', from: flag };
  if ((name === 'allow' && flags.allow) || (name === 'deny' && flags.deny)) return { origin: 'flag', from: `--${name}` };
  if (name === 'addDirs' && flags.addDir) return { origin: 'flag', from: '--add-dir' };
  const early = VARIABLES[name]?.find((variable) => config.env[variable]);
  if (early !== undefined) return { origin: 'variable', from: early };
  const { own, project } = filesOf(config);
  if (project[name] !== undefined && !OWN_FILE_ONLY.includes(name))
    return { origin: 'project', from: join(config.root, PROJECT_FILE) };
  if (own[name] !== undefined) return { origin: 'own', from: join(config.state, 'config.json') };
  const late = LATE_VARIABLES[name]?.find((variable) => config.env[variable]);
  return late === undefined ? { origin: 'default' } : { origin: 'variable', from: late };
}

function filesOf(config: Config): { readonly own: ConfigFile; readonly project: ConfigFile } {
  const ownFile = join(config.state, 'config.json');
  const projectFile = join(config.root, PROJECT_FILE);
  const isSame = projectFile === ownFile;
  const project = isSame ? undefined : readProjectSettings(projectFile, (bytes) => accepts(config.trust, PROJECT_FILE, bytes));
  return { own: ownOf(ownFile), project: project?.config ?? {} };
}

function ownOf(file: string): ConfigFile {
  try {
    return readConfigFile(file, 'own') ?? {};
  } catch {
    return {};
  }
}

/** Writes the user's own file: whole, private, and only when all of it is valid afterwards. */
function change(file: string, name: string, given: string | undefined, text: Text): Changed {
  const { t } = text;
  const fault = (line: string): Changed => ({ done: false, lines: [line] });
  if (!(NAMES as readonly string[]).includes(name)) return fault(t('config.unknown', { name }));
  if (name === 'keys' || name === 'keyCommands') return fault(t('config.byHand', { name, file }));
  try {
    const before = readObject(file) as Record<string, Json>;
    const { [name]: was, ...rest } = before;
    if (given === undefined && was === undefined) return fault(t('config.notSet', { name, file }));
    const next = given === undefined ? rest : { ...before, [name]: parsed(name as Name, given) };
    const outcome = new Validator(CONFIG_SCHEMA as never, '2020-12', true).validate(next);
    const error = outcome.errors.at(-1);
    if (!outcome.valid)
      return fault(t('config.invalid', { name, reason: `${error?.instanceLocation ?? '#'}: ${error?.error ?? '?'}` }));
    writeOwn(file, `${JSON.stringify(next, null, 2)}\n`);
    return { done: true, lines: [t(given === undefined ? 'config.removed' : 'config.written', { name, file })] };
  } catch (error) {
    return fault(t('config.notWritten', { file, reason: error instanceof Error ? error.message : String(error) }));
  }
}

/** The object of a settings file, empty when there is none. The fault never quotes the file, which may hold keys. */
export function readObject(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${file} is no valid JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${file} holds no JSON object`);
  return value as Record<string, unknown>;
}

/** Lists are JSON or words between commas; what is no number or truth value stays a text, and the schema says so. */
function parsed(name: Name, given: string): Json {
  const { type } = CONFIG_SCHEMA.properties[name];
  if (type === 'integer' || type === 'number')
    return given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : given;
  if (type === 'boolean') return given === 'true' ? true : given === 'false' ? false : given;
  if (type !== 'array') return given;
  if (given.startsWith('[')) return JSON.parse(given) as Json;
  return given
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}

/** A draft beside the file, then renamed; nobody else may read it. A link stays one: what it leads to is written. Throws what the file system throws. */
export function writeOwn(named: string, text: string): void {
  const file = existsSync(named) ? realpathSync(named) : named;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    chmodSync(draft, existsSync(file) ? statSync(file).mode & 0o700 : 0o600);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
