/** Asks on a terminal, once for each file and each content, whether a plugin may ever run. */
import { dirname } from 'node:path';
import { scanFolder } from '../../extensions/plugins/scan.js';
import { safeLine } from '../../ui/safe-text.js';
import { createText } from '../../ui/text/index.js';
import { fitted } from '../../ui/width.js';
import { answerKey } from '../answer-key.js';
import type { Config } from '../config.js';
import { fileLines } from './lines.js';
import { openEntries, type PluginEntry } from './load.js';
import { trustFile } from './manage.js';

const MOST_ASKED = 10;

/** Only an explicit key answers; an end of the input leaves the question for the next time. */
export async function askPlugins(config: Config): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return;
  for (const entry of openEntries(config).slice(0, MOST_ASKED)) if (!(await askPlugin(config, entry))) return;
}

/** False: the input ended. Throws errno errors when the answer cannot be kept. */
export async function askPlugin(config: Config, entry: PluginEntry): Promise<boolean> {
  const text = createText(config.language);
  const { t } = text;
  const say = (line: string): void => void process.stdout.write(fitted(line, process.stdout.columns));
  say(`${safeLine(t(entry.state === 'changed' ? 'plugin.askAgain' : 'plugin.ask', { file: entry.file.file }), 500)}\n`);
  for (const line of fileLines(entry.file, entry.overrides, text)) say(`${safeLine(line, 1000)}\n`);
  const answer = await answerKey(() => say(`${t('plugin.question')} `));
  if (answer === undefined) return false;
  say(`${t(answer ? 'plugin.yes' : 'plugin.no')}\n`);
  const now = scanFolder(dirname(entry.file.path), 'user').files.find(({ path }) => path === entry.file.path);
  // Agreed to is what was seen.
  if (now?.sha256 === entry.file.sha256) trustFile(config, entry, answer ? 'trusted' : 'declined');
  else say(`${t('plugin.moved')}\n`);
  return true;
}
