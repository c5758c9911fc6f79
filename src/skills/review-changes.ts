/** `review-changes`: everything that changed since the last commit, with the commits before it. */
import type { ScriptSkill } from '../types/skill.js';
import { DIR } from './shared/args.js';
import { changedFiles, diffCounts, filesData, filesText, gather } from './shared/git-parts.js';

/** Data: `files[]` {letters, path, from}, `untracked[]`, `added`, `removed`. */
export const reviewChanges: ScriptSkill = {
  name: 'review-changes',
  summary: 'Shows changed files, the full diff and the recent commits',
  schema: { type: 'object', properties: { dir: DIR }, additionalProperties: false },
  example: { dir: '.' },
  calls: ['@coder git-changed', '@coder git-diff', '@coder git-log'],
  readOnly: true,
  async run(args, context) {
    const got = await gather('review-changes', args, context, [
      { title: 'Changed Files', tool: '@coder git-changed', args: {} },
      { title: 'Staged Diff', tool: '@coder git-diff', args: { staged: true }, language: 'diff' },
      { title: 'Unstaged Diff', tool: '@coder git-diff', args: {}, language: 'diff' },
      { title: 'Recent Commits', tool: '@coder git-log', args: { oneline: true, limit: 5 } },
    ]);
    if (got.fault) return got.fault;
    const [list, staged, unstaged] = got.results;
    const files = changedFiles(list);
    const untracked = files.filter(({ letters }) => letters === '??');
    const [a, b] = [diffCounts(staged?.output ?? ''), diffCounts(unstaged?.output ?? '')];
    const counts = { added: a.added + b.added, removed: a.removed + b.removed };
    const head =
      files.length === 0
        ? 'nothing is changed'
        : `${filesText(files.length)} changed (+${counts.added} -${counts.removed})${untracked.length > 0 ? `; ${untracked.length} of them new and not in any diff: read them` : ''}`;
    return {
      status: 'ok',
      text: `**review-changes: ${head}**\n\n${got.text}\n`,
      data: { script: 'review-changes', head, files: filesData(files), untracked: untracked.map(({ path }) => path), ...counts },
    };
  },
};
