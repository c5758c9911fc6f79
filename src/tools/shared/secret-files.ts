/** How many secret files a search passes over: counted by name, whatever the term, so that the number tells nothing about them. */
import { readdirSync } from 'node:fs';
import { isSecretName } from '../../base/sensitive-paths.js';
import { type FolderRules, rulesFor } from '../../workspace/ignore-rules.js';

/** Folders looked into, nearest first. */
const MOST_FOLDERS = 300;
const SKIPPED = new Set(['.git', 'node_modules', 'vendor']);

export interface SecretCount {
  readonly count: number;
  /** Not every folder was looked into. */
  readonly atLeast: boolean;
}

/** Ignored files are not counted: they are never searched. */
export function countSecretFiles(start: string, root: string): SecretCount {
  const queue: FolderRules[] = [rulesFor(start, root)];
  let count = 0;
  for (let i = 0; i < queue.length && i < MOST_FOLDERS; i++) {
    const rules = queue[i];
    if (!rules) break;
    try {
      for (const entry of readdirSync(rules.dir, { withFileTypes: true })) {
        const isFolder = entry.isDirectory();
        if (isFolder ? SKIPPED.has(entry.name) || queue.length >= MOST_FOLDERS : !isSecretName(entry.name)) {
          continue;
        }
        if (rules.ignores(entry.name, isFolder)) continue;
        if (isFolder) queue.push(rules.child(entry.name));
        else count++;
      }
    } catch {
      // A folder that cannot be listed is not searched either.
    }
  }
  return { count, atLeast: queue.length >= MOST_FOLDERS };
}
