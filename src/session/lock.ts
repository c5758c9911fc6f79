/** One writer per session: the lock file of a session names the process that writes it. */
export { type LockHolder, type LockResult, lockHolder, takeLock } from '../base/file-lock.js';
