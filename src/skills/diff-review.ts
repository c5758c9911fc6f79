/** `diff-review`: the changes a reviewer looks at, what is staged apart from what is not. */
import type { ScriptSkill } from '../types/skill.js';
import { DIR } from './shared/args.js';
import { changedFiles, diffCounts, filesData, filesText, gather } from './shared/git-parts.js';

/** Data: `staged` and `unstaged` {added, removed}, `files[]` {letters, path, from}. */
export const diffReview: ScriptSkill = {
  name: 'diff-review',
  summary: 'Shows the staged and the unstaged diff for a review',
  schema: { type: 'object', properties: { dir: DIR }, additionalProperties: false },
  example: { dir: '.' },
  calls: ['@coder git-changed', '@coder git-diff'],
  readOnly: true,
  async run(args, context) {
    const got = await gather('diff-review', args, context, [
      { title: 'Changed Files', tool: '@coder git-changed', args: {} },
      { title: 'Staged Diff', tool: '@coder git-diff', args: { staged: true }, language: 'diff' },
      { title: 'Unstaged Diff', tool: '@coder git-diff', args: {}, language: 'diff' },
    ]);
    if (got.fault) return got.fault;
    const [list, stagedDiff, unstagedDiff] = got.results;
    const files = changedFiles(list);
    const [staged, unstaged] = [diffCounts(stagedDiff?.output ?? ''), diffCounts(unstagedDiff?.output ?? '')];
    const untracked = files.filter(({ letters }) => letters === '??').length;
    const head =
      files.length === 0
        ? 'nothing to review'
        : `${filesText(files.length)} to review: staged +${staged.added} -${staged.removed}, unstaged +${unstaged.added} -${unstaged.removed}${untracked > 0 ? `, ${untracked} new and not in any diff` : ''}`;
    return {
      status: 'ok',
      text: `**diff-review: ${head}**\n\n${got.text}\n`,
      data: { script: 'diff-review', head, files: filesData(files), staged, unstaged },
    };
  },
};
