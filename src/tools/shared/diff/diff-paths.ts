/** The files a diff names, for judging a call before it runs. */
import type { JsonObject } from '../../../types/json.js';
import { textArg } from '../args.js';
import { readDiff } from './read-diff.js';
import { pathsOf, selectFiles } from './select-files.js';

/** The paths of a diff by its own words, never throwing; undefined when it cannot be read (running it says why). */
export function diffPaths(
  args: JsonObject,
): { readonly reads: readonly string[]; readonly writes: readonly string[] } | undefined {
  try {
    return pathsOf(selectFiles(readDiff(args), textArg(args, 'file')).patches);
  } catch {
    return undefined;
  }
}
