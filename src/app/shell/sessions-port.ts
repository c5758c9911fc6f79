/** Saved conversations of the folder, for `/session`, `/resume` and `/export`. */
import { SessionFault } from '../../session/fault.js';
import { listSessions, readSession } from '../../session/store.js';
import type { SavedSession, SessionsPort } from '../../types/command-ports.js';
import type { Text } from '../../ui/text/index.js';
import type { Config } from '../config.js';
import { sessionDocument } from '../session-documents.js';
import { sessionsDir, sessionUsageError } from '../sessions.js';

const MOST = 100;

export function sessionsPort(config: Config, text: Text, resume: (id: string) => void): SessionsPort {
  const dir = sessionsDir(config);
  return {
    list: () => told(text, () => savedSessions(dir, config.root)),
    read: (id) => told(text, () => readSession(dir, id)),
    document: (id, form) => told(text, () => sessionDocument(dir, id, form, text)),
    resume,
  };
}

/** The newest first; those of `workspace` only when it is given. */
export async function savedSessions(dir: string, workspace?: string): Promise<readonly SavedSession[]> {
  const all = await listSessions(dir, { limit: MOST, ...(workspace === undefined ? {} : { workspace }) });
  return all.map(({ id, title, created, updated, damaged }) => ({ id, title, created, updated, ...(damaged && { damaged }) }));
}

/** Faults of the store as sentences in the user's language. */
async function told<T>(text: Text, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SessionFault ? new Error(sessionUsageError(error).lines(text).join('\n')) : error;
  }
}
