/** Settings as lines: name, value, where the value comes from. */
import type { CommandContext } from '../../types/command.js';
import type { Setting, SettingOrigin } from '../../types/command-ports.js';

const ORIGINS: Readonly<Record<SettingOrigin, string>> = {
  flag: 'config.from.flag',
  variable: 'config.from.variable',
  project: 'config.from.project',
  own: 'config.from.own',
  default: 'config.from.default',
  session: 'config.from.session',
};

/** One line each; `bare` leaves the origin out. */
export function settingLines(settings: readonly Setting[], t: CommandContext['t'], bare = false): string[] {
  const width = Math.max(0, ...settings.map(({ name }) => name.length));
  return settings.map(({ name, shown, origin, from = '' }) => {
    const line = `${name.padEnd(width)}  ${shown === '' ? '-' : shown}`;
    return bare ? line : `${line}  (${t(ORIGINS[origin], { from })})`;
  });
}
