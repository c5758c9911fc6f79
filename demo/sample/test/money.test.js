import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, percentOf } from '../src/money.js';

test('amounts are shown with two decimals', () => {
  assert.equal(format(1234), '12.34');
  assert.equal(format(5), '0.05');
  assert.equal(format(-490), '-4.90');
});

test('a percentage is rounded to a whole cent', () => {
  assert.equal(percentOf(1000, 5), 50);
  assert.equal(percentOf(249, 10), 25);
  assert.equal(percentOf(60, 15), 9);
});
