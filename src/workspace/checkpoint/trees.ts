/** What differs between two recorded states. */

import { git, type Shadow } from './shadow-git.js';
import type { TreeChange } from './types.js';

const NONE = '0'.repeat(40);

/** Ids must be ours, never a model's text. Links to other repositories are passed over. */
export async function diffTrees(shadow: Shadow, before: string, after: string, signal: AbortSignal): Promise<TreeChange[]> {
  const words = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', '--no-ext-diff', before, after, '--'];
  return parseRaw(await git(shadow, words, { signal, readsOnly: true }));
}

/** Reads `:mode mode id id letter`, NUL, path, NUL. */
function parseRaw(output: Buffer): TreeChange[] {
  const changes: TreeChange[] = [];
  for (let at = 0; at < output.length; ) {
    const middle = output.indexOf(0, at);
    const end = middle < 0 ? -1 : output.indexOf(0, middle + 1);
    if (end < 0) break;
    const [oldMode = '', newMode = '', before = '', after = ''] = output.toString('latin1', at + 1, middle).split(' ');
    const raw = Buffer.from(output.subarray(middle + 1, end));
    at = end + 1;
    if (oldMode === '160000' || newMode === '160000') continue;
    changes.push({
      path: raw.toString('utf8'),
      raw,
      before: before === NONE ? 'absent' : before,
      after: after === NONE ? 'absent' : after,
      beforeMode: Number.parseInt(oldMode, 8),
      afterMode: Number.parseInt(newMode, 8),
    });
  }
  return changes;
}

/** Which of these paths the ignore rules leave out, whether recorded or not; as latin-1 texts. */
export async function ignoredAmong(shadow: Shadow, paths: readonly Buffer[], signal: AbortSignal): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]));
  const words = ['check-ignore', '--no-index', '-z', '--stdin'];
  const output = await git(shadow, words, { signal, input, fine: [1], readsOnly: true });
  return new Set(output.toString('latin1').split('\0').filter(Boolean));
}
