/** The port to language servers: one object for a run, light until the first file of a known language is touched. */
import type { LanguageServers } from '../../types/language.js';
import { ToolFault } from '../../types/tool.js';
import { type Checks, createChecks } from './checks.js';
import { findAnyFile } from './find-file.js';
import { findServer } from './find-server.js';
import { openLanguageFile } from './navigate.js';
import { createPool, POOL_LIMITS, type PoolLimits, type PoolOptions } from './pool.js';

export interface LanguageServersOptions extends Omit<PoolOptions, 'limits'> {
  /** Hears once of each server that an edit would have been checked by, were the folder trusted. */
  onWaiting?(server: string): void;
  /** Hears once of each variable that names no server, when an edit would have been checked by it: why, one English sentence. */
  onMisnamed?(reason: string): void;
  /** Only tests set these. */
  readonly limits?: Partial<PoolLimits & { readonly checkMs: number }>;
}

/** A server that has not answered a check after so long is put aside. */
const CHECK_MS = 60_000;

/** Starts nothing before it is asked. */
export function openLanguageServers(options: LanguageServersOptions): LanguageServers {
  const { limits = {}, ...rest } = options;
  const pool = createPool({ ...rest, limits: { ...POOL_LIMITS, ...limits } });
  const checks: Checks = createChecks({
    pool,
    find: options,
    longestMs: limits.checkMs ?? CHECK_MS,
    onWaiting: onceEach(options.onWaiting),
    onMisnamed: onceEach(options.onMisnamed),
  });
  return {
    warm(paths) {
      for (const path of paths) {
        const found = findServer(path, options);
        if (!('file' in found)) continue;
        const session = pool.session(found);
        if (session.aside() === undefined) void session.client().catch(() => undefined);
      }
    },
    check: (files, how) => checks.check(files, how),
    late: (except = []) => checks.late(except),
    unsettled: () => checks.unsettled(),
    async open(path, text, { signal }) {
      const found = findServer(path, options);
      if (!('file' in found)) throw new ToolFault('NotFound', found.reason);
      return openLanguageFile({ session: pool.session(found), path, text, signal });
    },
    async anyFile() {
      const [session] = pool.running();
      const open = session?.current()?.documents.all()[0]?.path;
      return open ?? findAnyFile(options.roots, (path) => 'file' in findServer(path, options));
    },
    close: () => pool.close(),
  };
}

function onceEach(hear: ((name: string) => void) | undefined): (name: string) => void {
  const heard = new Set<string>();
  return (name) => {
    if (!heard.has(name)) hear?.(name);
    heard.add(name);
  };
}
