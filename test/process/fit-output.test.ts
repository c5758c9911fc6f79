/** What does not fit is cut in the middle, counted, and found in the log. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitOutput } from '../../src/process/fit-output.js';

const outcome = (output: string, outputEnd = '', omittedBytes = 0, logFile?: string) => ({
  output,
  outputEnd,
  omittedBytes,
  logFile,
});

describe('fitOutput', () => {
  it('leaves alone what fits', () => {
    expect(fitOutput(outcome('abc\n'), 400)).toBe('abc\n');
  });
  it('keeps the ends, counts the rest, names the log', () => {
    const text = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('');
    const cut = fitOutput(outcome(text, '', 0, '/tmp/x.log'), 1000);
    const parts = cut.split(/\.\.\. \[(\d+) bytes left out; the whole output is in \/tmp\/x\.log\] \.\.\.\n/);
    expect(parts).toHaveLength(3);
    expect(text.startsWith(parts[0] as string)).toBe(true);
    expect(text.endsWith(parts[2] as string)).toBe(true);
    expect((parts[0] as string).length + (parts[2] as string).length + Number(parts[1])).toBe(text.length);
    expect(cut.length).toBeGreaterThan(900);
  });
  it('tells how much a log holds that reached its limit', () => {
    const cut = fitOutput({ ...outcome('a\n'.repeat(3000), '', 0, '/tmp/x.log'), logEndedAt: 2000 }, 600);
    expect(cut).toContain('; only the first 2000 bytes of the output (the limit of a log) are in /tmp/x.log] ...');
    expect(cut).not.toContain('whole output');
  });
  it('adds what was never kept', () => {
    const cut = fitOutput(outcome('a\n'.repeat(300), 'z\n'.repeat(300), 5000), 600);
    const missing = Number(/\[(\d+) bytes/.exec(cut)?.[1]);
    const kept = (cut.match(/^[az]\n/gm) ?? []).length * 2;
    expect(missing + kept).toBe(6200);
  });
  it('never exceeds the limit and never halves a letter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '🙂', 'é', '\n'), { minLength: 300, maxLength: 1500 }),
        fc.integer({ min: 400, max: 900 }),
        (list, limit) => {
          const cut = fitOutput(outcome(list.join('')), limit);
          expect(cut.length).toBeLessThanOrEqual(limit);
          expect(Buffer.from(cut).toString()).toBe(cut);
        },
      ),
    );
  });
});
