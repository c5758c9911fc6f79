/** `chatcli trust`: what a folder brings, and whether it counts. */
import type { ConfigFlags } from '../config.js';
import type { Translate } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { trustPort } from '../trust-port.js';

export interface TrustFlags extends ConfigFlags {
  readonly list?: boolean;
  readonly remove?: boolean;
}

/** Trusts a folder as it is now, takes trust back, or lists the trusted ones; gives the exit code. */
export function trustMode(dir: string | undefined, flags: TrustFlags, t: Translate): number {
  const config = loadConfig({ ...flags, directory: dir ?? flags.directory });
  const port = trustPort(config, t, () => undefined);
  const { done, lines } = flags.list ? { done: true, lines: port.list() } : flags.remove ? port.remove() : port.add();
  process.stdout.write(`${lines.join('\n')}\n`);
  return done ? 0 : 1;
}
