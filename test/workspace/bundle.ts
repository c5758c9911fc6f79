/** Modules of src as programs of their own can load them. */
import { join, resolve } from 'node:path';
import { build } from 'vite';

/** Builds `names` (paths below src, without `.ts`) into `outDir`; gives the path of each module. */
export async function bundle(outDir: string, names: readonly string[]): Promise<string[]> {
  const input = Object.fromEntries(
    names.map((name, i) => [`entry${i}`, resolve(import.meta.dirname, '../../src', `${name}.ts`)]),
  );
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { input, output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
  return names.map((_, i) => join(outDir, `entry${i}.mjs`));
}
