/** Where a list of lines stands in a longer one, in time that grows with their lengths and not with their product. */

/** First indexes of all places from the left, overlapping ones too, at most `most` of them. An empty list stands nowhere. */
export function findSequence(lines: readonly string[], wanted: readonly string[], most = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = [];
  if (wanted.length === 0 || wanted.length > lines.length) return found;
  const back = fallbacks(wanted);
  let matched = 0;
  for (let i = 0; i < lines.length && found.length < most; i++) {
    while (matched > 0 && lines[i] !== wanted[matched]) matched = back[matched - 1] ?? 0;
    if (lines[i] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      found.push(i - matched + 1);
      matched = back[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each beginning of the list: how much of its own beginning it ends with. */
function fallbacks(wanted: readonly string[]): number[] {
  const back = [0];
  let length = 0;
  for (let i = 1; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = back[length - 1] ?? 0;
    if (wanted[i] === wanted[length]) length++;
    back.push(length);
  }
  return back;
}
