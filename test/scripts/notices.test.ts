/** The notices name what is really bundled, with its licence, and the tracked page is current. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FRESH_NOTICES } from '../../scripts/lib/build.mjs';
import { describePackage, noticesText, packageFolder } from '../../scripts/lib/notices.mjs';
import { program } from '../helpers/program.js';

const ROOT = resolve(import.meta.dirname, '../..');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatcli-notices-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function packageWith(about: object, files: Record<string, string> = {}): string {
  const place = mkdtempSync(join(folder, 'p-'));
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'left', version: '1.2.3', ...about }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  return place;
}

describe('packageFolder', () => {
  it('finds the innermost package, scoped or not, and nothing in our own or virtual modules', () => {
    expect(packageFolder('/r/node_modules/left/dist/a.js')).toBe('/r/node_modules/left');
    expect(packageFolder('/r/node_modules/@a/b/x.js?dts')).toBe('/r/node_modules/@a/b');
    expect(packageFolder('/r/node_modules/a/node_modules/b/x.js')).toBe('/r/node_modules/a/node_modules/b');
    expect(packageFolder('C:\\r\\node_modules\\left\\a.js')).toBe('C:/r/node_modules/left');
    expect(packageFolder('/r/src/main.ts')).toBeUndefined();
    expect(packageFolder('\0rolldown/runtime.js')).toBeUndefined();
  });
});

describe('describePackage', () => {
  it('reads licence and notice files', () => {
    const one = describePackage(
      packageWith({ license: 'MIT' }, { 'LICENSE.md': 'text A\r\n', NOTICE: 'text B', 'licenses.js': 'no' }),
    );
    expect(one).toMatchObject({ name: 'left', version: '1.2.3', licence: 'MIT', texts: ['text A', 'text B'] });
  });
  it('refuses a package without a licence', () => {
    expect(() => describePackage(packageWith({}))).toThrow('left 1.2.3 is bundled but names no licence');
  });
});

describe('noticesText', () => {
  const one = (about: object) => ({
    name: 'left',
    version: '1.0.0',
    licence: 'MIT',
    author: undefined,
    texts: ['words'],
    ...about,
  });
  it('lists each package once, sorted, and adds the Apache text only when needed', () => {
    const text = noticesText([one({ name: 'b' }), one({ name: 'a' }), one({ name: 'b' })], 'APACHE TEXT');
    expect(text.match(/^\| [ab] \|/gm)).toEqual(['| a |', '| b |']);
    expect(text).not.toContain('APACHE TEXT');
    expect(noticesText([one({ licence: 'Apache-2.0' })], 'APACHE TEXT')).toContain('APACHE TEXT');
  });
  it('gives the standard text for a package that ships none, and refuses when there is no such text', () => {
    expect(noticesText([one({ texts: [], author: 'Ann' })], '')).toContain('Copyright (c) Ann\n\nPermission is hereby granted');
    expect(() => noticesText([one({ texts: [], licence: 'Custom' })], '')).toThrow('ships no licence text');
  });
});

describe('THIRD_PARTY_NOTICES.md', () => {
  it('is what a build finds in the bundle (otherwise: npm run build, and commit it)', async () => {
    await program();
    expect(readFileSync(join(ROOT, 'THIRD_PARTY_NOTICES.md'), 'utf8')).toBe(readFileSync(join(ROOT, FRESH_NOTICES), 'utf8'));
  });
});
