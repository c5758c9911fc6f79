/** The edit a server answers a rename with, read with care: changes of text alone, in files. */
import type { CodePosition, EditedText } from '../../types/language.js';
import { ToolFault } from '../../types/tool.js';
import { asObject } from './capabilities.js';
import { oneLine } from './plain.js';
import { isIn, type PositionEncoding, readRange, toPosition } from './positions.js';
import { pathOf } from './uris.js';

const MOST_EDITS = 20_000;

export interface ReadEditOptions {
  /** Text of a line, from 0. */
  lineOf(path: string, line: number): string | undefined;
  /** Version of a file the server has open. */
  versionOf(path: string): number | undefined;
  readonly encoding: PositionEncoding;
}

type Edit = EditedText['edits'][number];

/** Edits by file, each file once, its edits in order. Throws ToolFault for what is no such edit, whole. */
export function readEdit(answer: unknown, options: ReadEditOptions): readonly EditedText[] {
  const { changes, documentChanges } = asObject(answer);
  const byPath = new Map<string, Edit[]>();
  let count = 0;
  const take = (uri: unknown, list: unknown) => {
    const path = pathOf(uri);
    if (path === undefined) throw refused(`it wants to change ${oneLine(String(uri), 200)}, which is no file`);
    if (!Array.isArray(list)) throw refused('its edit cannot be read');
    count += list.length;
    if (count > MOST_EDITS) throw refused(`it wants more than ${MOST_EDITS} changes`);
    const edits = byPath.get(path) ?? [];
    byPath.set(path, edits);
    for (const entry of list) edits.push(readOne(entry, path, options));
  };
  if (Array.isArray(documentChanges)) {
    for (const change of documentChanges) {
      const { kind, textDocument, edits } = asObject(change);
      if (kind !== undefined)
        throw refused(`it wants to ${oneLine(String(kind), 20)} a file as well, which this tool does not do`);
      const { uri, version } = asObject(textDocument);
      const known = options.versionOf(pathOf(uri) ?? '');
      if (typeof version === 'number' && known !== undefined && version !== known)
        throw refused(`its edit is for another version of ${oneLine(String(uri), 200)}`);
      take(uri, edits);
    }
  } else {
    for (const [uri, edits] of Object.entries(asObject(changes))) take(uri, edits);
  }
  return [...byPath]
    .filter(([, edits]) => edits.length > 0)
    .map(([path, edits]) => ({ path, edits: ordered(edits, path) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readOne(entry: unknown, path: string, { lineOf, encoding }: ReadEditOptions): Edit {
  const { range, newText } = asObject(entry);
  const found = readRange(range);
  if (found === undefined || typeof newText !== 'string') throw refused('its edit cannot be read');
  const position = (place: typeof found.start): CodePosition => {
    const line = lineOf(path, place.line);
    // A place that is not there stays one that is not there.
    const isThere = line !== undefined && isIn(line, place.character, encoding);
    return toPosition(place, isThere ? line : undefined, encoding);
  };
  return { start: position(found.start), end: position(found.end), text: newText };
}

function ordered(edits: readonly Edit[], path: string): readonly Edit[] {
  const sorted = [...edits].sort((a, b) => compare(a.start, b.start) || compare(a.end, b.end));
  for (const [index, edit] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && compare(next.start, edit.end) < 0) throw refused(`its changes of ${path} overlap`);
  }
  return sorted;
}

function compare(a: CodePosition, b: CodePosition): number {
  return a.line - b.line || a.column - b.column;
}

const refused = (why: string): ToolFault => new ToolFault('Failed', `${why}. Nothing was changed`);
