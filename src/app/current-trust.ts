/** What the working folder may bring, as it stands now. */
import { type FolderTrust, trustOf } from '../policy/trust.js';
import type { Config } from './config.js';

/** What the folder may bring at this moment: given for the run, or as it is recorded now. */
export function currentTrust({ trust, state, root }: Pick<Config, 'trust' | 'state' | 'root'>): FolderTrust {
  return trust.forRun ? trust : trustOf(state, root);
}
