/** Tells from the rules alone whether some file may be kept from being read; small, as every run asks it. */
import type { RuleSet } from '../types/policy.js';

/** Names of tools that read, as rules have them. */
export const READERS = /^@(coder( \*| (read|search|tree|outline|map))?|read|search|tree)$/;

/** Is there a deny rule that may keep a file from being read: one that begins with a tool that reads, or could name any? */
export function forbidsReading({ rules }: RuleSet): boolean {
  return rules.some(({ action, pattern }) => {
    if (action !== 'deny') return false;
    const words = pattern.split(/\s+/);
    const head = words[0] === '@coder' && words[1] !== undefined && !words[1].startsWith('-') ? `@coder ${words[1]}` : words[0];
    return head === undefined || head.includes('*') || READERS.test(head) || head === '@lsp';
  });
}
