/** Where a key comes from: the environment, the user's private file, the keychain of the system, or a command the user named. */
import { learnSecret } from '../../base/secret-text.js';
import { firstValue, type ProviderEntry, type ProviderSettings } from './entry.js';

type KeyNames = Pick<ProviderEntry, 'name' | 'keyVariables' | 'namedKeyVariables'>;

/** How long a key command may take (milliseconds): a password manager may ask its user. */
const COMMAND_MS = 60_000;

/** A key that is known to be unusable; `message` says why and holds no key. */
export class KeyFault extends Error {}

/** Names under which a key may be configured: variables first, then the provider itself. */
function namesOf(entry: KeyNames, named: boolean): string[] {
  return [...entry.keyVariables, ...(named ? (entry.namedKeyVariables ?? []) : []), entry.name];
}

/** True when some source promises a key. Runs nothing. */
export function hasKey(entry: KeyNames, settings: ProviderSettings, options: { readonly named: boolean }): boolean {
  const names = namesOf(entry, options.named);
  const { keys, keyCommands, keychain } = settings.config;
  return (
    firstValue(settings.env, names.slice(0, -1)) !== undefined ||
    names.some((name) => keys?.[name] || keychain?.includes(name) || keyCommands?.[name]?.length)
  );
}

/** The key, or undefined when no source has one. Throws KeyFault for a key that cannot be sent or a command that fails. */
export async function findKey(
  entry: KeyNames,
  settings: ProviderSettings,
  options: { readonly signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const names = namesOf(entry, true);
  for (const name of names.slice(0, -1)) {
    const value = firstValue(settings.env, [name]);
    if (value) return usable(value, name);
  }
  for (const name of names) {
    const value = settings.config.keys?.[name]?.trim();
    if (value) return usable(value, `keys.${name}`);
    if (settings.config.keychain?.includes(name)) return usable(await keptIn(name, settings), `the keychain (${name})`);
    const words = settings.config.keyCommands?.[name];
    if (words?.length) return usable(await printedBy(words, settings, options.signal), `keyCommands.${name}`);
  }
  return undefined;
}

async function keptIn(name: string, { config }: ProviderSettings): Promise<string> {
  const key = (await config.fromKeychain?.(name))?.trim();
  if (!key) throw new KeyFault(`the keychain of the system gives no key for ${name}; it may be locked, or the key was removed`);
  learnSecret(key);
  return key;
}

function usable(value: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new KeyFault(`the key in ${source} holds a space, a line break or another character no key has; copy it again`);
}

/** The command ends with the run that asked for the key. */
async function printedBy(words: readonly string[], settings: ProviderSettings, signal?: AbortSignal): Promise<string> {
  const [command = '', ...args] = words;
  const { execFile } = await import('node:child_process');
  const env = Object.fromEntries(Object.entries(settings.env).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const limits = { env, timeout: COMMAND_MS, maxBuffer: 64 * 1024, encoding: 'utf8', ...(signal ? { signal } : {}) } as const;
    execFile(command, args, limits, (error, stdout) => {
      const key = stdout.split('\n')[0]?.trim();
      if (!error && key) {
        learnSecret(key);
        return resolve(key);
      }
      const why = error ? `failed (${error.code ?? error.signal ?? 'no exit code'})` : 'printed nothing';
      reject(new KeyFault(`the key command ${command} ${why}`));
    });
  });
}
