/** Go's own parser over files of its standard library. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compared, compareAll, filesBelow, referenceBy, sample } from './references.js';

/** Folder of Go's own sources, or why there is none. */
export function goSources(): { readonly folder: string } | { readonly missing: string } {
  const run = spawnSync('go', ['env', 'GOROOT'], { encoding: 'utf8' });
  if (run.error || run.status !== 0) return { missing: 'go is not installed' };
  return { folder: join(run.stdout.trim(), 'src') };
}

/** Compares about `count` files. */
export async function compareGo(folder: string, count: number): Promise<Compared> {
  const place = mkdtempSync(join(tmpdir(), 'go-reference-'));
  try {
    const env = { ...process.env, GOCACHE: join(place, 'cache'), GOFLAGS: '', GO111MODULE: 'off', GOTOOLCHAIN: 'local' };
    const program = join(place, 'outline');
    execFileSync('go', ['build', '-o', program, join(import.meta.dirname, 'reference/outline.go')], { env });
    const files = sample(filesBelow(folder, /\.go$/), count);
    const answers = referenceBy([program], files, env);
    return await compareAll(files, (_path, _text, index, outline) => {
      const symbols = answers[index];
      return symbols ? { symbols: evenNames(symbols), ours: evenNames(outline.symbols) } : undefined;
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What a type may be is named by its text: space and comments within it are no difference. */
function evenNames<T extends { readonly name: string; readonly children: readonly T[] }>(symbols: readonly T[]): T[] {
  return symbols.map((one) => ({
    ...one,
    name: one.name.replace(/\/\*.*?\*\//g, '').replace(/\s+/g, ''),
    children: evenNames(one.children),
  }));
}
