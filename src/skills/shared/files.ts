/** Lists files of a project, ignore rules honoured. */
import { shellLine } from '../../base/shell-words.js';
import type { ScriptContext } from '../../types/skill.js';
import { within } from './paths.js';
import { TREE_TOOL } from './project.js';
import { filesInTree } from './tree-text.js';

export interface Listed {
  /** As the workspace names them. */
  readonly files: readonly string[];
  /** False: there are more than could be listed. */
  readonly whole: boolean;
}

export async function filesBelow(context: ScriptContext, dir: string, glob: readonly string[]): Promise<Listed> {
  const result = await context.call(TREE_TOOL, { dir, depth: 20, glob: [...glob], max_entries: 20_000 });
  if (result.isError) return { files: [], whole: false };
  const { files, limited } = filesInTree(result.output);
  const cut = limited || /^\.\.\. \[\d+ folders? at depth|left out|characters more/m.test(result.output);
  return { files: files.map((file) => within(dir, file)).sort(), whole: !cut };
}

/** So many words, and so many characters of them, go into one command line. */
const WORDS = 500;
const CHARS = 60_000;

/** Lists that fit into a command line each. */
export function batches(words: readonly string[]): string[][] {
  const lists: string[][] = [];
  let chars = 0;
  for (const word of words) {
    const last = lists.at(-1);
    if (!last || last.length >= WORDS || chars + word.length > CHARS) {
      lists.push([word]);
      chars = word.length;
    } else {
      last.push(word);
      chars += word.length + 1;
    }
  }
  return lists;
}

/** One line that runs a program over all of these, in as many commands as it takes, and ends with a fault when one had any. */
export function batchLine(program: readonly string[], words: readonly string[]): string {
  const lines = batches(words).map((batch) => shellLine([...program, ...batch]));
  const [only] = lines;
  return lines.length <= 1 ? (only ?? shellLine(program)) : `s=0; ${lines.map((line) => `${line} || s=$?`).join('; ')}; exit $s`;
}
