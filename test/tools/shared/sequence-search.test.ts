import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findSequence } from '../../../src/tools/shared/sequence-search.js';

it('finds every place, overlapping ones too', () => {
  const letters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, (lines, wanted) => {
      const places = lines.flatMap((_line, at) =>
        wanted.length > 0 && wanted.every((text, k) => lines[at + k] === text) ? [at] : [],
      );
      expect(findSequence(lines, wanted)).toEqual(places);
      expect(findSequence(lines, wanted, 2)).toEqual(places.slice(0, 2));
    }),
    { numRuns: 2000 },
  );
});
