// Makes the images of docs/images anew: the real program in a pseudo terminal, a scripted model on loopback, one SVG for each scene.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SCENES } from './lib/shots/scenes.mjs';
import { shoot } from './lib/shots/stage.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, text: { type: 'boolean' }, list: { type: 'boolean' }, main: { type: 'string' } },
});

if (values.list) {
  for (const { name, title } of SCENES) console.log(`${name.padEnd(18)} ${title}`);
} else {
  const unknown = positionals.filter((wanted) => !SCENES.some(({ name }) => name === wanted));
  if (unknown.length > 0) {
    console.error(`no such scene: ${unknown.join(', ')}; --list names them`);
    process.exit(2);
  }
  const out = resolve(values.out ?? join(ROOT, 'docs/images'));
  mkdirSync(out, { recursive: true });
  let failed = 0;
  for (const scene of SCENES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    try {
      const { svg, words } = await shoot(scene, { root: ROOT, main: resolve(values.main ?? join(ROOT, 'dist/main.mjs')) });
      writeFileSync(join(out, `${scene.name}.svg`), svg);
      console.log(`${scene.name}.svg ${(Buffer.byteLength(svg) / 1024).toFixed(1)} KB`);
      if (values.text) console.log(words.trimEnd());
    } catch (error) {
      failed++;
      console.error(error instanceof Error ? error.message : String(error));
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
}
