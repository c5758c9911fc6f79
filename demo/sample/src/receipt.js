import { priceCart } from './cart.js';
import { format } from './money.js';

const WIDTH = 32;

/** The receipt as text, one line per product, discounts below the line they belong to. */
export function receipt(items, options) {
  const cart = priceCart(items, options);
  const rows = [];
  for (const line of cart.lines) {
    rows.push(row(`${line.quantity} x ${line.name}`, line.full));
    if (line.discount > 0) rows.push(row('  quantity discount', -line.discount));
  }
  if (cart.coupon > 0) rows.push(row('coupon', -cart.coupon));
  if (cart.shipping > 0) rows.push(row('shipping', cart.shipping));
  rows.push('-'.repeat(WIDTH), row('total', cart.total));
  return `${rows.join('\n')}\n`;
}

function row(label, cents) {
  return label.padEnd(WIDTH - 8) + format(cents).padStart(8);
}
