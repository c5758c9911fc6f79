/** Names of our temporary files: unguessable, and told apart from everything a user has. */
import { randomHex } from '../base/clock.js';

export const TEMP_NAME = /^\.chatcli-[0-9a-f]{20}\.tmp$/;

export function tempName(): string {
  return `.chatcli-${randomHex(20)}.tmp`;
}

export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name);
}
