import { percentOf } from './money.js';

/** Quantity discounts, from the smallest quantity to the largest. */
const TIERS = [
  { from: 5, percent: 5 },
  { from: 10, percent: 10 },
  { from: 25, percent: 15 },
];

const COUPONS = new Map([
  ['WELCOME', { percent: 10, minimum: 2000 }],
  ['SPRING5', { percent: 5, minimum: 0 }],
]);

/** Percent off a line of that many pieces. */
export function quantityPercent(quantity) {
  const tier = TIERS.find(({ from }) => quantity >= from);
  return tier ? tier.percent : 0;
}

/** Cents a coupon takes off; nothing below the coupon's minimum. An unknown code is an error. */
export function couponDiscount(code, amount) {
  if (!code) return 0;
  const coupon = COUPONS.get(code);
  if (!coupon) throw new Error(`unknown coupon: ${code}`);
  return amount >= coupon.minimum ? percentOf(amount, coupon.percent) : 0;
}
