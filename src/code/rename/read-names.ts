/** Finds the places of two names in a text by its tree: those that are code, and what each is. */
import { LANGUAGES } from '../languages/registry.js';
import { formOf } from '../outline/file-form.js';
import type { Node, Source } from '../parse/language.js';
import { firstErrorLine } from '../parse/nodes.js';
import { type ParseLimits, parseText } from '../parse/parse-text.js';
import type { Frame } from './frames.js';
import { NAME_NODES } from './frames.js';
import { placeAt } from './place.js';
import type { NamePlace, NamesRead } from './types.js';

export interface NamesAsked {
  readonly language: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
}

/** Characters; a longer text is not read at all. */
export const LONGEST_TEXT = 1024 * 1024;
const LIMITS = { maxChars: LONGEST_TEXT, maxMs: 4_000 };
const WORD = /[\p{L}\p{N}\p{M}_$]/u;

/** Undefined: the text took too long, or could be read in part only. */
export async function readNames(asked: NamesAsked, limits: ParseLimits = {}): Promise<NamesRead | undefined> {
  const language = LANGUAGES.find(({ id }) => id === asked.language);
  if (!language) return undefined;
  const form = formOf(asked.text);
  const parsed = await parseText(
    language,
    asked.text,
    (source) => {
      const offsets = [...offsetsOf(source.text, asked.old), ...offsetsOf(source.text, asked.new)].sort((a, b) => a - b);
      const places = placesIn(source, offsets, asked);
      const found = new Set(places.map(({ from }) => from));
      const lines = linesOf(source.text);
      const mentions = offsetsOf(source.text, asked.old)
        .filter((at) => !found.has(at))
        .map((at) => lines(at).line);
      const faultLine = firstErrorLine(source.root);
      return {
        places,
        mentions: [...new Set(mentions)],
        imports: language
          .imports(source)
          .map((one) => ({ source: one.source, names: one.names.map(({ name, alias }) => [name, alias ?? name] as const) })),
        ...(faultLine === undefined ? {} : { faultLine }),
        ...(form ? { form } : {}),
      };
    },
    { ...LIMITS, ...limits },
  );
  return parsed.ok && parsed.cutAt === undefined ? parsed.value : undefined;
}

/** Offsets of a name as a whole word; signs before it (`$`, `@`, `:`, `#`) do not count as parts of it. */
export function offsetsOf(text: string, name: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(name); at >= 0 && name !== ''; at = text.indexOf(name, at + name.length)) {
    const before = at > 0 ? text.charAt(at - 1) : '';
    const after = text.charAt(at + name.length);
    if (!(WORD.test(before) && before !== '$') && !WORD.test(after)) found.push(at);
  }
  return found;
}

/** Walks only into what holds one of the offsets. */
function placesIn(source: Source, offsets: readonly number[], asked: NamesAsked): NamePlace[] {
  const places: NamePlace[] = [];
  const lines = linesOf(source.text);
  const cursor = source.root.walk();
  const frames: Frame[] = [];
  const enter = () => {
    const node = cursor.currentNode;
    frames.push({ node, type: node.type, field: cursor.currentFieldName ?? '' });
    return node;
  };
  try {
    for (let node: Node = enter(); ; node = enter()) {
      if (holds(offsets, node.startIndex, node.endIndex)) {
        const isName = node.isNamed && NAME_NODES.has(node.type) && !(node.type === 'word' && !isCommand(frames));
        const name = isName ? nameIn(node, source.text, asked) : undefined;
        if (name) places.push(placeAt(frames, { ...name, ...lines(name.from), language: asked.language, text: source.text }));
        if (cursor.gotoFirstChild()) continue;
      }
      frames.pop();
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return unique(places);
        frames.pop();
      }
    }
  } finally {
    cursor.delete();
  }
}

const unique = (places: readonly NamePlace[]): NamePlace[] =>
  places.filter((place, index) => places.findIndex(({ from }) => from === place.from) === index);

/** A word of a shell that names a command or a function; all others are text. */
const isCommand = (frames: readonly Frame[]): boolean => /^(?:command_name|function_definition)$/.test(frames.at(-2)?.type ?? '');

/** The node is the name, or the name with a sign of its language. */
function nameIn(node: Node, text: string, asked: NamesAsked): { from: number; to: number; isNew: boolean } | undefined {
  const own = text.slice(node.startIndex, node.endIndex);
  for (const name of [asked.old, asked.new]) {
    const at = own.endsWith(name) ? own.length - name.length : own.startsWith(name) ? 0 : -1;
    if (at < 0) continue;
    const rest = own.slice(0, at) + own.slice(at + name.length);
    if (!/^(?:|[$@:#]|@@|:)$/.test(rest)) continue;
    const from = node.startIndex + at;
    return { from, to: from + name.length, isNew: name === asked.new };
  }
  return undefined;
}

function holds(offsets: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const first = offsets[low];
  return first !== undefined && first < to;
}

/** Line and column (from 1) of an offset; offsets may come in any order. */
function linesOf(text: string): (at: number) => { line: number; column: number } {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}
