/** Commands that only read but never end, or not within a run. */
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { possible, type Simple } from '../types.js';

/** Options with which a reader repeats itself for ever, by program; short ones may stand among other letters. */
const REPEATS: Readonly<Record<string, RegExp>> = {
  free: /^(-[a-zA-Z]*s|--s(e(c\w*)?)?(=|$))/,
  lsof: /^[-+][a-zA-Z]*r/,
  netstat: /^(-[a-zA-Z]*c|--cont)/,
  ss: /^(-[a-zA-Z0-9]*E|--ev)/,
  findmnt: /^(-[a-zA-Z]*p|--po)/,
};
const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
/** Longest sleep that still counts as ending, in seconds: what a run may take. */
const LONGEST_SLEEP = 600;

/** Why it may never end; undefined when it ends. */
export function neverEnds(name: string, simple: Simple): Reason | undefined {
  const texts = simple.words.slice(1).flatMap(possible);
  if (name === 'sleep') {
    const seconds = texts.reduce((sum, text) => sum + secondsOf(text), 0);
    return seconds <= LONGEST_SLEEP ? undefined : because`${code(name)} with these words hardly ever ends`;
  }
  const repeats = Object.hasOwn(REPEATS, name) ? REPEATS[name] : undefined;
  return repeats && texts.some((text) => repeats.test(text))
    ? because`${code(name)} with these words hardly ever ends`
    : undefined;
}

function secondsOf(text: string): number {
  const found = /^(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})([smhd]?)$/.exec(text);
  if (found) return Number(found[1]) * (UNITS[found[2] ?? ''] ?? 1);
  return /^[-$]/.test(text) ? 0 : Number.POSITIVE_INFINITY;
}
