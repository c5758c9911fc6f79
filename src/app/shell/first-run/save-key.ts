/** Keeps a key for good: in the keychain of the system, otherwise in the user's own configuration, which nobody else can read. */
import { join } from 'node:path';
import type { Config } from '../../config.js';
import { keychainSet } from '../../keychain.js';
import { readObject, writeOwn } from '../../settings.js';

export interface SavedKey {
  readonly where: 'keychain' | 'file';
  readonly file: string;
}

/** `provider` is written beside it, when given. Throws when the file cannot be read or written; then nothing is changed in it. */
export async function saveKey(
  config: Pick<Config, 'state' | 'env'>,
  { variable, key, provider }: { readonly variable: string; readonly key: string; readonly provider: string | undefined },
): Promise<SavedKey> {
  const file = join(config.state, 'config.json');
  const before = readObject(file);
  const inKeychain = await keychainSet(variable, key, config.env);
  const keychain = [...new Set([...(Array.isArray(before['keychain']) ? before['keychain'] : []), variable])];
  const keys = { ...(before['keys'] as Record<string, string> | undefined), [variable]: key };
  const kept = inKeychain ? { keychain } : { keys };
  const next = { ...before, ...(provider === undefined ? {} : { provider }), ...kept };
  // A file that was open to others until now must not hold a key.
  writeOwn(file, `${JSON.stringify(next, null, 2)}\n`);
  return { where: inKeychain ? 'keychain' : 'file', file };
}
