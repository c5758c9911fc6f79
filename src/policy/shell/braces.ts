/** Brace expansion of bash (`a{b,c}d`, `{1..9}`) on text that holds no quotes and no other expansion. */

const MOST = 256;
/** In longer texts the work would grow with the square of the length. */
const LONGEST = 4096;

/** All words a text with braces becomes; undefined when there are too many or it cannot be told. */
export function expandBraceText(text: string): readonly string[] | undefined {
  if (text.length > LONGEST && text.includes('{')) return undefined;
  const found = firstBrace(text);
  if (!found) return [text];
  if (found.items.length > MOST) return undefined;
  const { start, end, items } = found;
  const heads = text.slice(0, start);
  const tails = expandBraceText(text.slice(end));
  if (!tails || tails.length > MOST) return undefined;
  const words: string[] = [];
  for (const item of items) {
    const middles = expandBraceText(item);
    if (!middles) return undefined;
    for (const middle of middles) for (const tail of tails) words.push(heads + middle + tail);
    if (words.length > MOST) return undefined;
  }
  return words;
}

interface Brace {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

function firstBrace(text: string): Brace | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const brace = braceAt(text, start);
    if (brace) return brace;
  }
  return undefined;
}

function braceAt(text: string, start: number): Brace | undefined {
  let depth = 0;
  let from = start + 1;
  const items: string[] = [];
  for (let i = start; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '{') depth++;
    else if (char === ',' && depth === 1) {
      items.push(text.slice(from, i));
      from = i + 1;
    } else if (char === '}' && --depth === 0) {
      items.push(text.slice(from, i));
      if (items.length > 1) return { start, end: i + 1, items };
      const range = rangeItems(items[0] ?? '');
      return range ? { start, end: i + 1, items: range } : undefined;
    }
  }
  return undefined;
}

function rangeItems(text: string): readonly string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,6}))?$/.exec(text);
  if (numbers) return count(Number(numbers[1]), Number(numbers[2]), Math.abs(Number(numbers[3] ?? 1)) || 1, String);
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text);
  if (!letters) return undefined;
  return count((letters[1] ?? '').charCodeAt(0), (letters[2] ?? '').charCodeAt(0), 1, (code) => String.fromCharCode(code));
}

function count(from: number, to: number, step: number, show: (value: number) => string): readonly string[] | undefined {
  const most = from + (from <= to ? 1 : -1) * step * MOST;
  const last = from <= to ? Math.min(to, most) : Math.max(to, most);
  const items: string[] = [];
  if (from <= to) for (let value = from; value <= last; value += step) items.push(show(value));
  else for (let value = from; value >= last; value -= step) items.push(show(value));
  return items;
}
