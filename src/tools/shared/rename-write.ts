/** The end of every rename: the gate is asked about all files, then they change as one transaction. */
import { bomOf, detect, encodeText } from '../../base/text-encoding.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { diffDisplay, statText } from './change-report.js';
import { counted } from './counted.js';
import type { RenameFile } from './rename-plan.js';

/** `what`: the old and the new name; `notes`: lines under the list of files. Throws ToolFault; then nothing was changed. */
export async function writeRename(
  files: readonly RenameFile[],
  { what, preview, notes }: { readonly what: string; readonly preview: boolean; readonly notes: readonly string[] },
  context: ToolContext,
): Promise<ToolResult> {
  const places = counted(
    files.reduce((sum, each) => sum + each.places, 0),
    'place',
  );
  const head = `${what}: ${places} in ${counted(files.length, 'file')}`;
  const bullets = files.map(({ shown, change, places: count }) => `- ${shown}: ${counted(count, 'place')} (${statText(change)})`);
  const display = diffDisplay(files.map(({ change }) => change));
  if (preview) {
    const output = [`Preview, nothing was changed. ${head}.`, ...bullets, ...notes, await patchText(files)].join('\n');
    return { output, isError: false, display };
  }
  const answer = await context.mayWrite?.(files.map(({ target }) => target.path));
  if (answer?.ok === false) throw new ToolFault(answer.code, `${answer.message} The rename of ${head} was not made at all.`);
  const written = await context.workspace.changeFiles(files.map(({ target }) => target));
  const more = written.flatMap(({ located, notes: list }) => list.map((note) => `Note: ${located.shown}: ${note}.`));
  return {
    output: `${[`Renamed ${head}.`, ...bullets, ...notes, ...more].join('\n')}\n`,
    isError: false,
    display,
    changed: written.map(({ located }) => located.real),
  };
}

async function patchText(files: readonly RenameFile[]): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  return files
    .map(({ shown, before, after }) => createTwoFilesPatch(shown, shown, before, after, '', '', { context: 0 }))
    .join('');
}

/** A text in the encoding of the old bytes, byte order mark included. */
export function encodedLike(text: string, old: Buffer): Buffer {
  const { encoding, bom } = detect(old);
  const kind = encoding === 'bytes' ? 'utf-8' : encoding;
  return bom ? Buffer.concat([bomOf(kind), encodeText(text, kind)]) : encodeText(text, kind);
}
