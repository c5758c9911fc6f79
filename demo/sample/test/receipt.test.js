import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt } from '../src/receipt.js';

test('a receipt shows discount, coupon, shipping and total', () => {
  const text = receipt(
    [
      { id: 'notebook', quantity: 5 },
      { id: 'coffee', quantity: 1 },
    ],
    { coupon: 'SPRING5' },
  );
  assert.equal(
    text,
    [
      '5 x Notebook A5            17.50',
      '  quantity discount        -0.88',
      '1 x Coffee 500 g            7.99',
      'coupon                     -1.23',
      'shipping                    4.90',
      '--------------------------------',
      'total                      28.28',
      '',
    ].join('\n'),
  );
});
