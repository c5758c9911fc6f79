/** `smart-commit`: gathers what a good commit message needs. It never commits. */
import type { ScriptSkill } from '../types/skill.js';
import { DIR } from './shared/args.js';
import { changedFiles, diffCounts, filesData, filesText, gather } from './shared/git-parts.js';

/** Data: `branch`, `staged[]` and `unstaged[]` {letters, path, from}, `added`, `removed`, `recent[]` (subjects). */
export const smartCommit: ScriptSkill = {
  name: 'smart-commit',
  summary: 'Gathers status, staged diff and recent subjects for a commit message',
  schema: { type: 'object', properties: { dir: DIR }, additionalProperties: false },
  example: { dir: '.' },
  calls: ['@coder git-status', '@coder git-diff', '@coder git-changed', '@coder git-log'],
  readOnly: true,
  async run(args, context) {
    const got = await gather('smart-commit', args, context, [
      { title: 'Status', tool: '@coder git-status', args: {} },
      { title: 'Staged Diff', tool: '@coder git-diff', args: { staged: true }, language: 'diff' },
      { title: 'Staged Files', tool: '@coder git-changed', args: { staged: true } },
      { title: 'Recent Commits', tool: '@coder git-log', args: { oneline: true, limit: 8 } },
    ]);
    if (got.fault) return got.fault;
    const [status, diff, stagedList, log] = got.results;
    const staged = changedFiles(stagedList);
    const all = changedFiles(
      await context.call('@coder git-changed', { dir: typeof args['dir'] === 'string' ? args['dir'] : '.' }),
    );
    const names = new Set(staged.map(({ path }) => path));
    const unstaged = all.filter(({ path }) => !names.has(path));
    const branch = /^## (?:No commits yet on )?(.+?)(?:\.\.\..*)?$/m.exec(status?.output ?? '')?.[1] ?? '';
    const counts = diffCounts(diff?.output ?? '');
    const head =
      staged.length === 0
        ? `nothing is staged${unstaged.length === 0 ? ', and nothing is changed' : `; ${filesText(unstaged.length)} changed: stage what belongs together first`}`
        : `${filesText(staged.length)} staged (+${counts.added} -${counts.removed}) on ${branch}${unstaged.length > 0 ? `; ${unstaged.length} more changed and not staged` : ''}`;
    const recent = (log?.output ?? '').split('\n').filter((line) => /^[0-9a-f]{7,}/.test(line));
    return {
      status: 'ok',
      text: `**smart-commit: ${head}. Nothing was committed.**\n\n${got.text}\n`,
      data: { script: 'smart-commit', head, branch, staged: filesData(staged), unstaged: filesData(unstaged), ...counts, recent },
    };
  },
};
