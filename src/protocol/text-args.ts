/** Plain text as the arguments of a tool: a line with flags, or the one value the tool's main field takes. */
import { splitWords } from '../base/words-split.js';
import type { JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { CallFault } from './call-fault.js';
import { isNameOf } from './find-tool.js';
import { hasFlag, takesCommand, wordArgs } from './word-args.js';

/** Throws CallFault. */
export function textArgs(tool: Tool, text: string): JsonObject {
  const line = text.trim();
  if (line === '') return {};
  const split = splitWords(line);
  const words = split.ok ? split.words : [];
  const first = words[0];
  if (split.ok && first && words.length > 1 && isNameOf(tool, first.text)) return textArgs(tool, line.slice(first.end));
  if (
    split.ok &&
    looksLikeFlags(
      tool,
      words.map((word) => word.text),
    )
  )
    return wordArgs(
      tool,
      words.map((word) => word.text),
      line,
    );
  const only = words.length === 1 && first?.quoted && /^["']/.test(line) ? first.text : line;
  if (tool.mainField !== undefined) return { [tool.mainField]: only };
  if (!split.ok) throw new CallFault(split.message);
  return wordArgs(
    tool,
    words.map((word) => word.text),
    line,
  );
}

/** A command line may hold flags of its own; it counts as ours only when it begins with one of our flags. */
function looksLikeFlags(tool: Tool, words: readonly string[]): boolean {
  if (takesCommand(tool)) return hasFlag(tool, words.slice(0, 1));
  return hasFlag(tool, words);
}
