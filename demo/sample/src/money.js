/** Amounts are integers in cents, so that sums are exact. */

/** `1234` becomes `12.34`, `-5` becomes `-0.05`. */
export function format(cents) {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** That many percent of an amount, rounded half up to a whole cent. */
export function percentOf(cents, percent) {
  return Math.floor((cents * percent + 50) / 100);
}
