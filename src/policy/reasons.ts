/**
 * Reasons of decisions. To add one: because`it runs ${code(name)}`, in English, where it is found; then its Portuguese in
 * ui/text/pt-br-reasons.ts, under the same text with {0}, {1} for the values (a test names what is missing or not used).
 */
import type { Decision, Reason } from '../types/policy.js';

/** A reason from a template. What varies (names, paths) must stand in `${}`; a part that is said alike elsewhere may be a reason itself. */
export function because(texts: TemplateStringsArray, ...values: readonly (string | number | Reason)[]): Reason {
  return { text: texts.reduce((all, text, index) => `${all}{${index - 1}}${text}`), values };
}

/** What is said of what needs no question. */
export const ONLY_READS = because`it only reads`;

/** In English, as it was written. */
export function english(reason: Reason): string {
  return reason.text.replace(/\{(\d+)\}/g, (_, place: string) => {
    const value = reason.values[Number(place)];
    return typeof value === 'object' ? english(value) : String(value ?? '');
  });
}

/** A decision with its reason as one English sentence, and for people. */
export function decided(decision: Omit<Decision, 'reason' | 'why'>, why: Reason): Decision {
  return { ...decision, reason: sentence(english(why)), why };
}

/** Begins with a capital letter, ends with a full stop. */
function sentence(reason: string): string {
  // Names of commands stand in backquotes and keep their spelling.
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
