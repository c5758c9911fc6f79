// Packs the grammars of src/code/parse/grammars.json into dist/grammars, and names the packages they come from.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { packageFolder } from './notices.mjs';

const LIST = 'src/code/parse/grammars.json';

/** `[key, path of the wasm]` of every grammar, the engine included; a tree without the list ships none. */
export function grammarFiles(root) {
  if (!existsSync(join(root, LIST))) return [];
  const list = JSON.parse(readFileSync(join(root, LIST), 'utf8'));
  return Object.entries(list).map(([key, path]) => [key, join(root, 'node_modules', path)]);
}

/** Folders of the packages whose wasm is shipped; their licences belong into the notices. */
export function grammarPackages(root) {
  return [...new Set(grammarFiles(root).map(([, path]) => packageFolder(path)))];
}

/** Grammars that come inside a package of somebody else: whose they are. The author as the licence of that version names him. */
const ORIGINS = {
  css: { name: 'tree-sitter-css', version: '0.25.0', licence: 'MIT', author: '2018 Max Brunsfeld', texts: [] },
  swift: { name: 'tree-sitter-swift', version: '0.7.1', licence: 'MIT', author: '2021 alex-pinkus', texts: [] },
};

/** Descriptions, as the notices have them, of grammars whose package names other authors. */
export function grammarOrigins(root) {
  const foreign = grammarFiles(root).filter(([, path]) => path.includes('@repomix'));
  return foreign.map(([key, path]) => {
    if (!Object.hasOwn(ORIGINS, key))
      throw new Error(`the grammar ${key} comes in a package of others; name its origin in ORIGINS`);
    const origin = ORIGINS[key];
    const built = JSON.parse(readFileSync(join(packageFolder(path), 'package.json'), 'utf8')).devDependencies?.[origin.name];
    if (built?.replace(/^\^/, '') !== origin.version)
      throw new Error(
        `the grammar ${key} was built from ${origin.name} ${built}, not ${origin.version}; look at its licence and change ORIGINS`,
      );
    return origin;
  });
}

/** A bundler plugin that writes `grammars/KEY.wasm.br` beside the bundle. Fails the build when a wasm is missing. */
export function grammarsPlugin(root) {
  return {
    name: 'grammars',
    async writeBundle(options) {
      const folder = join(options.dir, 'grammars');
      mkdirSync(folder, { recursive: true });
      await Promise.all(
        grammarFiles(root).map(async ([key, path]) =>
          writeFileSync(join(folder, `${key}.wasm.br`), await packed(readFileSync(path))),
        ),
      );
    },
  };
}

/** Quality 9: a tenth larger than the best, and thirty times as fast. */
const packed = (bytes) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
