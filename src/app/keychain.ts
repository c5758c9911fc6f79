/** Keys in the keychain of the system: macOS Keychain, Windows Credential Manager, the secret service of a Linux desktop. */

const SERVICE = 'chatcli';
/** The system may ask its user to unlock it. */
const PATIENCE_MS = 60_000;

interface Entry {
  getPassword(signal?: AbortSignal): Promise<string | null | undefined>;
  setPassword(password: string, signal?: AbortSignal): Promise<void>;
}

/** The key kept under this name; undefined when there is none, or no keychain. Never throws. */
export async function keychainGet(name: string): Promise<string | undefined> {
  try {
    const entry = await entryFor(name);
    return (await entry.getPassword(AbortSignal.timeout(PATIENCE_MS))) || undefined;
  } catch {
    return undefined;
  }
}

/** True when the key is kept and can be read back. `env`: tells whether a Linux desktop with a keychain runs. Never throws. */
export async function keychainSet(name: string, key: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  // Without a desktop only the kernel's keyring would take it, and lose it with the session.
  if (process.platform === 'linux' && !env['DBUS_SESSION_BUS_ADDRESS']) return false;
  try {
    const entry = await entryFor(name);
    await entry.setPassword(key, AbortSignal.timeout(PATIENCE_MS));
    return (await entry.getPassword(AbortSignal.timeout(PATIENCE_MS))) === key;
  } catch {
    return false;
  }
}

/** The library is optional, and has no build for some systems. */
async function entryFor(name: string): Promise<Entry> {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return new AsyncEntry(SERVICE, name);
}
