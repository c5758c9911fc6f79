import { join } from 'node:path';
import { defineConfig } from 'tsdown';
import { mdText } from './md-text.ts';
import { FRESH_NOTICES } from './scripts/lib/build.mjs';
import { wholeChunks, withoutOldZod } from './scripts/lib/chunks.mjs';
import { grammarOrigins, grammarPackages, grammarsPlugin } from './scripts/lib/grammars.mjs';
import { noticesPlugin } from './scripts/lib/notices.mjs';

/** Everything but `dependencies` of package.json goes into the bundle; dynamic imports become chunks, so that a mode loads only what it needs. */
export default defineConfig({
  entry: { main: 'src/main.ts', index: 'src/index.ts', testing: 'src/testing.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  clean: true,
  dts: true,
  sourcemap: false,
  // Names of functions and classes stay as they are: errors show them.
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  outputOptions: { codeSplitting: { groups: wholeChunks(import.meta.dirname) } },
  deps: { onlyBundle: false },
  plugins: [
    mdText(),
    withoutOldZod(),
    grammarsPlugin(import.meta.dirname),
    noticesPlugin(
      import.meta.dirname,
      join(import.meta.dirname, FRESH_NOTICES),
      grammarPackages(import.meta.dirname),
      grammarOrigins(import.meta.dirname),
    ),
  ],
});
