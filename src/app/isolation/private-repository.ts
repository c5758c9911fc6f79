/** A repository of its own for one agent: it reads the user's objects and shares nothing that can be written. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GitOptions, type Repository, runGit } from '../../process/git.js';
import type { RepositoryFacts } from './repository-facts.js';

const ARGUMENTS = 200;

/** Writes a repository folder. Without `refs` it knows no commit: it is only there to say what is ignored. */
export function writeRepository(folder: string, facts: RepositoryFacts, refs: boolean): void {
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'config'), configText(facts));
  const branch = facts.branch ?? 'refs/heads/main';
  writeFileSync(join(folder, 'HEAD'), refs && facts.branch === undefined ? `${facts.head}\n` : `ref: ${branch}\n`);
  if (existsSync(facts.exclude)) copyFileSync(facts.exclude, join(folder, 'info/exclude'));
  if (!refs) return;
  writeFileSync(join(folder, 'objects/info/alternates'), `${quoted(facts.objects)}\n`);
  if (facts.refs.length > 0) writeFileSync(join(folder, 'packed-refs'), `${facts.refs.join('\n')}\n`);
  if (existsSync(facts.shallow)) copyFileSync(facts.shallow, join(folder, 'shallow'));
}

/** The index as the commit has it, so that what the user has not committed shows as that. Never throws for single files. */
export async function fillIndex(repository: Repository, leftOut: readonly string[], git: GitOptions): Promise<boolean> {
  const read = await runGit(repository, ['read-tree', 'HEAD'], git);
  if (read.exitCode !== 0) return false;
  for (let at = 0; at < leftOut.length; at += ARGUMENTS)
    await runGit(repository, ['update-index', '--skip-worktree', '--', ...leftOut.slice(at, at + ARGUMENTS)], git);
  await runGit(repository, ['update-index', '-q', '--refresh'], git);
  return true;
}

function configText({ settings, head }: RepositoryFacts): string {
  const rows = [
    '[core]',
    '\tbare = false',
    '\tlogallrefupdates = true',
    `\trepositoryformatversion = ${head.length === 64 ? 1 : 0}`,
  ];
  for (const [key, value] of settings) {
    const dot = key.lastIndexOf('.');
    rows.push(`[${key.slice(0, dot)}]`, `\t${key.slice(dot + 1)} = ${quoted(value, true)}`);
  }
  return `${rows.join('\n')}\n`;
}

/** As git writes strings; a plain path stays as it is. */
function quoted(text: string, always = false): string {
  return always || /["\\\n#]/.test(text)
    ? `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`
    : text;
}
