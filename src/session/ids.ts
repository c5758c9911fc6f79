/** Session ids: what one looks like, and which names are refused before they become a path. */
import { SessionFault } from './fault.js';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const SHAPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** An id that sorts by time: `20261130-101500-abcd` (UTC). `random` gives numbers in [0, 1). */
export function newSessionId(now: number, random: () => number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '').slice(0, 15).replace('T', '-');
  let tail = '';
  for (let i = 0; i < 4; i++) tail += LETTERS[Math.floor(random() * LETTERS.length)] ?? '0';
  return `${stamp}-${tail}`;
}

/** True for names that are one plain file name on every system: no separators, no leading or trailing dot, no device. */
export function isSessionId(id: string): boolean {
  return SHAPE.test(id) && !id.endsWith('.') && !id.includes('..') && !DEVICE.test(id);
}

/** Throws SessionFault `bad-id` for a name that must not become a path. */
export function checkSessionId(id: string): string {
  if (isSessionId(id)) return id;
  throw new SessionFault(
    'bad-id',
    `not a session id: ${JSON.stringify(id.slice(0, 120))}. Letters, digits, "-", "_" and single dots, at most 100.`,
    { id: id.slice(0, 120) },
  );
}
