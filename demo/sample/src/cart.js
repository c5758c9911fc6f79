import { productOf } from './catalog.js';
import { couponDiscount, quantityPercent } from './discounts.js';
import { percentOf } from './money.js';

const SHIPPING = 490;
const FREE_SHIPPING_FROM = 5000;

/** One line per product: equal products are put together. */
export function linesOf(items) {
  const quantities = new Map();
  for (const { id, quantity } of items) {
    if (!Number.isInteger(quantity) || quantity < 1) throw new Error(`bad quantity for ${id}: ${quantity}`);
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return [...quantities].map(([id, quantity]) => {
    const { name, price } = productOf(id);
    const full = price * quantity;
    const discount = percentOf(full, quantityPercent(quantity));
    return { id, name, quantity, full, discount, amount: full - discount };
  });
}

/** What a cart costs: `{lines, goods, coupon, shipping, total}`, all in cents. */
export function priceCart(items, { coupon: code } = {}) {
  const lines = linesOf(items);
  const goods = lines.reduce((sum, line) => sum + line.amount, 0);
  const coupon = couponDiscount(code, goods);
  const shipping = goods - coupon >= FREE_SHIPPING_FROM || goods === 0 ? 0 : SHIPPING;
  return { lines, goods, coupon, shipping, total: goods - coupon + shipping };
}
