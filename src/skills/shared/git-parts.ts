/** What the git scripts share: their calls, the reading of lists, and a fair share of the text for each part. */
import type { JsonObject } from '../../types/json.js';
import type { ScriptContext, ScriptOutcome } from '../../types/skill.js';
import type { ToolResult } from '../../types/tool.js';
import { dirOf } from './args.js';
import { faultOutcome } from './fault.js';
import { bounded, fenced } from './report.js';
import { shareOf } from './share-of.js';

const ROOM = 24_000;

export interface Part {
  readonly title: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly language?: string;
}

export interface Gathered {
  /** Set when nothing could be gathered. */
  readonly fault?: ScriptOutcome;
  readonly results: readonly ToolResult[];
  /** `## title` and what the tool said, in the order of the parts. */
  readonly text: string;
}

/** Calls all parts at once. The first one decides whether there is a repository at all. */
export async function gather(
  script: string,
  args: JsonObject,
  context: ScriptContext,
  parts: readonly Part[],
): Promise<Gathered> {
  const dir = dirOf(args);
  const results = await Promise.all(parts.map(({ tool, args: own }) => context.call(tool, { ...own, dir })));
  const [first] = results;
  if (first?.isError) return { fault: faultOutcome(script, first), results, text: '' };
  const long = results.map(({ output }) => output.length);
  const share = shareOf(long, ROOM);
  const text = parts
    .map(({ title, language }, index) => {
      const output = results[index]?.output ?? '';
      const how = 'shortened, git-diff with file shows the rest of one file';
      return `## ${title}\n${fenced(bounded(output.trimEnd(), share, how), language)}`;
    })
    .join('\n\n');
  return { results, text };
}

export interface ChangedFile {
  /** As git writes them: `M`, `A`, `??`, `R`. */
  readonly letters: string;
  readonly path: string;
  /** Where a renamed file was. */
  readonly from?: string;
}

const unquoted = (path: string): string => {
  if (!/^".*"$/.test(path)) return path;
  try {
    return String(JSON.parse(path));
  } catch {
    return path;
  }
};

/** The lines of `git-changed`. */
export function changedFiles(result: ToolResult | undefined): ChangedFile[] {
  if (!result || result.isError) return [];
  return result.output.split('\n').flatMap((line) => {
    const match = /^([MADRCUT?!]{1,2}) (.+)$/.exec(line.trimEnd()) ?? /^([MADRCUT?!] ?[MADRCUT?!]?) (.+)$/.exec(line.trimEnd());
    if (!match) return [];
    const [, letters = '', rest = ''] = match;
    const moved = /^[RC]/.test(letters.trim()) ? rest.split(' -> ') : [rest];
    const to = moved.at(-1) ?? rest;
    return [{ letters: letters.trim(), path: unquoted(to), ...(moved.length === 2 && { from: unquoted(moved[0] ?? '') }) }];
  });
}

/** Added and removed lines of a diff. */
export function diffCounts(diff: string): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const line of diff.split('\n')) {
    if (/^\+(?!\+\+ )/.test(line)) added++;
    else if (/^-(?!-- )/.test(line)) removed++;
  }
  return { added, removed };
}

export const filesData = (files: readonly ChangedFile[]): JsonObject[] => files.slice(0, 1000).map((file) => ({ ...file }));

export const filesText = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
