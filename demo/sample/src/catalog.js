const PRODUCTS = new Map([
  ['apple-juice', { name: 'Apple juice 1 l', price: 249 }],
  ['coffee', { name: 'Coffee 500 g', price: 799 }],
  ['notebook', { name: 'Notebook A5', price: 350 }],
  ['olive-oil', { name: 'Olive oil 0.5 l', price: 1199 }],
  ['pencil', { name: 'Pencil HB', price: 60 }],
]);

/** The product with that id. An unknown id is an error that names it. */
export function productOf(id) {
  const product = PRODUCTS.get(id);
  if (!product) throw new Error(`unknown product: ${id}`);
  return product;
}
