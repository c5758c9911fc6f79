/** Asks once, on a terminal, whether what a folder brings may count. */
import type { Brought } from '../policy/brings.js';
import { recordTrust, trustRecord } from '../policy/trust.js';
import { openKeys } from '../ui/keys.js';
import { fitted } from '../ui/width.js';
import type { Config } from './config.js';
import type { Translate } from './flags.js';
import { broughtBy } from './load-config.js';
import { detailedLines, usable } from './trust-details.js';
import { shownLine } from './trust-text.js';

const QUIET_MS = 250;
const YES: ReadonlySet<string> = new Set(['y', 'yes', 's', 'sim']);
const NO: ReadonlySet<string> = new Set(['n', 'no', 'nao', 'não']);

/** True when the user has just said yes, so that the configuration must be read again. Asks again only when files changed. */
export async function askTrust(config: Config, t: Translate): Promise<boolean> {
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

/** Only an explicit key answers; what was typed before the question is dropped. Undefined: the input ended or Ctrl+C. */
export async function answerKey(ask: () => void): Promise<boolean | undefined> {
  const { stdin } = process;
  const keys = openKeys(stdin, { single: typeof stdin.setRawMode === 'function', signal: new AbortController().signal });
  try {
    await keys.drop(QUIET_MS);
    ask();
    for (;;) {
      const typed = await keys.next();
      if (typed.kind !== 'word') return undefined;
      if (YES.has(typed.word)) return true;
      if (NO.has(typed.word)) return false;
    }
  } finally {
    keys.close();
  }
}
