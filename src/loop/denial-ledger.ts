/** Which refused calls were made successfully later, by whichever agent of the conversation. */
import { createHash } from 'node:crypto';
import { stableJson } from '../base/stable-json.js';
import type { JsonObject } from '../types/json.js';

/** More refused calls than these are forgotten, the oldest first: then a refusal simply stands. */
const MOST = 2000;

export interface DenialLedger {
  denied(key: string): void;
  /** The key is worked out only when something was refused at all. */
  succeeded(key: () => string): void;
  /** True: an equal call succeeded after the last refusal. */
  isSettled(key: string): boolean;
}

/** The same for equal calls; tells nothing of their arguments. */
export function callKey(tool: string, args: JsonObject): string {
  return createHash('sha256')
    .update(`${tool} ${stableJson(args)}`)
    .digest('hex')
    .slice(0, 16);
}

export function createDenialLedger(): DenialLedger {
  const settled = new Map<string, boolean>();
  return {
    denied(key) {
      settled.delete(key);
      settled.set(key, false);
      const [oldest] = settled.keys();
      if (settled.size > MOST && oldest !== undefined) settled.delete(oldest);
    },
    succeeded(keyOf) {
      if (settled.size === 0) return;
      const key = keyOf();
      if (settled.has(key)) settled.set(key, true);
    },
    isSettled: (key) => settled.get(key) === true,
  };
}
