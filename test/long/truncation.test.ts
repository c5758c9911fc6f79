/** Every prefix of a long list of calls, in every form: nothing runs, or the whole call does. */
import { describe, expect, it } from 'vitest';
import { ALL_TOOLS, callsToCut, editsToCut, faultsOf } from '../protocol/whole-calls.js';

describe('every prefix fails or is the whole call', () => {
  let parsed = 0;
  for (const call of [...callsToCut(), ...editsToCut()]) {
    it(`${call.cmd} ${JSON.stringify(call.args).slice(0, 80)}`, { timeout: 600_000 }, () => {
      const seen = faultsOf(call, ALL_TOOLS, 1);
      parsed += seen.parsed;
      expect(seen.faults).toEqual([]);
    });
  }
  it('saw many', () => expect(parsed).toBeGreaterThan(200_000));
});
