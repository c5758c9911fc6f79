/** When dist/ is built, how it is swapped, and what a failed build leaves. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, isBuilt, sourceKey } from '../../scripts/lib/build.mjs';
import { runQuiet } from '../../scripts/lib/spawn.mjs';

const HERE = resolve(import.meta.dirname, '../..');
let root = '';
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'chatcli-build-'));
  for (const path of [
    'scripts',
    'tsdown.config.ts',
    'md-text.ts',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
    'LICENSE',
  ])
    cpSync(join(HERE, path), join(root, path), { recursive: true });
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'src'));
  cpSync(join(HERE, 'src/markdown.d.ts'), join(root, 'src/markdown.d.ts'));
  write('src/main.ts', "#!/usr/bin/env node\nvoid import('./mode.js').then((mode) => process.stdout.write(mode.text));\n");
  write(
    'src/mode.ts',
    "import { Validator } from '@cfworker/json-schema';\nimport words from './words.md';\nexport const text = words + typeof Validator;\n",
  );
  write('src/words.md', 'hello `x`\n');
  write('src/index.ts', 'export const one: number = 1;\n');
  write('src/testing.ts', 'export const two: number = 2;\n');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('build', () => {
  it('makes a program, types, lazy chunks and notices from the sources, once', async () => {
    expect(isBuilt(root)).toBe(false);
    await build(root);
    expect(isBuilt(root)).toBe(true);
    const files = readdirSync(join(root, 'dist'));
    for (const name of ['main.mjs', 'index.mjs', 'index.d.mts', 'testing.mjs', 'testing.d.mts']) expect(files).toContain(name);
    const main = readFileSync(join(root, 'dist/main.mjs'), 'utf8');
    expect(main.startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(main).not.toContain('Validator');
    const run = await runQuiet(process.execPath, [join(root, 'dist/main.mjs')]);
    expect(run).toMatchObject({ code: 0, output: 'hello `x`\nfunction' });
    const notices = readFileSync(join(root, '.cache/THIRD_PARTY_NOTICES.md'), 'utf8');
    expect([...notices.matchAll(/^\| (\S+) \| \d/gm)].map((m) => m[1])).toEqual(['@cfworker/json-schema']);
    expect(readdirSync(join(root, '.cache')).sort()).toEqual(['THIRD_PARTY_NOTICES.md', 'build.json']);
  });

  it('sees a changed text, a new file and a lost output', () => {
    const before = sourceKey(root);
    write('src/words.md', 'hullo\n');
    const changed = sourceKey(root);
    expect(changed).not.toBe(before);
    write('src/extra.ts', '');
    expect(sourceKey(root)).not.toBe(changed);
    expect(isBuilt(root)).toBe(false);
    rmSync(join(root, 'src/extra.ts'));
    write('src/words.md', 'hello `x`\n');
    expect(isBuilt(root)).toBe(true);
    rmSync(join(root, 'dist/testing.mjs'));
    expect(isBuilt(root)).toBe(false);
  });

  it('leaves the old dist/ when it fails', async () => {
    write('src/mode.ts', 'export const text = ;\n');
    await expect(build(root)).rejects.toThrow(/mode\.ts[\s\S]*The build failed; dist\/ is as it was/);
    expect(existsSync(join(root, 'dist/main.mjs'))).toBe(true);
    expect(isBuilt(root)).toBe(false);
    expect(readdirSync(join(root, '.cache')).filter((name) => name.startsWith('dist-') || name.startsWith('old-'))).toEqual([]);
  });
});
