/** Letters as a terminal counts them: clusters that stay together, and the columns each takes. */
import stringWidth from 'string-width';
import { lettersOf } from '../letters.js';
import { textWidth } from '../width.js';

const PLAIN = /^[\x20-\x7e]*$/;
/** Letters that never join with a neighbour of their kind: Latin, Greek, Cyrillic, signs and lines, kana, ideographs, Hangul. */
const SINGLE =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0588\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25ff\u2700-\u27bf\u3000-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9d\uffa0-\uffef]*$/;
const MOST_KNOWN = 4000;

const known = new Map<string, number>();

/** The clusters of a text, none of which may be cut. */
export function clusters(text: string): string[] {
  if (SINGLE.test(text)) return text.split('');
  return Array.from(lettersOf(text), ({ letter }) => letter);
}

/** Columns of one cluster. Terminals differ over joined emoji; the larger number is taken, so that no line runs over. */
export function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && PLAIN.test(cluster)) return 1;
  const found = known.get(cluster);
  if (found !== undefined) return found;
  const wide = Math.max(textWidth(cluster), stringWidth(cluster));
  if (known.size >= MOST_KNOWN) known.clear();
  if (cluster.length <= 32) known.set(cluster, wide);
  return wide;
}

/** Columns of a text without control characters. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return clusters(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0);
}

/** The beginning of a text that fits, its end marked when something is left out. */
export function clipped(text: string, columns: number, mark = '…'): string {
  if (columnsOf(text) <= columns) return text;
  const room = columns - columnsOf(mark);
  let out = '';
  let width = 0;
  for (const cluster of clusters(text)) {
    width += clusterWidth(cluster);
    if (width > room) break;
    out += cluster;
  }
  return room < 0 ? '' : out + mark;
}
