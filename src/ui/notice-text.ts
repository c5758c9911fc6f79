/** A notice as a sentence in the user's language. */
import type { AgentEvent } from '../types/event.js';
import { english, type Reason } from '../types/reason.js';
import type { Text } from './text/index.js';

type Notice = Extract<AgentEvent, { type: 'notice' }>;

/** The catalogue's sentence for its code, reasons among the values said in the same language; else the event's own text. */
export function noticeText({ code, text: own, values = {} }: Pick<Notice, 'code' | 'text' | 'values'>, text: Text): string {
  const entries = Object.entries(values).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === 'string' || typeof value === 'number') return [[name, value]];
    return isReason(value) ? [[name, text.why(value, english(value))]] : [];
  });
  return text.find(`notice.${code}`, Object.fromEntries(entries)) ?? own;
}

function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null) return false;
  const { text, values } = value as { text?: unknown; values?: unknown };
  return typeof text === 'string' && Array.isArray(values) && values.every((one) => typeof one !== 'object' || isReason(one));
}
