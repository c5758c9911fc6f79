/** Room shared by several texts: short ones are whole, long ones give way equally. */

/** How much of `room` each of these sizes gets, at most what it wants. */
export function fairShare(sizes: readonly number[], room: number): number[] {
  const shares = sizes.map(() => 0);
  let left = Math.max(0, room);
  const waiting = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  for (const [at, { size, index }] of waiting.entries()) {
    const share = Math.min(size, Math.floor(left / (waiting.length - at)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** The text with its middle left out where it is longer than `most` characters; halves of characters are not shown. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}
