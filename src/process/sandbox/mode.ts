/** Reads what the operator asked for, and says what is in force. */
import type { SandboxBackend, SandboxLevel, SandboxMode, SandboxProbe } from './types.js';

export const SANDBOX_MODES: readonly SandboxMode[] = ['auto', 'off', 'workspace', 'strict'];

/** Values of earlier versions that stand for running in a container. */
const CONTAINERS: ReadonlySet<string> = new Set(['docker', 'podman', 'container']);

/** `retired`: the value asked for a container, which there is no more; `auto` is taken instead. Undefined: no known value. */
export function parseSandboxMode(value: string): { readonly mode: SandboxMode; readonly retired?: string } | undefined {
  const text = value.trim().toLowerCase();
  if (text === '') return { mode: 'auto' };
  const mode = SANDBOX_MODES.find((known) => known === text);
  if (mode !== undefined) return { mode };
  return CONTAINERS.has(text) ? { mode: 'auto', retired: text } : undefined;
}

/** The reason given where bubblewrap is missing. */
export const NOT_INSTALLED = 'bubblewrap (bwrap) is not installed';

/** What is in force. `blocked`: nothing may run. `reason` is an English sentence without its full stop. */
export type SandboxState =
  | { readonly level: SandboxLevel; readonly backend: SandboxBackend }
  | { readonly level: 'none' | 'blocked'; readonly backend?: undefined; readonly reason: string };

/** `auto` and `workspace` go on without a sandbox where none works; `strict` never does. */
export function sandboxState(mode: SandboxMode, probe: SandboxProbe, unfit?: string): SandboxState {
  if (mode === 'off') return { level: 'none', reason: 'it is switched off' };
  const reason =
    probe.reason ?? unfit ?? (mode === 'strict' && !probe.backend.network ? 'the network cannot be cut off here' : undefined);
  if (probe.backend !== undefined && reason === undefined)
    return { level: mode === 'strict' ? 'strict' : 'workspace', backend: probe.backend };
  return { level: mode === 'strict' ? 'blocked' : 'none', reason: reason ?? 'it does not work here' };
}
