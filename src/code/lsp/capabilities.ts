/** What a server says it can do, read with care. */
import type { SyncWishes } from './documents.js';
import type { PositionEncoding } from './positions.js';

export interface Capabilities {
  readonly encoding: PositionEncoding;
  readonly sync: SyncWishes;
  /** Diagnostics are asked for; `identifier` belongs in the question. */
  readonly pull: { readonly identifier?: string } | undefined;
  /** Requests it takes, by the name of their provider: `renameProvider`. */
  has(provider: string): boolean;
  /** It checks the place of a rename first. */
  readonly prepares: boolean;
  readonly commands: readonly string[];
}

/** From the result of `initialize`. Whatever is not as the protocol says counts as not there. */
export function readCapabilities(result: unknown): Capabilities {
  const all = asObject(asObject(result)['capabilities']);
  const encoding = all['positionEncoding'];
  const commands = asObject(all['executeCommandProvider'])['commands'];
  return {
    encoding: encoding === 'utf-8' || encoding === 'utf-32' ? encoding : 'utf-16',
    sync: readSync(all['textDocumentSync']),
    pull: all['diagnosticProvider'] ? readPull(all['diagnosticProvider']) : undefined,
    has: (provider) => Object.hasOwn(all, provider) && Boolean(all[provider]),
    prepares: asObject(all['renameProvider'])['prepareProvider'] === true,
    commands: Array.isArray(commands) ? commands.filter((name) => typeof name === 'string') : [],
  };
}

/** The options of a diagnostics provider. */
export function readPull(options: unknown): { readonly identifier?: string } {
  const { identifier } = asObject(options);
  return typeof identifier === 'string' ? { identifier } : {};
}

function readSync(value: unknown): SyncWishes {
  if (typeof value !== 'object' || value === null) return { save: typeof value === 'number' && value > 0, saveText: false };
  const save = (value as { save?: unknown }).save;
  return { save: Boolean(save), saveText: asObject(save)['includeText'] === true };
}

/** An object, or an empty one. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
