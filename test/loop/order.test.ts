import { describe, expect, it } from 'vitest';
import { failedWriter, waitsFor } from '../../src/loop/order.js';
import type { PreparedCall } from '../../src/loop/ports.js';

type Order = 'overlap' | 'tree' | 'alone';

function call(reads: string[], writes: string[], order: Order = 'overlap'): PreparedCall {
  const located = (real: string) => ({ given: real, real, shown: real, zone: 'inside' }) as const;
  return {
    call: { id: 'x', tool: '@x', args: {}, source: 'native', agent: 'main' },
    tool: {} as PreparedCall['tool'],
    facts: { readOnly: writes.length === 0 && order !== 'alone', reads, writes, order, label: { verb: 'call', object: '' } },
    reads: reads.map(located),
    writes: writes.map(located),
  };
}

describe('waitsFor', () => {
  it('lets reads of one file and writes of different files overlap', () => {
    expect(waitsFor([call(['/a'], []), call(['/a'], []), call([], ['/b']), call([], ['/c'])])).toEqual([[], [], [], []]);
  });
  it('makes a reader wait for an earlier writer of its path, and a writer for an earlier reader', () => {
    expect(waitsFor([call([], ['/a']), call(['/a'], []), call(['/b'], [])])).toEqual([[], [0], []]);
    expect(waitsFor([call(['/a'], []), call([], ['/a'])])).toEqual([[], [0]]);
  });
  it('makes tree and search wait for every earlier writer, but not for readers', () => {
    expect(waitsFor([call(['/a'], []), call([], ['/b']), call(['/'], [], 'tree')])).toEqual([[], [], [1]]);
  });
  it('makes a later writer wait for an earlier search', () => {
    expect(waitsFor([call(['/'], [], 'tree'), call([], ['/b'])])).toEqual([[], [0]]);
  });
  it('makes exec wait for all and hold all', () => {
    expect(waitsFor([call(['/a'], []), call([], [], 'alone'), call(['/a'], [])])).toEqual([[], [0], [1]]);
  });
  it('ignores calls that do not run', () => {
    expect(waitsFor([undefined, call(['/a'], [])])).toEqual([[], []]);
  });
});

describe('failedWriter', () => {
  it('names the failed earlier writer of the same path only', () => {
    const calls = [call([], ['/a']), call([], ['/b']), call([], ['/a'])];
    expect(failedWriter(calls, 2, new Set([0]))).toBe(0);
    expect(failedWriter(calls, 1, new Set([0]))).toBeUndefined();
    expect(failedWriter(calls, 2, new Set([1]))).toBeUndefined();
  });
  it('does not hold back a reader', () => {
    expect(failedWriter([call([], ['/a']), call(['/a'], [])], 1, new Set([0]))).toBeUndefined();
  });
});
