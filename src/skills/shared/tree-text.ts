/** Reads a tree result back into paths. */

/** Paths of the files in a listing, relative to its first line's folder. Names that cannot be read back are left out. */
export function filesInTree(output: string): { files: string[]; limited: boolean } {
  const files: string[] = [];
  const folders: string[] = [];
  let limited = false;
  for (const line of output.split('\n').slice(1)) {
    if (/^\.\.\. \[LIMITED TO /.test(line)) limited = true;
    const match = /^((?: {2})+)(\S.*)$/.exec(line);
    if (!match) continue;
    const depth = (match[1] ?? '').length / 2;
    const name = (match[2] ?? '').replace(/ -> .*$/, '');
    // A name with spaces in front looks like a deeper one.
    if (depth > folders.length + 1 || name === '(empty)' || name.startsWith('(no file matches')) continue;
    folders.length = depth - 1;
    if (/\/(?: \[not listed\])?$/.test(name)) folders.push(name.replace(/\/(?: \[not listed\])?$/, ''));
    else if (!name.includes('\\') && name !== '[cannot be listed]') files.push([...folders, name].join('/'));
  }
  return { files, limited };
}
