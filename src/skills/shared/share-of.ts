/** How texts share the room there is. */

/** The most characters a text may take so that all fit: short ones are whole, long ones share what is left. */
export function shareOf(lengths: readonly number[], room: number): number {
  let left = room;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.MAX_SAFE_INTEGER;
}
