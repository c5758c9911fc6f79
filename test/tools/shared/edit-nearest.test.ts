/** The region shown for a search that was not found, also in large files. */
import { expect, it } from 'vitest';
import { nearestRegion } from '../../../src/tools/shared/edit-nearest.js';

const line = (i: number) => `    const value${i} = compute(${i}, "some text that is here ${i * 7}");`;
const big = Array.from({ length: 40_000 }, (_, i) =>
  i === 20_000 ? 'function handleRequest(event: Request): void {' : line(i),
).join('\n');

it('finds the line most like the searched one', () => {
  expect(nearestRegion('alpha\n  function total(items) {\nomega\n', 'function totals(item) {')).toContain(
    '2 |   function total(items) {',
  );
  expect(nearestRegion('alpha\nomega\n', 'something else entirely')).toBeUndefined();
  expect(nearestRegion('Zeile für Zeile ändern\n', 'Zeile für Zeile änderte')).toContain('1 | Zeile');
});

it('looks through a large file, and only so far into a huge one', () => {
  expect(nearestRegion(big, 'function handleRequests(event: Request) {')).toContain('20001 | function handleRequest(');
  expect(nearestRegion(big, 'let other = nothingLike(this) ?? 5;\n  zzz\n')).toBeUndefined();
  const behind = `${'x\n'.repeat(1_500_000)}function handleRequest() {\n`;
  expect(nearestRegion(behind, 'function handleRequests() {')).toBeUndefined();
});
