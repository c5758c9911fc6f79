/** The change of an isolated worker as a unified diff, for who is asked about it and for the record. */
import { type Bringable, isPlain } from './bring-back.js';
import type { Worktree } from './worktree.js';

const MOST_BYTES = 4 * 1024 * 1024;
/** Milliseconds one comparison may take. */
const LONGEST_MS = 2000;

/** One block a file; `diff --git` heads it, so that a replay finds the names. */
export async function changeText(tree: Worktree, changes: readonly Bringable[]): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const blocks: string[] = [];
  let size = 0;
  for (const change of changes) {
    const { shown, status, mine, executable } = change;
    const head = `diff --git a/${shown} b/${shown}\n`;
    const mode = change.modeChanged
      ? `${status === 'added' ? 'new file' : 'new'} mode ${executable ? '100755' : '100644'}\n`
      : '';
    const base = status === 'added' ? '' : await tree.before(change.path);
    const own = mine ?? Buffer.alloc(0);
    size += own.length + (base?.length ?? 0);
    const told = change.sameBytes
      ? ''
      : base === undefined || !isPlain(own) || size > MOST_BYTES
        ? `${status}, ${own.length} bytes, not shown\n`
        : (createTwoFilesPatch(
            status === 'added' ? '/dev/null' : `a/${shown}`,
            status === 'removed' ? '/dev/null' : `b/${shown}`,
            base,
            own.toString('utf8'),
            undefined,
            undefined,
            { timeout: LONGEST_MS },
          )?.replace(/^=+\n/, '') ?? `${status}, ${own.length} bytes, not shown\n`);
    blocks.push(`${head}${mode}${told}`);
  }
  return blocks.join('');
}
