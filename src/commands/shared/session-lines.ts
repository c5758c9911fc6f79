/** Saved conversations as lines, and the beginning of one. */
import type { CommandContext } from '../../types/command.js';
import type { SavedSession } from '../../types/command-ports.js';
import type { SessionState } from '../../types/session.js';
import { oneLine } from './undo-report.js';

const MOST_SHOWN = 6;
const LONGEST = 100;

/** One line each, numbered from 1; the present one is marked. */
export function sessionLines(all: readonly SavedSession[], present: string, t: CommandContext['t']): string[] {
  const width = Math.max(0, ...all.map(({ id }) => id.length));
  return all.map(({ id, title, updated, damaged }, index) => {
    const about = damaged === undefined ? oneLine(title) || t('sessions.untitled') : t('sessions.damaged');
    return `${id === present ? '*' : ' '} ${String(index + 1).padStart(3)}  ${id.padEnd(width)}  ${dateOf(updated)}  ${about}`;
  });
}

/** What was said in it, shortened: the last things. */
export function previewLines(state: SessionState, t: CommandContext['t']): string[] {
  const said = state.messages.flatMap((message) => {
    if (message.role === 'tool' || (message.role === 'user' && message.origin !== undefined && message.origin !== 'person'))
      return [];
    const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
    const text = oneLine(message.role === 'user' ? (texts.at(-1) ?? '') : texts.join(' '));
    const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
    return short === '' ? [] : [`  ${message.role === 'user' ? '>' : ' '} ${short}`];
  });
  const facts = t('sessions.about', {
    id: state.header.id,
    messages: state.messages.length,
    model: state.model ?? '-',
    date: dateOf(state.updated),
  });
  return [oneLine(state.title), facts, ...(said.length > MOST_SHOWN ? ['  …'] : []), ...said.slice(-MOST_SHOWN)];
}

/** `2026-11-30 10:15`, the local time. */
export function dateOf(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** What a port threw, as a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The id behind a number of the list, an id, or the only one that begins so. */
export function idOf(word: string, all: readonly SavedSession[]): string {
  if (/^\d{1,3}$/.test(word)) return all[Number(word) - 1]?.id ?? word;
  const fitting = all.filter(({ id }) => id.startsWith(word));
  return fitting.length === 1 ? (fitting[0]?.id ?? word) : word;
}
