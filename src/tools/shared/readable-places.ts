/** Places in files, with the text of their lines and what was said of them only where the file may be read. */
import { textLines } from '../../code/lsp/positions.js';
import type { CodePlace } from '../../types/language.js';
import type { ToolContext } from '../../types/tool.js';
import type { Located, Zone } from '../../types/workspace.js';
import { textOf } from './change-report.js';
import { placeLine } from './code-text.js';
import { counted } from './counted.js';

const MOST_PLACES = 200;
export const LARGEST_FILE = 2 * 1024 * 1024;

/** Why the text of a place is not shown, behind it. */
const HIDDEN: Partial<Record<Zone, string>> = {
  personal: 'a private file',
  own: 'a file of the rules',
  system: 'a file of the system',
};

type Looked = Pick<ToolContext, 'workspace' | 'unreadable'>;

/** Why a file must not be read; undefined: nothing forbids it, though it may lie outside. */
export async function hiddenAmong(
  paths: readonly string[],
  { workspace, unreadable }: Looked,
): Promise<(path: string) => string | undefined> {
  const located = new Map([...new Set(paths)].map((path) => [path, workspace.locate(path)]));
  const inside = [...located.values()].filter(({ zone }) => zone === 'inside');
  const denied = (await unreadable?.(inside.map(({ real }) => real))) ?? new Set<string>();
  const why = ({ zone, real }: Located) => (denied.has(real) ? 'a rule forbids to read the file' : HIDDEN[zone]);
  return (path) => why(located.get(path) ?? workspace.locate(path));
}

/** Places with the text of their lines, where the file may be read. */
export async function placesText(places: readonly CodePlace[], context: Looked, none: string): Promise<string> {
  if (places.length === 0) return none;
  const shown = places.slice(0, MOST_PLACES);
  const { workspace } = context;
  const paths = shown.filter(({ isFile }) => isFile).map(({ path }) => path);
  const hidden = await hiddenAmong(paths, context);
  const texts = await textsOf(
    paths.filter((path) => hidden(path) === undefined),
    context,
  );
  const lines = shown.map((place) => {
    if (!place.isFile) return placeLine(place, '', undefined);
    const why = hidden(place.path);
    const text = textLines(texts.get(place.path) ?? '')[place.start.line - 1]?.text;
    const line = placeLine(place, workspace.locate(place.path).shown, why === undefined ? text : undefined);
    return why === undefined ? line : `${line} (its text is not shown: ${why})`;
  });
  const files = new Set(places.map(({ path }) => path)).size;
  const more = places.length > MOST_PLACES ? `\n... ${places.length - MOST_PLACES} more` : '';
  return `${counted(places.length, 'place')} in ${counted(files, 'file')}\n${lines.join('\n')}${more}`;
}

/** Texts of those files that lie inside and can be read. */
export async function textsOf(
  paths: readonly string[],
  { workspace }: Pick<ToolContext, 'workspace'>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of new Set(paths)) {
    if (workspace.locate(path).zone !== 'inside') continue;
    const read = await workspace.readFile(path, { maxBytes: LARGEST_FILE }).catch(() => undefined);
    const text = read && textOf(read.bytes);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}
