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
  readonly log: OpenedLog;
  readonly state?: SessionState;
}

/** Folder of the session logs. */
export function sessionsDir(config: Pick<Config, 'state'>): string {
  return join(config.state, 'sessions');
}

/** Throws UsageError when the session cannot be had; `onFault` hears once when the log cannot be written any more. */
export async function openSession(config: Config, flags: SessionFlags, onFault: (reason: string) => void): Promise<OpenSession> {
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
    return log.resumed ? { id, log, state: await readSession(dir, id) } : { id, log };
  } catch (error) {
    if (error instanceof SessionFault) throw sessionUsageError(error);
    throw error;
  }
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
