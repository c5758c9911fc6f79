/** Python's own parser over files of its standard library. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Compared, compareAll, filesBelow, referenceBy, sample } from './references.js';

/** Folder of Python's own sources, or why there is none. */
export function pythonSources(): { readonly folder: string } | { readonly missing: string } {
  const run = spawnSync(
    'python3',
    ['-c', 'import os, sys; assert sys.version_info >= (3, 9); print(os.path.dirname(os.__file__))'],
    {
      encoding: 'utf8',
    },
  );
  if (run.error || run.status !== 0) return { missing: 'python3 (3.9 or newer) is not installed' };
  return { folder: run.stdout.trim() };
}

/** Compares about `count` files. */
export async function comparePython(folder: string, count: number): Promise<Compared> {
  const files = sample(
    filesBelow(folder, /\.pyi?$/).filter((path) => !path.includes('site-packages')),
    count,
  );
  const answers = referenceBy(['python3', join(import.meta.dirname, 'reference/outline.py')], files, process.env);
  return await compareAll(files, (_path, _text, index) => {
    const symbols = answers[index];
    return symbols ? { symbols } : undefined;
  });
}
