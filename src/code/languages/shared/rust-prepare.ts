/** Rust macros that only wrap items (`cfg_net! { … }`, `thread_local! { … }`) are opened for the grammar: same length, same lines. */

const OPENING = /^([ \t]*)((?:cfg_(?!if\b)\w+|thread_local)![ \t]*\{)[ \t]*$/gm;
const PIECE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|b?r(#{0,4})"[\s\S]*?(?:"\1|$)|b?"(?:\\[\s\S]|[^"\\])*"?|b?'(?:\\[^\n]{1,10}?|[^'\\\n])'|[{}]/g;

/** The same text without the wrapping words and their closing brace. */
export function openWrappers(text: string): string {
  if (!/\b(?:cfg_\w+|thread_local)!/.test(text)) return text;
  const opened = [...text.matchAll(OPENING)].map((match) => ({
    from: match.index + (match[1] ?? '').length,
    brace: match.index + match[0].lastIndexOf('{'),
  }));
  if (opened.length === 0) return text;
  const starts = new Map(opened.map((one) => [one.brace, one.from]));
  const blanks: [number, number][] = [];
  const depths: (number | undefined)[] = [];
  for (const piece of text.matchAll(PIECE)) {
    if (piece[0] === '{') depths.push(starts.get(piece.index));
    else if (piece[0] === '}') {
      const from = depths.pop();
      if (from !== undefined) blanks.push([from, text.indexOf('{', from) + 1], [piece.index, piece.index + 1]);
    }
  }
  blanks.sort((a, b) => a[0] - b[0]);
  let result = '';
  let at = 0;
  for (const [start, end] of blanks) {
    result += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}
