/** Opens the session a call asked for: a new one, the last one of this folder, or one by id. */
import { join } from 'node:path';
import { SessionFault } from '../session/fault.js';
import { newSessionId } from '../session/ids.js';
import { type OpenedLog, openLog } from '../session/log.js';
import { latestSession, readSession } from '../session/store.js';
import type { SessionState } from '../types/session.js';
import type { Config } from './config.js';
import { lineRedactor } from './redact.js';
import { UsageError } from './usage-error.js';
import { VERSION } from './version.js';

export interface SessionFlags {
  readonly sessionId?: string;
  readonly resume?: string;
  readonly continue?: boolean;
}

export interface OpenSession {
  readonly id: string;
  /** Absent when the log cannot be written here; the run goes on without it. */
  readonly log?: OpenedLog;
  readonly state?: SessionState;
}

/** Folder of the session logs. */
export function sessionsDir(config: Pick<Config, 'state'>): string {
  return join(config.state, 'sessions');
}

export interface SessionHear {
  onFault(reason: string): void;
  /** Lines of the log that could not be read and were skipped. */
  onDamage(lines: number): void;
}

/** Throws UsageError when the session cannot be had; `onFault` hears once when the log cannot be written any more. */
export async function openSession(config: Config, flags: SessionFlags, hear: SessionHear): Promise<OpenSession> {
  const { onFault, onDamage } = hear;
  refuseContradiction(flags);
  const dir = sessionsDir(config);
  try {
    const resumed = await resumedId(dir, config.root, flags);
    const id = resumed ?? flags.sessionId ?? newSessionId(Date.now(), Math.random);
    const log = await openLog({
      dir,
      id,
      workspace: config.root,
      app: `chatcli ${VERSION}`,
      now: Date.now,
      redact: lineRedactor(config),
      expect: resumed ? 'existing' : undefined,
      onFault,
    });
    return log.resumed ? { id, log, state: await wholeState(dir, id, log, onDamage) } : { id, log };
  } catch (error) {
    if (!(error instanceof SessionFault)) throw error;
    if (error.code !== 'io' || flags.resume || flags.continue) throw sessionUsageError(error);
    onFault(error.message);
    return { id: flags.sessionId ?? newSessionId(Date.now(), Math.random) };
  }
}

/** What can be read of a resumed session. Throws UsageError when nothing can; lines that are lost are told. */
async function wholeState(dir: string, id: string, log: OpenedLog, onDamage: (lines: number) => void): Promise<SessionState> {
  const state = await readSession(dir, id);
  const lost = state.damaged + (log.setAside > 0 ? 1 : 0);
  if (lost === 0) return state;
  if (state.messages.length > 0) onDamage(lost);
  else {
    await log.close();
    throw new UsageError('usage.sessionDamaged', { id });
  }
  return state;
}

function refuseContradiction(flags: SessionFlags): void {
  const given = [flags.resume && '--resume', flags.continue && '--continue', flags.sessionId && '--session-id'].filter(Boolean);
  if (given.length > 1) throw new UsageError('usage.conflict', { one: given[0] as string, other: given[1] as string });
}

async function resumedId(dir: string, workspace: string, flags: SessionFlags): Promise<string | undefined> {
  if (flags.resume !== undefined) return flags.resume;
  if (!flags.continue) return undefined;
  const latest = await latestSession(dir, workspace);
  if (!latest) throw new UsageError('usage.noLastSession', { workspace });
  return latest.id;
}

/** The same fault for people, with what would work. */
export function sessionUsageError(fault: SessionFault): UsageError {
  const hints = { 'not-found': 'usage.sessionNotFoundHint', locked: 'usage.sessionLockedHint' } as const;
  return new UsageError(`session.fault.${fault.code}`, fault.values, hints[fault.code as keyof typeof hints]);
}
