/** Bundles the tiny program once, so that a real process can run it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

/** The path of the program and how to remove it. */
export async function buildTiny(): Promise<{ readonly file: string; remove(): void }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-tiny-')));
  await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'tiny-shell.ts'),
      outDir: folder,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'tiny.mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  return { file: join(folder, 'tiny.mjs'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
