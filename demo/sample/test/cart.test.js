import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceCart } from '../src/cart.js';

test('a small cart pays the full price and shipping', () => {
  const cart = priceCart([{ id: 'coffee', quantity: 2 }]);
  assert.equal(cart.goods, 1598);
  assert.equal(cart.shipping, 490);
  assert.equal(cart.total, 2088);
});

test('five pieces get 5 % off', () => {
  assert.equal(priceCart([{ id: 'notebook', quantity: 5 }]).goods, 1662);
});

test('twelve pieces get 10 % off', () => {
  assert.equal(priceCart([{ id: 'notebook', quantity: 12 }]).goods, 3780);
});

test('equal products are put together before the discount', () => {
  const cart = priceCart([
    { id: 'pencil', quantity: 3 },
    { id: 'pencil', quantity: 2 },
  ]);
  assert.equal(cart.lines.length, 1);
  assert.equal(cart.goods, 285);
});

test('a coupon comes off the discounted goods', () => {
  const cart = priceCart([{ id: 'olive-oil', quantity: 2 }], { coupon: 'WELCOME' });
  assert.equal(cart.coupon, 240);
  assert.equal(cart.total, 2648);
});

test('a coupon below its minimum takes nothing off', () => {
  assert.equal(priceCart([{ id: 'coffee', quantity: 1 }], { coupon: 'WELCOME' }).coupon, 0);
});

test('shipping is free from 50.00 on', () => {
  assert.equal(priceCart([{ id: 'olive-oil', quantity: 5 }]).shipping, 0);
});

test('unknown products and bad quantities are refused', () => {
  assert.throws(() => priceCart([{ id: 'caviar', quantity: 1 }]), /unknown product: caviar/);
  assert.throws(() => priceCart([{ id: 'coffee', quantity: 0 }]), /bad quantity for coffee: 0/);
});
