/** The interactive shell on a terminal that can move its cursor: header first, everything else behind it. */
import { resolve } from 'node:path';
import { startEarlyInput } from '../../ui/screen/early-input.js';
import { openScreen } from '../../ui/screen/terminal-screen.js';
import { headerLines } from '../../ui/shell/header.js';
import { createText } from '../../ui/text/index.js';
import { chooseTheme } from '../../ui/theme/theme.js';
import { environmentLanguage, processEnvironment } from '../config.js';
import type { RunFlags } from '../flags.js';
import { homeFolder } from '../home-folder.js';
import { VERSION } from '../version.js';

/** Reads until the user leaves; gives the exit code. */
export async function shellMode(flags: RunFlags): Promise<number> {
  const early = startEarlyInput(process.stdin);
  const env = processEnvironment();
  const text = createText(flags.lang === undefined ? environmentLanguage() : /^pt/i.test(flags.lang) ? 'pt-BR' : 'en');
  const screen = openScreen({ input: process.stdin, output: process.stdout, env, early });
  const features = screen.features();
  const home = homeFolder();
  const folder = resolve(flags.directory ?? '.');
  const shown = home !== undefined && `${folder}/`.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
  screen.print(
    headerLines({ version: VERSION, folder: shown }, features, chooseTheme(env['CHATCLI_THEME'] ?? 'auto', features), text),
  );
  screen.flush();
  try {
    const { runShell } = await import('../shell/run-shell.js');
    return await runShell(flags, { screen, text });
  } finally {
    screen.close();
  }
}
