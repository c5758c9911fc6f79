/** Where the doctor looks, also when the configuration cannot be read: found as the configuration would, without its complaints. */
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { safePath } from '../../process/safe-path.js';
import { parseSandboxMode } from '../../process/sandbox/mode.js';
import type { SandboxMode } from '../../process/sandbox/types.js';
import { scrubEnv } from '../../process/scrub-env.js';
import { createText, type Text } from '../../ui/text/index.js';
import { type Config, type ConfigFlags, environmentLanguage, processEnvironment } from '../config.js';
import { homeFolder } from '../home-folder.js';
import { loadConfig } from '../load-config.js';
import { UsageError } from '../usage-error.js';

export interface DoctorPlace {
  readonly text: Text;
  /** Undefined: the folder worked in is gone. */
  readonly root: string | undefined;
  /** Undefined: the user has none. */
  readonly home: string | undefined;
  readonly state: string | undefined;
  readonly temp: string;
  /** Environment for finding programs; provider keys removed. */
  readonly childEnv: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Undefined: the variable names a mode there is none of, so no command runs at all. */
  readonly sandbox: SandboxMode | undefined;
  /** Undefined: it cannot be read, `fault` says why. */
  readonly config?: Config;
  /** Lines for people: what is wrong, then what would work. */
  readonly fault?: readonly string[];
}

/** Faults of the call itself, which end it as they end any other. */
const OF_THE_CALL: ReadonlySet<string> = new Set(['usage.badFolder', 'usage.badAddDir', 'usage.emptyRule']);

/** Never throws but for a wrong call: UsageError. */
export function doctorPlace(flags: ConfigFlags): DoctorPlace {
  const env = processEnvironment();
  const language = flags.lang === undefined ? environmentLanguage() : /^pt/i.test(flags.lang) ? 'pt-BR' : 'en';
  const home = homeFolder();
  const moved = env['CHATCLI_HOME'];
  const root = realOf(flags.directory);
  const state = moved && (root !== undefined || isAbsolute(moved)) ? resolve(moved) : home && join(home, '.chatcli');
  const plain = {
    root,
    home,
    state,
    temp: tmpdir(),
    env,
    childEnv: scrubEnv(
      root === undefined ? env : { ...env, PATH: safePath(env['PATH'] ?? '', { roots: [root], trusted: false, env }) },
    ),
    sandbox: parseSandboxMode(env['CHATCLI_CODER_SANDBOX'] ?? '')?.mode,
  };
  try {
    const config = loadConfig(flags);
    const { childEnv, sandbox, tmp } = config;
    const found = { root: config.root, home: config.home, state: config.state, temp: tmp, env: config.env, childEnv };
    return { ...found, text: createText(config.language), sandbox: sandbox.mode, config };
  } catch (error) {
    const text = createText(language);
    if (!(error instanceof UsageError)) return { ...plain, text, fault: [(error as Error).message] };
    if (OF_THE_CALL.has(error.key) && root !== undefined) throw error;
    if (error.key === 'usage.badFolder' && flags.directory !== undefined) throw error;
    return { ...plain, text, fault: error.lines(text) };
  }
}

function realOf(directory: string | undefined): string | undefined {
  try {
    return realpathSync(resolve(directory ?? '.'));
  } catch {
    return undefined;
  }
}
