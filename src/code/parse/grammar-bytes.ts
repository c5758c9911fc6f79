/** Where the bytes of a grammar come from: packed beside the bundle, or in `node_modules` when run from the sources. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import GRAMMARS from './grammars.json' with { type: 'json' };

/** Key in grammars.json -> path below `node_modules`. */
const PATHS: Readonly<Record<string, string>> = GRAMMARS;

/** The wasm of a grammar (or of `engine`). Throws when the installation is incomplete. */
export async function grammarBytes(key: string): Promise<Uint8Array> {
  const path = Object.hasOwn(PATHS, key) ? PATHS[key] : undefined;
  if (path === undefined) throw new Error(`no grammar is called ${key}`);
  const here = dirname(fileURLToPath(import.meta.url));
  const packed = await readIfThere(join(here, 'grammars', `${key}.wasm.br`));
  if (packed) return promisify(brotliDecompress)(packed);
  for (let folder = here; dirname(folder) !== folder; folder = dirname(folder)) {
    const plain = await readIfThere(join(folder, 'node_modules', path));
    if (plain) return plain;
  }
  throw new Error(`the grammar ${key} is missing from this installation`);
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
