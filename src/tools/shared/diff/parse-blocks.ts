/** SEARCH/REPLACE blocks, each under the name of its file -> the change list. A block that is not closed is refused. */
import { type DiffText, faultAt, isFence, type RawLine } from './diff-text.js';
import { clean } from './names.js';
import type { DiffLine, FilePatch } from './types.js';

const BEGIN = /^(?:<{5,9} SEARCH>?|-{5,9} SEARCH>?|<{5,9} ORIGINAL)\s*$/;
/** The beginning of such a line. */
const PART =
  /^(?:<{1,9}(?: (?:S(?:E(?:A(?:R(?:CH?)?)?)?)?|O(?:R(?:I(?:G(?:I(?:NA?)?)?)?)?)?)?)?|-{5,9} (?:S(?:E(?:A(?:R(?:CH?)?)?)?)?)?)$/;
const MIDDLE = /^={5,9}\s*$/;
const END = /^(?:>{5,9} REPLACE|\+{5,9} REPLACE|>{5,9} UPDATED)\s*$/;

export function beginsBlock(text: string): boolean {
  return BEGIN.test(text);
}

/** Throws ToolFault `InvalidArgs` that names the line. A block without a name belongs to the file of the one before. */
export function parseBlocks(diff: DiffText): FilePatch[] {
  const patches: FilePatch[] = [];
  let name: string | undefined;
  let from = 0;
  for (let at = 0; at < diff.lines.length; ) {
    const text = diff.lines[at]?.text ?? '';
    if (MIDDLE.test(text) && patches.length === 0 && diff.lines.slice(at).some((line) => END.test(line.text)))
      throw faultAt(at + 1, 'a block begins with "<<<<<<< SEARCH"');
    if (END.test(text)) throw faultAt(at + 1, 'no block is open here');
    if (!BEGIN.test(text)) {
      if (patches.length > 0 && PART.test(text) && diff.lines.slice(at + 1).every((line) => line.text.trim() === ''))
        throw faultAt(at + 1, 'the next block is cut off in the middle of "<<<<<<< SEARCH". Send all of it again');
      at++;
      continue;
    }
    name = nameAbove(diff.lines, from, at) ?? name;
    const { middle, end } = bounds(diff, at);
    patches.push(blockPatch(at + 1, name, diff.lines.slice(at + 1, middle), diff.lines.slice(middle + 1, end)));
    at = end + 1;
    from = at;
  }
  refuseTwins(patches);
  return patches;
}

function bounds(diff: DiffText, begin: number): { middle: number; end: number } {
  let middle: number | undefined;
  for (let at = begin + 1; at < diff.lines.length; at++) {
    const text = diff.lines[at]?.text ?? '';
    if (BEGIN.test(text)) break;
    if (MIDDLE.test(text)) {
      if (middle !== undefined)
        throw faultAt(
          at + 1,
          'a second "=======" stands in the block, so that it cannot be told where the replacement begins; use search and replace, or a unified diff',
        );
      middle = at;
    }
    if (END.test(text)) {
      if (middle === undefined) throw faultAt(at + 1, 'the block has no "=======" between what is searched and its replacement');
      return { middle, end: at };
    }
  }
  throw faultAt(begin + 1, 'the block is cut off: ">>>>>>> REPLACE" is missing. Send all of it again');
}

/** An empty search makes a new file. */
function blockPatch(at: number, name: string | undefined, search: readonly RawLine[], replace: readonly RawLine[]): FilePatch {
  const lines = (list: readonly RawLine[], kind: '-' | '+'): DiffLine[] =>
    list.map(({ text, cr }) => ({ kind, text, cr, noEol: false }));
  const hunks = [{ at, anchors: [], lines: [...lines(search, '-'), ...lines(replace, '+')] }];
  // What would make a file must be a name beyond doubt.
  const unsure = search.length === 0 && name !== undefined && /\s/.test(name);
  const names = name === undefined || unsure ? undefined : { list: [name] };
  if (search.length > 0) return { at, kind: 'change', ...(names ? { from: names } : {}), hunks, block: true };
  return { at, kind: 'create', ...(names ? { to: names } : {}), hunks: replace.length === 0 ? [] : hunks, block: true };
}

/** The last line above that is a path, past the fence that opens the block. */
function nameAbove(lines: readonly RawLine[], from: number, begin: number): string | undefined {
  for (let at = begin - 1; at >= from; at--) {
    const text = lines[at]?.text.trim() ?? '';
    if (text === '' || isFence(text)) continue;
    return pathIn(text);
  }
  return undefined;
}

function pathIn(text: string): string | undefined {
  const bare = text
    .replace(/^#{1,6}\s+|^[-*]\s+/, '')
    .replace(/^(?:file(?:name)?|path)\s*:\s*/i, '')
    .replace(/^\*\*(.*)\*\*:?$/, '$1')
    .replace(/^`(.*)`:?$/, '$1')
    .replace(/:$/, '')
    .trim();
  if (bare === '' || (text.endsWith(':') && !/[./]/.test(bare))) return undefined;
  // Several words are prose, unless they end as a file does.
  return !/\s/.test(bare) || /[^\s.]\.[A-Za-z0-9_]{1,10}$/.test(bare) ? clean(bare) : undefined;
}

/** The same block twice would hit its own result again. */
function refuseTwins(patches: readonly FilePatch[]): void {
  const seen = new Map<string, number>();
  for (const patch of patches) {
    const key = JSON.stringify([patch.from?.list[0], patch.hunks.map((hunk) => hunk.lines)]);
    const first = seen.get(key);
    if (first !== undefined)
      throw faultAt(
        patch.at,
        `this block is the same as the one at line ${first}; for several places use search and replace with all or expect`,
      );
    seen.set(key, patch.at);
  }
}
