/** How a tool says that this version only knows its name: lists for models leave it out, lists for people show the sentence. */

/** The summary of such a tool begins with these words. */
export const NOT_HERE = 'Not in this version';

/** Whether a summary says that the tool cannot be used yet. */
export function isNotHere(tool: { readonly summary: string }): boolean {
  return tool.summary.startsWith(NOT_HERE);
}
