/** One mutex per key, made when needed and forgotten when idle. */
import { createMutex, type Mutex } from './mutex.js';

export interface KeyedLocks {
  /** Runs `work` while holding all keys; taken in sorted order, so that two callers never wait for each other. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createKeyedLocks(): KeyedLocks {
  const locks = new Map<string, { mutex: Mutex; users: number }>();
  const hold = async <T>(keys: readonly string[], work: () => Promise<T>): Promise<T> => {
    const [key, ...rest] = keys;
    if (key === undefined) return work();
    const entry = locks.get(key) ?? { mutex: createMutex(), users: 0 };
    locks.set(key, entry);
    entry.users++;
    try {
      return await entry.mutex.run(() => hold(rest, work));
    } finally {
      entry.users--;
      if (entry.users === 0) locks.delete(key);
    }
  };
  return { run: (keys, work) => hold([...new Set(keys)].sort(), work) };
}
