/** Counts with their nouns, and the summaries of all tools in one form. */
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/tools/registry.js';
import { counted } from '../../../src/tools/shared/counted.js';

describe('counted', () => {
  it('takes the singular for one only', () => {
    expect([0, 1, 2].map((count) => counted(count, 'byte'))).toEqual(['0 bytes', '1 byte', '2 bytes']);
    expect([1, 2].map((count) => counted(count, 'match', 'matches'))).toEqual(['1 match', '2 matches']);
  });
});

describe('summaries', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool.summary] as const))('%s: %s', (_name, summary) => {
    // A tool whose name only is known says so instead of what it does.
    expect(summary).toMatch(/^(?:[A-Z][a-z]+s |Not in this version: ).*[^.]$/);
    expect(summary.length).toBeLessThan(80);
  });
});
