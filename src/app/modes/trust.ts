/** `chatcli trust`: what a folder brings, and whether it counts. */
import { whatItBrings } from '../../policy/brings.js';
import { distrustFolder, recordTrust, trustedFolders, trustOf } from '../../policy/trust.js';
import { dotenvMore } from '../ask-trust.js';
import type { ConfigFlags } from '../config.js';
import type { Translate } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { broughtLines } from '../trust-text.js';

export interface TrustFlags extends ConfigFlags {
  readonly list?: boolean;
  readonly remove?: boolean;
}

/** Trusts a folder as it is now, takes trust back, or lists the trusted ones; gives the exit code. */
export function trustMode(dir: string | undefined, flags: TrustFlags, t: Translate): number {
  const config = loadConfig({ ...flags, directory: dir ?? flags.directory });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (flags.list) {
    const folders = trustedFolders(config.state);
    if (folders.length === 0) say(t('trust.none'));
    for (const folder of folders) {
      say(folder);
      for (const line of broughtLines(whatItBrings(folder), t, trustOf(config.state, folder))) say(line);
    }
    return 0;
  }
  if (flags.remove) {
    const had = distrustFolder(config.state, config.root);
    say(t(had ? 'trust.removed' : 'trust.notTrusted', { folder: config.root }));
    return had ? 0 : 1;
  }
  const brought = whatItBrings(config.root, dotenvMore(config));
  recordTrust(config.state, config.root, 'trusted', brought, Date.now());
  say(t('trust.added', { folder: config.root }));
  if (brought.length === 0) say(t('trust.bringsNothing'));
  for (const line of broughtLines(brought, t)) say(line);
  return 0;
}
