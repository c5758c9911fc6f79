/** Names of our temporary files: unguessable, and told apart from everything a user has. */
import { randomHex } from '../base/clock.js';

const LENGTH = 20;
/** Asking the system for a few bytes costs as much as for many. */
const AT_ONCE = 64;
let pool = '';

export const TEMP_NAME = /^\.chatcli-[0-9a-f]{20}\.tmp$/;

export function tempName(): string {
  if (pool.length < LENGTH) pool = randomHex(LENGTH * AT_ONCE);
  const name = pool.slice(0, LENGTH);
  pool = pool.slice(LENGTH);
  return `.chatcli-${name}.tmp`;
}

export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name);
}
