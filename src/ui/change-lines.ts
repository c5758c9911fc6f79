/** What an edit would change, as the first lines of it: removed, added, and how much more there is. */
import type { JsonObject } from '../types/json.js';
import type { Question } from '../types/policy.js';
import { visibleText } from './safe-text.js';
import type { Text } from './text/index.js';

/** One line, nothing in it invisible; `kind` says how it may be coloured. */
export interface ChangeLine {
  readonly kind: 'removed' | 'added' | 'same' | 'note';
  readonly text: string;
}

const MOST_LINES = 20;
const LONGEST_LINE = 200;

/** No lines for calls that are no edit with text in their arguments. */
export function changeLines({ call, facts }: Question, text: Text): ChangeLine[] {
  const { verb } = facts.label;
  if (verb === 'write') return written(call.args, text);
  return verb === 'patch' ? patched(call.args, text) : [];
}

function written(args: JsonObject, text: Text): ChangeLine[] {
  const content = textOf(args, 'content');
  if (content === undefined) return [];
  const head = args['append'] === true ? [note(text.t('approval.change.append'))] : [];
  if (isBase64(args, 'encoding')) return [...head, sizeLine('+', content, text)];
  if (content === '') return [...head, note(text.t('approval.change.empty'))];
  return [...head, ...first(linesOf(content), MOST_LINES, 'added', text)];
}

function patched(args: JsonObject, text: Text): ChangeLine[] {
  const diff = textOf(args, 'diff');
  if (diff !== undefined) {
    if (isBase64(args, 'diff_encoding')) return [sizeLine('', diff, text)];
    return first(linesOf(diff), MOST_LINES, 'same', text);
  }
  const [search, replace] = [textOf(args, 'search'), textOf(args, 'replace')];
  if (search === undefined || replace === undefined) return [];
  const head = args['all'] === true ? [note(text.t('approval.change.all'))] : [];
  if (isBase64(args, 'encoding')) return [...head, sizeLine('-', search, text), sizeLine('+', replace, text)];
  return [...head, ...replaced(linesOf(search), linesOf(replace), text)];
}

/** Lines that stay at both ends are left out but for one, so that what changes is seen first. */
function replaced(before: readonly string[], after: readonly string[], text: Text): ChangeLine[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top++;
  let bottom = 0;
  while (bottom < shorter - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
  const removed = before.slice(top, before.length - bottom);
  const added = after.slice(top, after.length - bottom);
  // Each side may take what the other leaves free.
  const half = MOST_LINES / 2;
  const roomRemoved = Math.max(half, MOST_LINES - added.length);
  const roomAdded = Math.max(half, MOST_LINES - removed.length);
  return [
    ...before.slice(0, top).slice(-1).map(same),
    ...first(removed, roomRemoved, 'removed', text),
    ...first(added, roomAdded, 'added', text),
    ...before
      .slice(before.length - bottom)
      .slice(0, 1)
      .map(same),
  ];
}

const SIGNS = { removed: '- ', added: '+ ', same: '  ' } as const;

function first(lines: readonly string[], most: number, kind: keyof typeof SIGNS, text: Text): ChangeLine[] {
  const shown = lines.slice(0, most).map((line) => ({ kind, text: shownLine(line, SIGNS[kind]) }));
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, note(text.t('card.moreLines', { count: rest }))] : shown;
}

const same = (line: string): ChangeLine => ({ kind: 'same', text: shownLine(line, SIGNS.same) });
const note = (text: string): ChangeLine => ({ kind: 'note', text });

/** A line too long is cut, and shows that it is. */
function shownLine(line: string, sign: string): string {
  const letters = [...line.slice(0, LONGEST_LINE * 2)];
  const long = letters.length > LONGEST_LINE || line.length > LONGEST_LINE * 2;
  return sign + visibleText(long ? letters.slice(0, LONGEST_LINE - 1).join('') : line) + (long ? '…' : '');
}

/** The end of the last line is no line of its own. */
function linesOf(value: string): string[] {
  if (value === '') return [];
  return (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');
}

function sizeLine(sign: '+' | '-' | '', value: string, text: Text): ChangeLine {
  const kind = sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same';
  const size = text.t('approval.change.bytes', { count: Buffer.byteLength(value, 'base64') });
  return { kind, text: `${sign && `${sign} `}${size}` };
}

function textOf(args: JsonObject, field: string): string | undefined {
  const value = Object.hasOwn(args, field) ? args[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const isBase64 = (args: JsonObject, field: string): boolean => textOf(args, field) === 'base64';
