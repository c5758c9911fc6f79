/** How many secret files a search passes over: counted by name, whatever the term, so that the number tells nothing about them. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from '../../base/sensitive-paths.js';
import { rulesFor, type StartRules } from '../../workspace/ignore-rules.js';

/** Folders looked into, nearest first. */
const MOST_FOLDERS = 100;
const SKIPPED = new Set(['.git', 'node_modules', 'vendor']);

export interface SecretCount {
  readonly count: number;
  /** Not every folder was looked into. */
  readonly atLeast: boolean;
}

/** Ignored files are not counted: they are never searched. Ignore files are read only where a secret name was found. */
export function countSecretFiles(start: string, root: string): SecretCount {
  const queue: string[] = [start];
  let count = 0;
  for (let i = 0; i < queue.length && i < MOST_FOLDERS; i++) {
    const dir = queue[i];
    if (dir === undefined) break;
    let rules: StartRules | undefined;
    for (const entry of listed(dir)) {
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && queue.length < MOST_FOLDERS) queue.push(join(dir, entry.name));
      } else if (isSecretName(entry.name)) {
        rules ??= rulesFor(dir, root);
        if ((dir === start || !rules.alone) && !rules.ignores(entry.name, false)) count++;
      }
    }
  }
  return { count, atLeast: queue.length >= MOST_FOLDERS };
}

/** A folder that cannot be listed is not searched either. */
function listed(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
