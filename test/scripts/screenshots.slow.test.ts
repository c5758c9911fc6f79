/** The images of the documents: made from the real program, the same on every run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noPty } from '../helpers/pty.js';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatcli-images-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every element that opens closes, in order. */
function openElements(xml: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = '', , self] of xml.matchAll(/<(\/?)([a-zA-Z][\w:-]*)((?:"[^"]*"|[^"<>])*?)(\/?)>/g)) {
    if (slash) expect(open.pop()).toBe(name);
    else if (!self) open.push(name);
  }
  return open;
}

it('shows what the program shows, as well-formed SVG, twice the same', async (context) => {
  const missing = await noPty();
  if (missing !== undefined) context.skip(missing);
  const made = async (name: string) => {
    const out = join(folder, name);
    await run(process.execPath, [join(ROOT, 'scripts/screenshots.mjs'), 'answer', '--out', out], { cwd: ROOT, timeout: 120_000 });
    expect(readdirSync(out)).toEqual(['answer.svg']);
    return readFileSync(join(out, 'answer.svg'), 'utf8');
  };
  const first = await made('one');
  expect(first).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(openElements(first)).toEqual([]);
  const words = first.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toContain('Why do twelve notebooks get only 5 % off?');
  expect(words).toContain('Done');
  expect(await made('two')).toBe(first);
}, 300_000);

it('are there for every image a document shows', () => {
  for (const name of ['README.md', 'docs/shell.md']) {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const images = [...text.matchAll(/!\[[^\]]+\]\((?:docs\/)?images\/([\w-]+\.svg)\)/g)].map(([, file]) => file);
    expect(images.length).toBeGreaterThan(0);
    for (const file of images) expect(readdirSync(join(ROOT, 'docs/images'))).toContain(file);
  }
});
