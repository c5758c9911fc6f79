/** Rich card of a search: the hits by file, what was searched for marked. */
import type { Display, SearchHit } from '../../types/tool.js';
import type { Span } from '../markdown/spans.js';
import type { ScreenLine } from '../screen/port.js';
import { type CardRoom, codeLines, MOST_LINES, oneLine, piece, plainLine, sentence } from './shared.js';

const FOLDED = 10;

export function matchesCard({ hits, more }: Extract<Display, { kind: 'matches' }>, room: CardRoom): ScreenLine[] {
  const { text } = room;
  if (hits.length === 0 && !more) return sentence(text.t('card.noMatches'), room, 'dim');
  const files = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const own = files.get(hit.path);
    if (own) own.push(hit);
    else files.set(hit.path, [hit]);
  }
  const counted = text.t('card.files', { count: files.size });
  const head = sentence(text.t(more ? 'card.moreMatches' : 'card.matches', { count: hits.length, files: counted }), room);
  const most = room.open ? MOST_LINES : FOLDED;
  const lines: ScreenLine[] = [];
  let shown = 0;
  for (const [path, own] of files) {
    if (lines.length >= most) break;
    const width = String(own.reduce((last, { line }) => Math.max(last, line), 0)).length;
    lines.push(oneLine([piece(plainLine(path), 'accent')], room));
    for (const hit of own) {
      if (lines.length >= most) break;
      lines.push(
        ...codeLines(
          [piece(`${String(hit.line).padStart(width + 2)}  `, 'dim')],
          marked(plainLine(hit.text).trim(), room.find),
          room,
        ),
      );
      shown++;
    }
  }
  const rest = hits.length - shown;
  return [...head, ...lines, ...(rest > 0 ? sentence(text.t('card.moreHits', { count: rest }), room, 'dim') : [])];
}

/** What was searched for, wherever it stands in the line, whatever its case. */
function marked(line: string, find: string | undefined): Span[] {
  const wanted = find?.toLowerCase() ?? '';
  const lower = line.toLowerCase();
  // Letters that change their length with their case would shift the marks.
  if (wanted === '' || lower.length !== line.length) return [piece(line)];
  const spans: Span[] = [];
  let at = 0;
  for (let hit = lower.indexOf(wanted); hit >= 0; hit = lower.indexOf(wanted, at)) {
    spans.push(piece(line.slice(at, hit)), { ...piece(line.slice(hit, hit + wanted.length), 'warn'), strong: true });
    at = hit + wanted.length;
  }
  return [...spans, piece(line.slice(at))].filter(({ text }) => text !== '');
}
