/** Threads run a bundle, so one is built for their tests. */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/** Builds a program of a thread from its source below `src`. It stands below the repository: grammars are found in its node_modules. */
export async function builtWorker(source: string): Promise<{ readonly program: URL; remove(): void }> {
  const root = resolve(import.meta.dirname, '../../..');
  const out = join(root, `.cache/worker-${process.pid}-${source.replace(/\W/g, '-')}`);
  mkdirSync(out, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: out,
      target: 'node20',
      rollupOptions: { input: join(root, 'src', source), output: { entryFileNames: 'worker.mjs' } },
    },
  });
  return { program: pathToFileURL(join(out, 'worker.mjs')), remove: () => rmSync(out, { recursive: true, force: true }) };
}
