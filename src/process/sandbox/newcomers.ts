/** What commands brought into being that tools outside would obey: repositories that run programs, settings of ours. */
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identityOf, programsOf } from './git-programs.js';
import type { WorkspaceScan } from './scan-workspace.js';
import { look, stablePath } from './stable-path.js';
import type { SandboxPlan } from './types.js';

const MOST_SENTENCES = 8;
/** Stands for what was there before. */
const DONE = '';

/**
 * Looks for repositories and settings that were not there when the plan was made. A repository that would make git run
 * programs is put out of git's sight: its `.git` (of one without a working tree: its `HEAD`) gets another name. Settings of
 * ours are only told of: they count for nothing before they are trusted. One English sentence for each. Never throws.
 */
export function settleNewcomers(plan: SandboxPlan, scan: (root: string) => WorkspaceScan, told: Set<string>): string[] {
  const sentences: string[] = [];
  const known = new Set(plan.present);
  told.add(DONE);
  const isNew = (path: string): string | undefined => {
    const identity = identityOf(path);
    return identity === undefined || known.has(identity) ? undefined : identity;
  };
  const views = plan.scanned.map((root) => scan(root));
  const folders = views.flatMap(({ repositories, bare }) => [
    ...repositories.filter((path) => look(path)?.isDirectory()),
    ...bare,
  ]);
  const guarded = plan.rules.flatMap(({ kind, path }) => (kind === 'write' && isNew(path) === undefined ? [path] : []));
  const judged = { known, watched: [...folders, ...guarded] };
  // All are judged before any is put aside: one may lead to another.
  const found = views.flatMap(({ repositories, bare }) =>
    [...repositories.map((path) => ({ path, entry: path })), ...bare.map((path) => ({ path, entry: join(path, 'HEAD') }))]
      .filter(({ path }) => !told.has(isNew(path) ?? DONE))
      .map(({ path, entry }) => ({ path, entry, program: programsOf(path, judged) })),
  );
  for (const { path, entry, program } of found) {
    if (program !== undefined) told.add(identityOf(path) ?? DONE);
    sentences.push(...putAside(path, entry, program));
  }
  for (const { own } of views) {
    for (const path of own) {
      const identity = isNew(path);
      if (identity === undefined || told.has(identity)) continue;
      told.add(identity);
      sentences.push(`Sandbox: ${path} is new; settings of this agent count only when the user trusts them (chatcli trust).`);
    }
  }
  return sentences.slice(0, MOST_SENTENCES);
}

/** Gives what makes git see a repository another name. */
function putAside(repository: string, entry: string, program: string | undefined): string[] {
  if (program === undefined) return [];
  const why = `${repository} would make git run programs (${program}) outside the sandbox`;
  try {
    // Its folder may have been swapped for a link meanwhile.
    if (stablePath(dirname(entry), () => false) !== dirname(entry)) throw new Error('moved');
    for (let number = 1; ; number++) {
      const name = `${entry}-blocked${number === 1 ? '' : `-${number}`}`;
      if (look(name) !== undefined) continue;
      renameSync(entry, name);
      return [`Sandbox: ${why}; ${entry} was renamed to ${name}. If it is wanted, the user can name it back.`];
    }
  } catch {
    return [`Sandbox: ${why} and could not be put aside.`];
  }
}
