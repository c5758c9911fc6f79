/** What a person changed of a proposed edit, told to the model. */
import { createTwoFilesPatch } from 'diff';
import type { ProposedFile } from '../../../ui/shell/approval/hunks.js';

const MOST_LETTERS = 6000;

/** Stable English: which files differ from the proposal, and how, as a diff from what was proposed to what is written. */
export function changeNote(proposed: readonly ProposedFile[], wanted: readonly ProposedFile[]): string {
  const differing = wanted.flatMap((file, index) => {
    const before = proposed[index]?.after ?? '';
    return before === file.after ? [] : [{ path: file.path, before, after: file.after }];
  });
  const diffs = differing.map(({ path, before, after }) => {
    const patch = createTwoFilesPatch('proposed', 'written', before, after, undefined, undefined, { context: 0 });
    return `${path}:\n${patch.replace(/^=+\n/, '').trimEnd()}`;
  });
  const text = diffs.join('\n');
  const shown = text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}\n... (cut; read the file)` : text;
  return `the user changed this edit before it was applied. What follows is the difference from what you proposed to what was written; keep it so unless asked otherwise.\n${shown}`;
}
