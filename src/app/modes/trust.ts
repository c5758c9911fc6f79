/** `chatcli trust`: what a folder brings, and whether it counts. */

import type { TrustPort } from '../../types/command.js';
import { answerKey } from '../answer-key.js';
import type { Config, ConfigFlags } from '../config.js';
import type { Translate } from '../flags.js';
import { broughtBy, loadConfig } from '../load-config.js';
import { usable } from '../trust-details.js';
import { trustPort } from '../trust-port.js';

export interface TrustFlags extends ConfigFlags {
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly show?: boolean;
}

/** Shows a folder and trusts it as it is now (on a terminal after a yes), takes trust back, or lists folders; gives the exit code. */
export async function trustMode(dir: string | undefined, flags: TrustFlags, t: Translate): Promise<number> {
  const config = loadConfig({ ...flags, directory: dir ?? flags.directory });
  const port = trustPort(config, t, () => undefined);
  if (flags.list) return print(port.list());
  if (flags.show) return print([...port.show(), t('trust.looked')]);
  if (flags.remove) return told(port.remove());
  return process.stdin.isTTY && process.stdout.isTTY ? asked(config, port, t) : told(port.add());
}

async function asked(config: Config, port: TrustPort, t: Translate): Promise<number> {
  print(port.show());
  if (isAllTrusted(config, t)) return print([t('trust.nothingNew')]);
  const answer = await answerKey(() => process.stdout.write(`${t('trust.question')} `));
  if (answer === true) {
    process.stdout.write('\n');
    // What it brings stands above.
    const { done, lines } = port.add();
    return told({ done, lines: lines.filter((line) => !line.startsWith('  ')) });
  }
  print([`${answer === undefined ? '\n' : ''}${t('trust.kept')}`]);
  return 1;
}

/** Every file that can be used counts already. */
function isAllTrusted(config: Config, t: Translate): boolean {
  const { good } = usable(config.root, broughtBy(config), t);
  return good.length > 0 && good.every(({ path, sha256 }) => sha256 === undefined || config.trust.pins[path] === sha256);
}

function print(lines: readonly string[]): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

function told({ done, lines }: { readonly done: boolean; readonly lines: readonly string[] }): number {
  print(lines);
  return done ? 0 : 1;
}
