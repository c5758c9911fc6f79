/** The argument `diff` -> the change list, whichever of the three dialects it is written in. */
import { decodeUtf16, detect, isUtf8 } from '../../../base/text-encoding.js';
import type { JsonObject } from '../../../types/json.js';
import { encodingArg, invalid, textArg, wantedArg } from '../args.js';
import { type DiffText, diffText, isFence } from './diff-text.js';
import { beginsBlock, parseBlocks } from './parse-blocks.js';
import { beginsEnvelope, parseEnvelope } from './parse-envelope.js';
import { parseUnified } from './parse-unified.js';
import type { FilePatch, Names, ParsedDiff } from './types.js';

const ACCEPTED =
  'a unified diff ("--- a/FILE", "+++ b/FILE", "@@ -1,3 +1,3 @@"), an envelope ("*** Begin Patch" to "*** End Patch"), or blocks ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE" under the name of the file)';

/** Reads `diff` and `diff_encoding`; a pure function of the arguments. Throws ToolFault `InvalidArgs`. */
export function readDiff(args: JsonObject): ParsedDiff {
  const encoding = encodingArg(args, textArg(args, 'diff_encoding') === undefined ? 'encoding' : 'diff_encoding');
  const wanted = wantedArg(args, 'diff', encoding);
  const text = (encoding === 'base64' ? wide(wanted.bytes) : undefined) ?? wanted.text;
  const raw = text === undefined;
  const content = text ?? wanted.bytes.toString('latin1');
  if (content.includes('\0')) throw invalid('diff', 'holds NUL bytes, so it is no text');
  const diff = diffText(content);
  const patches = parse(diff);
  return { patches: raw ? patches.map(withByteNames) : patches, endingsKnown: diff.endingsKnown, raw };
}

/** The text of a diff in UTF-16, as some shells write it into a file. */
function wide(bytes: Buffer): string | undefined {
  const { encoding, bom } = detect(bytes);
  return bom && (encoding === 'utf-16le' || encoding === 'utf-16be') ? decodeUtf16(bytes, encoding) : undefined;
}

function parse(diff: DiffText): FilePatch[] {
  if (diff.lines.every(({ text }) => text.trim() === '')) throw invalid('diff', `is empty; it takes ${ACCEPTED}`);
  for (const [at, { text }] of diff.lines.entries()) {
    if (beginsEnvelope(text)) return some(parseEnvelope(diff));
    if (/^\*\*\* (?:Add|Update|Delete) File: /.test(text)) return some(parseEnvelope(diff));
    if (beginsBlock(text)) return some(parseBlocks(diff));
    if (/^(?:diff --|@@|GIT binary patch|(?:rename|copy) (?:from|to) |(?:old|new|new file|deleted file) mode )/.test(text)) break;
    if (/^(?:---|\+\+\+) /.test(text) && !/^\*{15}/.test(diff.lines[at + 1]?.text ?? '') && !isFence(text)) break;
    if (/^\*\*\* \S/.test(text) && /^--- \S/.test(diff.lines[at + 1]?.text ?? ''))
      throw invalid('diff', `this is a context diff; send ${ACCEPTED}`);
  }
  return some(parseUnified(diff));
}

function some(patches: FilePatch[]): FilePatch[] {
  if (patches.length > 0) return patches;
  throw invalid('diff', `no change was found in it. It takes ${ACCEPTED}`);
}

/** In a diff read byte for byte the names are UTF-8 all the same; what is not so came decoded from a quoted name. */
function withByteNames(patch: FilePatch): FilePatch {
  const decoded = (names: Names): Names => ({
    ...names,
    list: names.list.map((name) => {
      const bytes = Buffer.from(name, 'latin1');
      return /^[\0-\xff]*$/.test(name) && isUtf8(bytes) ? bytes.toString('utf8') : name;
    }),
  });
  return {
    ...patch,
    ...(patch.from ? { from: decoded(patch.from) } : {}),
    ...(patch.to ? { to: decoded(patch.to) } : {}),
  };
}
