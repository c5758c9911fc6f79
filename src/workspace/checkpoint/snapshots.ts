/** Snapshots as commits without parents, each held by a reference of its own, so that any of them can be dropped alone. */
import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolFault } from '../../types/tool.js';
import { git, type Shadow } from './shadow-git.js';

export interface Snapshot {
  readonly hash: string;
  /** Milliseconds since 1970, whole seconds. */
  readonly time: number;
  readonly subject: string;
  readonly reference: string;
}

/** Where the references to snapshots lie, below the place. */
export const SNAPSHOTS_FOLDER = 'refs/snapshots';
const PREFIX = `${SNAPSHOTS_FOLDER}/`;
const LONGEST_LABEL = 120;

/** One line without control characters. */
function cleanLabel(label: string): string {
  const line = label
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]+/g, (found) =>
      /[\ud800-\udfff]{2}/.test(found) ? found : ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();
  const whole = [...line];
  return whole.length <= LONGEST_LABEL ? line : `${whole.slice(0, LONGEST_LABEL - 3).join('')}...`;
}

/** `checkpoint before <label> (<RFC 3339>)`. */
function subjectOf(label: string, now: number): string {
  const clean = cleanLabel(label) || 'manual';
  const what = clean.replace(/^before /i, '');
  return `checkpoint before ${what || clean} (${new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')})`;
}

/** Keeps a tree as the newest snapshot. Only under the lock. */
export async function keepSnapshot(
  shadow: Shadow,
  options: { readonly tree: string; readonly label: string; readonly now: number; readonly signal: AbortSignal },
): Promise<Snapshot> {
  const { tree, now, signal } = options;
  const subject = subjectOf(options.label, now);
  const seconds = Math.floor(now / 1000);
  const date = `${seconds} +0000`;
  const [name, email] = ['ChatCLI checkpoints', 'checkpoints@chatcli.invalid'];
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
  const words = ['commit-tree', '--no-gpg-sign', '-F', '-', tree];
  const hash = (await git(shadow, words, { signal, env, input: `${subject}\n` })).toString('latin1').trim();
  const reference = `${PREFIX}${nextNumber(shadow.folder, now)}-${hash.slice(0, 12)}`;
  const input = `create ${reference} ${hash}\noption no-deref\nupdate HEAD ${hash}\n`;
  await git(shadow, ['update-ref', '--stdin'], { signal, input });
  return { hash, time: seconds * 1000, subject, reference };
}

/** Numbers grow even when the clock goes back: their order is the order of the snapshots. */
function nextNumber(folder: string, now: number): string {
  let number = Math.max(0, Math.floor(now));
  try {
    for (const name of readdirSync(join(folder, PREFIX))) {
      const found = Number(/^(\d{15})-[0-9a-f]+$/.exec(name)?.[1] ?? Number.NaN);
      if (found >= number) number = found + 1;
    }
  } catch {
    // The first one.
  }
  return String(number).padStart(15, '0');
}

/** All snapshots, newest first. */
export async function listSnapshots(shadow: Shadow, signal: AbortSignal): Promise<Snapshot[]> {
  const format = '--format=%(objectname) %(committerdate:unix) %(refname) %(contents:subject)';
  const output = await git(shadow, ['for-each-ref', '--sort=-refname', format, PREFIX], { signal, readsOnly: true });
  return output
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, hash, time, reference, subject] = /^([0-9a-f]{40}) (\d+) (\S+) (.*)$/.exec(line) ?? [];
      if (hash === undefined || time === undefined || reference === undefined || subject === undefined) return [];
      return [{ hash, time: Number(time) * 1000, subject, reference }];
    });
}

/** Short forms of hashes, each as long as it must be to be the only one; at least 7 digits. */
export function shortHashes(hashes: readonly string[]): Map<string, string> {
  const sorted = [...new Set(hashes)].sort();
  const shared = (a: string, b: string | undefined): number => {
    let length = 0;
    while (b !== undefined && length < a.length && a[length] === b[length]) length++;
    return length;
  };
  return new Map(
    sorted.map((hash, i) => {
      const length = Math.max(6, shared(hash, sorted[i - 1]), shared(hash, sorted[i + 1])) + 1;
      return [hash, hash.slice(0, length)];
    }),
  );
}

/** The snapshots a hash or the beginning of one names. Throws ToolFault `InvalidArgs` for what is no hash. */
export function matching<T extends Snapshot>(snapshots: readonly T[], text: string): T[] {
  const wanted = text.trim().toLowerCase();
  if (!/^[0-9a-f]{4,40}$/.test(wanted))
    throw new ToolFault(
      'InvalidArgs',
      `invalid arguments: at /restore: ${JSON.stringify(text.slice(0, 80))} is no snapshot hash (4 to 40 digits 0-9 and a-f); list shows them`,
    );
  return snapshots.filter((snapshot) => snapshot.hash.startsWith(wanted));
}

/** Removes snapshots; their content goes with the next upkeep. Only under the lock. */
export async function dropSnapshots(shadow: Shadow, references: readonly string[], signal: AbortSignal): Promise<void> {
  if (references.length === 0) return;
  const input = references.map((reference) => `delete ${reference}\n`).join('');
  await git(shadow, ['update-ref', '--stdin'], { signal, input });
}

/** Where references to states without a snapshot lie: one folder per session. */
export const STATES_FOLDER = 'refs/states';

/** Keeps a tree although no snapshot is made of it. Only under the lock. */
export function keepState(folder: string, session: string, tree: string, now: number): void {
  const dir = join(folder, STATES_FOLDER, session);
  const file = join(dir, tree);
  try {
    utimesSync(file, now / 1000, now / 1000);
  } catch {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    // Git must never see half of it.
    const draft = join(folder, `chatcli.state.${tree}`);
    writeFileSync(draft, `${tree}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
}
