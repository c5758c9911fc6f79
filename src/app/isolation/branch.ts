/** Keeps the change of a worker as a branch of the user's repository: its own change alone, on top of the commit it began on. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mergeLines } from '../../base/merge-lines.js';
import { checkOutcome, type GitOptions, type Repository, runGit } from '../../process/git.js';
import { type Bringable, isPlain } from './bring-back.js';
import type { Worktree } from './worktree.js';

const WHO = ['-c', 'user.name=chatcli', '-c', 'user.email=chatcli@localhost', '-c', 'commit.gpgSign=false'];
const ARGUMENTS = 100;
const MOST_FILE = 8 * 1024 * 1024;

export interface Keeping {
  readonly branch: string;
  readonly message: string;
  /** A folder out of the worker's reach, for files in between. */
  readonly folder: string;
  readonly git: GitOptions;
}

interface Entry {
  readonly path: string;
  readonly bytes: Buffer | null;
  readonly mode: string;
}

/**
 * Gives false when the worker's change cannot be told apart from what the user has not committed; nothing is made then. Throws
 * what git says otherwise.
 */
export async function keepAsBranch(tree: Worktree, changes: readonly Bringable[], keeping: Keeping): Promise<boolean> {
  const { repository, head, committed } = tree.facts;
  const git: GitOptions = { ...keeping.git, cwd: repository.top, rawText: true, keepBytes: MOST_FILE };
  const entries: Entry[] = [];
  for (const change of changes) {
    const entry = await entryOf(tree, change, git);
    if (entry === undefined) return false;
    if (entry.bytes !== null || committed.has(entry.path)) entries.push(entry);
  }
  if (entries.length === 0) return false;
  mkdirSync(keeping.folder, { recursive: true, mode: 0o700 });
  try {
    const side: Repository = { ...repository, gitFolder: sideFolder(tree, keeping.folder) };
    const run = async (...words: string[]): Promise<string> => {
      const outcome = await runGit(side, words, git);
      checkOutcome(outcome, 'git, which was to keep the change as a branch,');
      return outcome.output.trim();
    };
    await run('read-tree', head);
    await stage(entries, keeping.folder, run);
    const made = await run(...WHO, 'commit-tree', await run('write-tree'), '-p', head, '-m', keeping.message);
    await run('update-ref', `refs/heads/${keeping.branch}`, made, '0'.repeat(head.length));
    return true;
  } finally {
    rmSync(keeping.folder, { recursive: true, force: true });
  }
}

/** Beside the user's repository, as git does for a work tree: an index of its own, objects and refs in common. */
function sideFolder({ facts }: Worktree, folder: string): string {
  const side = join(folder, 'side');
  mkdirSync(side, { recursive: true });
  writeFileSync(join(side, 'HEAD'), `${facts.head}\n`);
  writeFileSync(join(side, 'commondir'), `${dirname(facts.objects)}\n`);
  return side;
}

async function stage(entries: readonly Entry[], folder: string, run: (...words: string[]) => Promise<string>): Promise<void> {
  const gone = entries.filter(({ bytes }) => bytes === null);
  for (let at = 0; at < gone.length; at += ARGUMENTS)
    await run('update-index', '--force-remove', '--', ...gone.slice(at, at + ARGUMENTS).map(({ path }) => path));
  const held = entries.filter(({ bytes }) => bytes !== null);
  for (let at = 0; at < held.length; at += ARGUMENTS) {
    const some = held.slice(at, at + ARGUMENTS);
    const files = some.map(({ bytes }, index) => {
      const file = join(folder, `${at + index}.bytes`);
      writeFileSync(file, bytes ?? '', { mode: 0o600 });
      return file;
    });
    const names = (await run('hash-object', '-w', '--no-filters', '--', ...files)).split('\n');
    const told = some.flatMap(({ mode, path }, index) => ['--cacheinfo', `${mode},${names[index] ?? ''},${path}`]);
    await run('update-index', '--add', '--replace', ...told);
  }
}

/** The file as the branch has it: the worker's change on the bytes of the commit. Undefined: the two cannot be told apart. */
async function entryOf(tree: Worktree, change: Bringable, git: GitOptions): Promise<Entry | undefined> {
  const { path, status, mine, executable } = change;
  const mode = executable ? '100755' : '100644';
  const committed = tree.facts.committed.get(path);
  const laid = tree.snapshot.files.get(path);
  if (status === 'removed') return { path, bytes: null, mode };
  if (mine === null) return undefined;
  if (status === 'added' || (laid && laid.id === committed?.id)) return { path, bytes: mine, mode };
  if (!committed || !isPlain(mine)) return undefined;
  const shown = await runGit(tree.facts.repository, ['cat-file', 'blob', committed.id], git);
  const base = await tree.before(path);
  if (shown.exitCode !== 0 || shown.totalBytes >= MOST_FILE || base === undefined) return undefined;
  const head = shown.output;
  // Line ends that git changes on the way are no change of anybody's.
  const plain =
    base.includes('\r\n') && !head.includes('\r\n') ? (text: string) => text.replaceAll('\r\n', '\n') : (text: string) => text;
  const own = plain(mine.toString('utf8'));
  if (plain(base) === head) return { path, bytes: Buffer.from(own, 'utf8'), mode };
  const joined = await mergeLines(plain(base), own, head);
  return joined.ok ? { path, bytes: Buffer.from(joined.text, 'utf8'), mode } : undefined;
}
