/** The search through what was entered: the newest hit first, round and round. */
import { clipped, clusters, clusterWidth, columnsOf } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { LiveView } from '../screen/port.js';
import type { Text } from '../text/index.js';
import { typable } from './folds.js';
import type { EditorHistory, EditorView } from './port.js';
import { newestFirst } from './recall.js';
import { showText } from './show-letter.js';

export interface HistorySearch {
  readonly query: string;
  /** The entry that holds what is searched, or undefined. */
  readonly hit: string | undefined;
  type(text: string): void;
  erase(): void;
  /** The next hit that is older (`1`) or newer (`-1`); behind the last comes the first. */
  again(by: 1 | -1): void;
}

const LONGEST_QUERY = 200;

export function createSearch(history: EditorHistory): HistorySearch {
  const entries = newestFirst(history.all()).map((text) => ({ text, lower: text.toLowerCase() }));
  let query = '';
  let at = 0;
  let hit: string | undefined;
  const seek = (start: number, by: 1 | -1): void => {
    const wanted = query.toLowerCase();
    hit = undefined;
    if (wanted === '') return;
    for (let step = 0; step < entries.length; step++) {
      const place = (((start + step * by) % entries.length) + entries.length) % entries.length;
      const entry = entries[place];
      if (!entry?.lower.includes(wanted)) continue;
      at = place;
      hit = entry.text;
      return;
    }
  };
  return {
    get query() {
      return query;
    },
    get hit() {
      return hit;
    },
    type(text) {
      query = (query + typable(text).replace(/\s/g, ' ')).slice(0, LONGEST_QUERY).replace(/[\ud800-\udbff]$/, '');
      seek(hit === undefined ? 0 : at, 1);
    },
    erase() {
      query = clusters(query).slice(0, -1).join('');
      seek(0, 1);
    },
    again: (by) => seek(at + by, by),
  };
}

/** The search as it is shown: the question with the cursor, and the hit with what was found marked. */
export function searchView({ query, hit }: HistorySearch, { columns, theme }: EditorView, words: Text): LiveView {
  const head = lastColumns(words.t('shell.search', { query: visibleQuery(query) }), columns - 1);
  const cursor = { row: 0, column: columnsOf(head) };
  if (hit === undefined)
    return { lines: [theme.accent(head), query === '' ? '' : clipped(words.t('shell.searchNone'), columns)], cursor };
  const line = showText(safeLine(hit, hit.length));
  const wanted = visibleQuery(query);
  const found = line.toLowerCase().indexOf(wanted.toLowerCase());
  if (found < 0 || line.toLowerCase().length !== line.length)
    return { lines: [theme.accent(head), clipped(line, columns)], cursor };
  const marked = line.slice(found, found + wanted.length);
  const lead = lastColumns(line.slice(0, found), Math.max(0, Math.floor(columns / 2) - 1));
  const middle = clipped(marked, columns - columnsOf(lead));
  const rest = clipped(
    line.slice(found + wanted.length, found + wanted.length + columns * 4),
    columns - columnsOf(lead + middle),
  );
  return { lines: [theme.accent(head), `${lead}${theme.selection(middle)}${rest}`], cursor };
}

const visibleQuery = (query: string): string => showText(safeLine(`x${query}x`, LONGEST_QUERY + 2).slice(1, -1));

/** The end of a text that fits, its beginning marked when something is left out. */
function lastColumns(text: string, columns: number): string {
  const near = text.slice(-columns * 8 - 16);
  if (near === text && columnsOf(text) <= columns) return text;
  let out = '';
  let width = 1;
  for (const cluster of clusters(near).toReversed()) {
    width += clusterWidth(cluster);
    if (width > columns) break;
    out = cluster + out;
  }
  return columns < 1 ? '' : `…${out}`;
}
