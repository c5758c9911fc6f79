/** What one look of the doctor found, and how looks that fail become findings themselves. */
import { safeLine } from '../../ui/safe-text.js';
import type { Text, TextKey, Values } from '../../ui/text/index.js';

/** `warning`: it works, but not as it could. `fault`: something is broken. */
export type Status = 'ok' | 'warning' | 'fault';

export interface Finding {
  /** Stable name for machines. */
  readonly check: string;
  readonly status: Status;
  /** One sentence in the user's language. */
  readonly text: string;
  /** The way to mend it. */
  readonly fix?: string;
  /** What the sentence speaks of, for machines: paths, versions, bytes. Never a key. */
  readonly values: Values;
}

export interface Told {
  readonly status: Status;
  readonly key: TextKey;
  readonly values?: Values;
  readonly fix?: TextKey;
}

/** A finding in the user's language. Paths and reasons are made harmless for a terminal. */
export function finding(text: Text, check: string, { status, key, values = {}, fix }: Told): Finding {
  const harmless = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? safeLine(value) : value]),
  );
  return { check, status, text: text.t(key, harmless), ...(fix && { fix: text.t(fix, harmless) }), values: harmless };
}

/** Everything one look found; a look that breaks down is a fault, and the others go on. */
export async function looked(
  text: Text,
  check: string,
  look: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [finding(text, check, { status: 'fault', key: 'doctor.failed', values: { check, reason } })];
  }
}
