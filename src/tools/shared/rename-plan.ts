/** Turns a server's rename into one transaction: every file inside the workspace, unchanged since, written in its own encoding. */
import { bomOf, detect, encodeText } from '../../base/text-encoding.js';
import type { EditedText } from '../../types/language.js';
import { type ToolContext, ToolFault } from '../../types/tool.js';
import type { FileTarget } from '../../types/workspace.js';
import { changeOf, textOf } from './change-report.js';
import { withEdits } from './code-text.js';
import type { Names } from './renaming.js';

export interface RenameFile {
  readonly target: FileTarget;
  readonly shown: string;
  readonly places: number;
  readonly before: string;
  readonly after: string;
  readonly change: ReturnType<typeof changeOf>;
}

const MOST_FILES = 1000;

/** Throws ToolFault: `OutsideWorkspace` for a file that must not be written, `Stale` when the server saw other text than is there. */
export async function planRename(
  edits: readonly EditedText[],
  names: Names,
  { workspace }: Pick<ToolContext, 'workspace'>,
): Promise<readonly RenameFile[]> {
  if (edits.length > MOST_FILES) throw new ToolFault('Failed', `it would change ${edits.length} files, more than ${MOST_FILES}`);
  const files: RenameFile[] = [];
  for (const edit of edits) {
    const located = workspace.locate(edit.path);
    if (located.zone !== 'inside')
      throw new ToolFault(
        located.zone === 'personal' || located.zone === 'system' ? 'Sensitive' : 'OutsideWorkspace',
        `the new name would also change ${located.shown}, which file tools may not write. Nothing was changed`,
      );
    const { bytes, state } = await workspace.readFile(edit.path);
    const stale = () =>
      new ToolFault(
        'Stale',
        `the language server saw another text than ${located.shown} holds, or would change more than the name there. Nothing was changed; try again`,
      );
    const text = textOf(bytes);
    if (text === undefined || !encoded(text, bytes).equals(bytes))
      throw new ToolFault(
        'Failed',
        `${located.shown} is not plain text (UTF-8 or UTF-16), so it is not changed; nor is anything else`,
      );
    // Some servers count a byte order mark as a character.
    const renamed = withEdits(text, edit, names) ?? (detect(bytes).bom ? withEdits(text, edit, names, 1) : undefined);
    if (renamed === undefined) throw stale();
    const { text: after, places } = renamed;
    const changed = encoded(after, bytes);
    files.push({
      target: { path: located.real, bytes: changed, expect: state },
      shown: located.shown,
      places,
      before: text,
      after,
      change: changeOf(located.shown, bytes, changed),
    });
  }
  const changing = files.filter(({ before, after }) => before !== after);
  if (new Set(changing.map(({ target }) => target.path)).size !== changing.length)
    throw new ToolFault('Failed', 'two names of one file would be changed. Nothing was changed');
  return changing;
}

/** A text in the encoding of the old bytes, byte order mark included. */
function encoded(text: string, old: Buffer): Buffer {
  const { encoding, bom } = detect(old);
  const kind = encoding === 'bytes' ? 'utf-8' : encoding;
  return bom ? Buffer.concat([bomOf(kind), encodeText(text, kind)]) : encodeText(text, kind);
}
