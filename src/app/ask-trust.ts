/** Asks once, on a terminal, whether what a folder brings may count. */
import type { Brought } from '../policy/brings.js';
import { recordTrust, trustRecord } from '../policy/trust.js';
import { fitted } from '../ui/width.js';
import { answerKey } from './answer-key.js';
import type { Config } from './config.js';
import type { Translate } from './flags.js';
import { broughtBy } from './load-config.js';
import { mayHavePlugins } from './plugins/folders.js';
import { detailedLines, usable } from './trust-details.js';
import { shownLine } from './trust-text.js';

/**
 * True when the user has just said yes to the folder, so that the configuration must be read again. Asks again only when files
 * changed. Then asks about the user's own plugins.
 */
export async function askTrust(config: Config, t: Translate): Promise<boolean> {
  const isNew = await askFolder(config, t);
  if (mayHavePlugins(config)) await (await import('./plugins/ask.js')).askPlugins(config);
  return isNew;
}

async function askFolder(config: Config, t: Translate): Promise<boolean> {
  if (config.trust.forRun || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  const brought = broughtBy(config);
  if (brought.length === 0 || isAnswered(config, usable(config.root, brought, t).good)) return false;
  const say = (text: string): void => void process.stdout.write(fitted(text, process.stdout.columns));
  const again = trustRecord(config.state, config.root)?.answer === 'trusted';
  say(`${t(again ? 'trust.askAgain' : 'trust.ask', { folder: shownLine(config.root) })}\n`);
  for (const line of detailedLines(config.root, brought, t, again ? config.trust : undefined)) say(`${line}\n`);
  const answer = await answerKey(() => say(`${t('trust.question')} `));
  if (answer === undefined) return false;
  say(`${t(answer ? 'trust.yes' : 'trust.no')}\n`);
  const { good, broken } = usable(config.root, brought, t);
  if (answer && broken.length > 0) say(`${t('trust.without', { files: broken.map(shownLine).join(', ') })}\n`);
  recordTrust(config.state, config.root, answer ? 'trusted' : 'declined', answer ? good : brought, Date.now());
  return answer;
}

/** Nothing pinned is new or changed since the last answer. */
function isAnswered(config: Config, brought: readonly Brought[]): boolean {
  const record = trustRecord(config.state, config.root);
  return record !== undefined && brought.every(({ path, sha256 }) => sha256 === undefined || record.pins[path] === sha256);
}
