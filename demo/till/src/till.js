/** From what is bought to what is paid. All amounts are whole cents. */

export function subtotal(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}

export function total(items) {
  return subtotal(items);
}
