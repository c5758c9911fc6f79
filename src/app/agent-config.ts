/** How workers are run: the `CHATCLI_AGENT_*` variables with the documented defaults. */
import type { Effort } from '../types/provider.js';

export interface AgentConfig {
  /** False: as if there were no agents. */
  readonly parallel: boolean;
  readonly workers: number;
  readonly turns: number;
  /** Milliseconds a worker may take in its slot. */
  readonly ms: number;
  /** Model of one agent, from `CHATCLI_AGENT_<NAME>_MODEL`; `inherit` is none. */
  modelOf(agent: string): string | undefined;
  /** Effort of one agent, from `CHATCLI_AGENT_<NAME>_EFFORT`. */
  effortOf(agent: string): Effort | undefined;
  /** Variables whose values do not count as they are; empty when agents are switched off. */
  readonly faults: readonly AgentSettingFault[];
}

/** `counts`: what counts in its place; undefined: nothing does. */
export interface AgentSettingFault {
  readonly name: string;
  readonly value: string;
  readonly counts?: string;
}

const EFFORTS: readonly string[] = ['low', 'medium', 'high', 'max'];
const OFF = ['false', '0', 'no', 'off'];
const ON = ['true', '1', 'yes', 'on', ''];

/** Values that make no sense count as not given. `wanted` false: switched off whatever the environment says. */
export function agentConfig(env: Readonly<Record<string, string>>, wanted = true): AgentConfig {
  const off = (env['CHATCLI_AGENT_PARALLEL_MODE'] ?? '').trim().toLowerCase();
  const own = (agent: string, what: string): string =>
    (env[`CHATCLI_AGENT_${agent.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_${what}`] ?? '').trim();
  const parallel = wanted && !OFF.includes(off);
  const workers = whole(env['CHATCLI_AGENT_MAX_WORKERS'], 64) ?? 4;
  const turns = whole(env['CHATCLI_AGENT_WORKER_MAX_TURNS'], 200) ?? 10;
  const ms = durationMs(env['CHATCLI_AGENT_WORKER_TIMEOUT']);
  return {
    parallel,
    workers,
    turns,
    ms: ms ?? 5 * 60_000,
    faults: parallel ? faultsOf(env, { workers, turns, ms }) : [],
    modelOf(agent) {
      const model = own(agent, 'MODEL');
      return model === '' || model.toLowerCase() === 'inherit' ? undefined : model;
    },
    effortOf(agent) {
      const effort = own(agent, 'EFFORT').toLowerCase();
      return EFFORTS.includes(effort) ? (effort as Effort) : undefined;
    },
  };
}

/** What is empty counts as not given. */
function faultsOf(
  env: Readonly<Record<string, string>>,
  { workers, turns, ms }: { readonly workers: number; readonly turns: number; readonly ms: number | undefined },
): AgentSettingFault[] {
  const faults: AgentSettingFault[] = [];
  const look = (name: string, counts: string | undefined, fits: (value: string) => boolean): void => {
    const value = (env[name] ?? '').trim();
    if (value !== '' && !fits(value)) faults.push({ name, value, ...(counts === undefined ? {} : { counts }) });
  };
  look('CHATCLI_AGENT_PARALLEL_MODE', 'true', (value) => [...OFF, ...ON].includes(value.toLowerCase()));
  look('CHATCLI_AGENT_MAX_WORKERS', String(workers), (value) => Number(value) === workers);
  look('CHATCLI_AGENT_WORKER_MAX_TURNS', String(turns), (value) => Number(value) === turns);
  look('CHATCLI_AGENT_WORKER_TIMEOUT', '5m', () => ms !== undefined);
  for (const name of Object.keys(env).sort())
    if (/^CHATCLI_AGENT_.+_EFFORT$/.test(name)) look(name, undefined, (value) => EFFORTS.includes(value.toLowerCase()));
  return faults;
}

function whole(text: string | undefined, most: number): number | undefined {
  const value = /^\s*\d{1,6}\s*$/.test(text ?? '') ? Number(text) : 0;
  return value >= 1 ? Math.min(value, most) : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `5m`, `1h30m`, `90s`, `1.5m`; a bare number is seconds. Undefined for anything else and for nothing. */
export function durationMs(text: string | undefined): number | undefined {
  const given = (text ?? '').trim();
  if (/^\d{1,7}$/.test(given)) return Number(given) * 1000 || undefined;
  if (!/^(\d{1,7}(\.\d{1,6})?(ms|s|m|h))+$/.test(given)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of given.matchAll(/([\d.]+)(ms|s|m|h)/g)) sum += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  return Math.min(Math.round(sum), 24 * 3_600_000) || undefined;
}
