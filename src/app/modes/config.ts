/** `chatcli config`: settings, where each comes from, and changes of the user's own file. */
import { settingLines } from '../../commands/shared/setting-lines.js';
import { safeText } from '../../ui/safe-text.js';
import { createText } from '../../ui/text/index.js';
import type { ConfigFlags } from '../config.js';
import { EXIT_USAGE } from '../exit-codes.js';
import { loadConfig } from '../load-config.js';
import { settingsPort } from '../settings.js';

export interface ConfigModeFlags extends ConfigFlags {
  readonly origin?: boolean;
  readonly json?: boolean;
}

/** Prints all settings, or one; 2 for a name there is none of. */
export function showConfig(name: string | undefined, flags: ConfigModeFlags): number {
  const { port, text } = portOf(flags);
  const all = port.list().filter((one) => name === undefined || one.name === name);
  if (all.length === 0) {
    process.stderr.write(`chatcli: ${text.t('config.unknown', { name: safeText(name ?? '') })}\n`);
    return EXIT_USAGE;
  }
  const t = (key: string, values = {}) => text.find(key, values) ?? key;
  if (flags.json) process.stdout.write(`${JSON.stringify(name === undefined ? all : all[0])}\n`);
  else if (name !== undefined && !flags.origin) process.stdout.write(`${safeText(all[0]?.shown ?? '')}\n`);
  else process.stdout.write(`${safeText(settingLines(all, t, !flags.origin).join('\n'))}\n`);
  return 0;
}

/** Writes the user's own file; no value takes the setting out. 2 when that is not possible. */
export function changeConfig(name: string, value: string | undefined, flags: ConfigModeFlags): number {
  const { port } = portOf(flags);
  const { done, lines } = port.set(name, value);
  (done ? process.stdout : process.stderr).write(`${safeText(lines.join('\n'))}\n`);
  return done ? 0 : EXIT_USAGE;
}

function portOf(flags: ConfigModeFlags) {
  const config = loadConfig(flags);
  const text = createText(config.language);
  return { text, port: settingsPort({ config, flags, text }) };
}
