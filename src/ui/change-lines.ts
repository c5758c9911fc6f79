/** What an edit would change, as the first lines of it: removed, added, and how much more there is. */
import type { JsonObject } from '../types/json.js';
import type { Question } from '../types/policy.js';
import { visibleText } from './safe-text.js';
import type { Text } from './text/index.js';

/** One line, nothing in it invisible; `kind` says how it may be coloured. */
export interface ChangeLine {
  readonly kind: 'removed' | 'added' | 'same' | 'note';
  readonly text: string;
  /** Something of the change is left out here. */
  readonly cut?: boolean;
}

/** What is shown at most, and the texts for notes. */
interface Room {
  readonly lines: number;
  readonly letters: number;
  readonly text: Text;
}

/** No lines for calls that are no edit with text in their arguments. `full`: nothing is left out. */
export function changeLines({ call, facts }: Question, text: Text, full = false): ChangeLine[] {
  const { verb } = facts.label;
  const room: Room = full ? { lines: Infinity, letters: Infinity, text } : { lines: 20, letters: 200, text };
  if (verb === 'write') return written(call.args, room);
  if (verb !== 'patch') return [];
  const edits = editsOf(call.args);
  const each = { ...room, lines: Math.max(4, Math.floor(room.lines / Math.max(1, edits.length))) };
  return [...patched(call.args, room), ...edits.flatMap((edit) => [...fileLine(edit, text), ...patched(edit, each)])];
}

/** The edits of a multipatch: a list, or a text that holds one. */
function editsOf(args: JsonObject): JsonObject[] {
  let edits = Object.hasOwn(args, 'edits') ? args['edits'] : undefined;
  if (typeof edits === 'string') {
    try {
      edits = JSON.parse(edits) as JsonObject[string];
    } catch {
      return [];
    }
  }
  if (!Array.isArray(edits)) return [];
  return edits.filter((edit): edit is JsonObject => typeof edit === 'object' && edit !== null && !Array.isArray(edit));
}

function fileLine(edit: JsonObject, text: Text): ChangeLine[] {
  const file = textOf(edit, 'file');
  return file === undefined ? [] : [note(text.t('approval.detail.file', { value: visibleText(file) }))];
}

function written(args: JsonObject, room: Room): ChangeLine[] {
  const { text } = room;
  const content = textOf(args, 'content');
  if (content === undefined) return [];
  const head = args['append'] === true ? [note(text.t('approval.change.append'))] : [];
  if (isBase64(args, 'encoding')) return [...head, sizeLine('+', content, text)];
  if (content === '') return [...head, note(text.t('approval.change.empty'))];
  return [...head, ...first(linesOf(content), room.lines, 'added', room)];
}

function patched(args: JsonObject, room: Room): ChangeLine[] {
  const { text } = room;
  const diff = textOf(args, 'diff');
  if (diff !== undefined) {
    if (isBase64(args, 'diff_encoding')) return [sizeLine('', diff, text)];
    return first(linesOf(diff), room.lines, 'same', room);
  }
  const [search, replace] = [textOf(args, 'search'), textOf(args, 'replace')];
  if (search === undefined || replace === undefined) return [];
  const head = args['all'] === true ? [note(text.t('approval.change.all'))] : [];
  if (isBase64(args, 'encoding')) return [...head, sizeLine('-', search, text), sizeLine('+', replace, text)];
  return [...head, ...replaced(linesOf(search), linesOf(replace), room)];
}

/** Lines that stay at both ends are left out but for one, so that what changes is seen first. */
function replaced(before: readonly string[], after: readonly string[], room: Room): ChangeLine[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top++;
  let bottom = 0;
  while (bottom < shorter - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
  const removed = before.slice(top, before.length - bottom);
  const added = after.slice(top, after.length - bottom);
  // Each side may take what the other leaves free.
  const half = room.lines / 2;
  const roomRemoved = Math.max(half, room.lines - added.length);
  const roomAdded = Math.max(half, room.lines - removed.length);
  return [
    ...before.slice(0, top).slice(-1).map(same(room)),
    ...first(removed, roomRemoved, 'removed', room),
    ...first(added, roomAdded, 'added', room),
    ...before
      .slice(before.length - bottom)
      .slice(0, 1)
      .map(same(room)),
  ];
}

const SIGNS = { removed: '- ', added: '+ ', same: '  ' } as const;

function first(lines: readonly string[], most: number, kind: keyof typeof SIGNS, room: Room): ChangeLine[] {
  const shown = lines.slice(0, most).map((line) => shownLine(line, kind, room));
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, { ...note(room.text.t('card.moreLines', { count: rest })), cut: true }] : shown;
}

const same = (room: Room) => (line: string) => shownLine(line, 'same', room);
const note = (text: string): ChangeLine => ({ kind: 'note', text });

/** A line too long is cut, and shows that it is. */
function shownLine(line: string, kind: keyof typeof SIGNS, { letters: most }: Room): ChangeLine {
  const letters = [...line.slice(0, most * 2)];
  if (letters.length <= most && line.length <= most * 2) return { kind, text: SIGNS[kind] + visibleText(line) };
  return { kind, text: `${SIGNS[kind]}${visibleText(letters.slice(0, most - 1).join(''))}…`, cut: true };
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
