/** Remembers the secret files a session hides: whoever moves their folder, or takes away the link to them, does not bring them to light. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { look, stablePath } from './stable-path.js';
import type { PlaceRule } from './types.js';

interface SecretsNow {
  /** Real paths of the workspaces. */
  readonly roots: readonly string[];
  /** Everything that is named like a secret file now. */
  readonly files: readonly string[];
}

interface Kept {
  readonly rule: PlaceRule;
  /** Of the folder it lies in. */
  readonly folder: string | undefined;
}

/** So long (milliseconds) a file that was moved is looked for. */
const SEARCH_MS = 15_000;

/**
 * Rules of one plan and those of earlier ones that still count. Undefined: a hidden file was moved and could not be found
 * again in time. One for the life of a sandbox; never throws.
 */
export function createSecretMemory(
  searchMs: number = SEARCH_MS,
): (rules: readonly PlaceRule[], now: SecretsNow) => Promise<PlaceRule[] | undefined> {
  let kept = new Map<string, Kept>();
  return async (rules, { roots, files }) => {
    const next = new Map(rules.map((rule) => [lastingIdentity(rule.path) ?? rule.path, keep(rule)]));
    const judged = new Set(files.map((file) => stablePath(file, () => false)));
    const moved = new Map<string, Kept>();
    for (const [identity, one] of kept) {
      const { rule, folder } = one;
      if (next.has(identity)) continue;
      // Judged anew: no secret any more.
      if ([...judged].some((file) => file !== undefined && lastingIdentity(file) === identity)) continue;
      if (lastingIdentity(rule.path) === identity) next.set(identity, one);
      // In the same folder it was replaced or deleted from outside; a hidden file cannot be moved by a command, its folder can.
      else if (lastingIdentity(dirname(rule.path)) !== folder) moved.set(identity, one);
    }
    const isWhole = moved.size === 0 || (await findMoved(roots, moved, next, searchMs));
    kept = isWhole ? next : new Map([...moved, ...next]);
    return isWhole ? [...next.values()].map(({ rule }) => rule) : undefined;
  };
}

const keep = (rule: PlaceRule): Kept => ({ rule, folder: lastingIdentity(dirname(rule.path)) });

/** With the time of birth: numbers are given to others after a deletion. */
function lastingIdentity(path: string): string | undefined {
  const stat = look(path);
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
}

/** Looks everywhere in the workspaces for files by name and identity; what is found goes from `moved` to `found`. False: the time was not enough. */
async function findMoved(
  roots: readonly string[],
  moved: Map<string, Kept>,
  found: Map<string, Kept>,
  ms: number,
): Promise<boolean> {
  const until = performance.now() + ms;
  const names = new Set([...moved.values()].map(({ rule }) => basename(rule.path)));
  const left = [...roots];
  for (let at = 0; at < left.length && moved.size > 0; at++) {
    if (performance.now() > until) return false;
    const folder = left[at] as string;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) left.push(path);
      else if (entry.isFile() && names.has(entry.name)) {
        const identity = lastingIdentity(path);
        const one = identity === undefined ? undefined : moved.get(identity);
        if (identity === undefined || one === undefined) continue;
        found.set(identity, keep({ ...one.rule, path }));
        moved.delete(identity);
      }
    }
  }
  return true;
}
