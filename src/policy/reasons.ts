/** Reasons of decisions; how to add one stands in types/reason.ts. */
import type { Decision } from '../types/policy.js';
import { because, english, type Reason, sentence } from '../types/reason.js';

export { because, english } from '../types/reason.js';

/** What is said of what needs no question. */
export const ONLY_READS = because`it only reads`;

/** A decision with its reason as one English sentence, and for people. */
export function decided(decision: Omit<Decision, 'reason' | 'why'>, why: Reason): Decision {
  return { ...decision, reason: sentence(english(why)), why };
}
