import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { rollbackTool } from '../../../src/tools/coder/rollback.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const bytes = (path: string) => readFileSync(join(bench.ws, path));

describe('patch', () => {
  it('replaces, reports lines, keeps mode and link', async () => {
    bench.put('run.sh', 'a\nold\nb\n', 0o755);
    bench.link('link.sh', 'run.sh');
    const result = await bench.run(patchTool, { file: 'link.sh', search: 'old', replace: 'new\nmore' });
    expect(result).toMatchObject({
      isError: false,
      output: 'Patched run.sh: line 2 -> 2-3 (+2 -1 lines).\n',
      changed: [join(bench.ws, 'run.sh')],
    });
    expect(bytes('run.sh').toString()).toBe('a\nnew\nmore\nb\n');
    expect(statSync(join(bench.ws, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(bench.ws, 'link.sh'))).toBe('run.sh');
    expect(bytes('run.sh.bak').toString()).toBe('a\nold\nb\n');
  });

  it('needs file, search and replace, and says which is missing', async () => {
    bench.put('e.txt', 'keep me\n');
    expect((await bench.run(patchTool, { file: 'e.txt', replace: 'x' })).output).toContain('/search: is missing');
    expect((await bench.run(patchTool, { file: 'e.txt', search: 'me' })).output).toContain('/replace: is missing');
    expect((await bench.run(patchTool, { search: 'me', replace: 'x' })).output).toContain('/file: is missing');
    expect((await bench.run(patchTool, { file: 'e.txt', search: '', replace: 'x' })).code).toBe('InvalidArgs');
    expect((await bench.run(patchTool, { file: 'e.txt', search: 'x', replace: 'y', diff: '@@' })).code).toBe('InvalidArgs');
    expect((await bench.run(patchTool, { file: 'e.txt', search: 'a', replace: '*', encoding: 'base64' })).code).toBe(
      'InvalidArgs',
    );
    expect(readdirSync(bench.ws)).toEqual(['e.txt']);
    expect((await bench.run(patchTool, { file: 'e.txt', search: ' me', replace: '' })).isError).toBe(false);
    expect(bytes('e.txt').toString()).toBe('keep\n');
  });

  it('takes base64 for both', async () => {
    bench.put('t.txt', 'plain "q" \\n\n');
    const b64 = (text: string) => Buffer.from(text).toString('base64');
    await bench.run(patchTool, { file: 't.txt', search: b64('plain "q" \\n'), replace: b64('done\nwith ö'), encoding: 'base64' });
    expect(bytes('t.txt').toString()).toBe('done\nwith ö\n');
  });

  it('still applies one exact match to a file that changed, and nothing less sure', async () => {
    bench.put('a.txt', 'x = 1\ny = 2\n');
    await bench.run(readTool, { file: 'a.txt' });
    bench.put('a.txt', 'x = 1\ny = 2\nz = 3\nz = 3\n  w = 4\n');
    expect(await bench.run(patchTool, { file: 'a.txt', search: 'z = 3', replace: 'z = 4' })).toMatchObject({
      isError: true,
      code: 'Stale',
    });
    expect(await bench.run(patchTool, { file: 'a.txt', search: 'w = 4\n\n', replace: 'w = 5\n' })).toMatchObject({
      isError: true,
      code: 'Stale',
    });
    const result = await bench.run(patchTool, { file: 'a.txt', search: 'x = 1', replace: 'x = 2' });
    expect(result).toMatchObject({ isError: false, output: expect.stringContaining('had changed on disk') });
    expect((await bench.run(patchTool, { file: 'a.txt', search: 'z = 3', replace: 'z = 4' })).isError).toBe(false);
  });

  it('answers links in a circle, missing files and folders as ordinary errors', async () => {
    bench.link('x', 'y');
    bench.link('y', 'x');
    expect(await bench.run(patchTool, { file: 'x', search: 'a', replace: 'b' })).toMatchObject({ isError: true, code: 'ELOOP' });
    expect((await bench.run(patchTool, { file: 'none', search: 'a', replace: 'b' })).code).toBe('NotFound');
    expect((await bench.run(patchTool, { file: '.', search: 'a', replace: 'b' })).code).toBe('EISDIR');
    expect(readlinkSync(join(bench.ws, 'x'))).toBe('y');
  });
});

describe('patch and rollback', () => {
  it('are the identity for any file, and a refusal changes nothing', async () => {
    const line = fc.constantFrom('alpha', '\tbeta', '  gamma', 'delta ', '\u00fc', '', '"q"', '\u201cq\u201d');
    const ending = fc.constantFrom('\n', '\r\n');
    const body = fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 8 }).map((lines) => lines.flat().join(''));
    const content = fc.oneof(
      body.map((text) => Buffer.from(text)),
      body.map((text) => Buffer.from(text.trimEnd())),
      body.map((text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
      body.map((text) => Buffer.from(`\ufeff${text}`)),
      body.map((text) => Buffer.from(text, 'latin1')),
    );
    const search = fc.constantFrom('alpha', 'beta\n', 'gamma\n', 'alpha\n\tbeta\n', '    beta', '"q"', 'delta\n', '\u00fc');
    const replace = fc.constantFrom('', 'neu', 'x\ny\n', '    beta', '\u00e4');
    let applied = 0;
    let round = 0;
    await fc.assert(
      fc.asyncProperty(content, search, replace, fc.constantFrom(0o644, 0o755, 0o600), async (before, wanted, other, mode) => {
        const file = `f${round++}.txt`;
        bench.put(file, before);
        chmodSync(join(bench.ws, file), mode);
        const result = await bench.run(patchTool, { file, search: wanted, replace: other });
        if (result.isError) {
          expect(bytes(file).equals(before)).toBe(true);
          expect(readdirSync(bench.ws).filter((name) => name.startsWith(file))).toEqual([file]);
          return;
        }
        applied++;
        expect(bytes(file).equals(before)).toBe(false);
        expect(bytes(`${file}.bak`).equals(before)).toBe(true);
        expect((await bench.run(rollbackTool, { file })).isError).toBe(false);
        expect(bytes(file).equals(before)).toBe(true);
        expect(statSync(join(bench.ws, file)).mode & 0o777).toBe(mode);
      }),
      { numRuns: 400 },
    );
    expect(applied).toBeGreaterThan(80);
  });

  it('says when there is no backup', async () => {
    bench.put('a.txt', 'x');
    expect(await bench.run(rollbackTool, { file: 'a.txt' })).toMatchObject({
      isError: true,
      code: 'NotFound',
      output: expect.stringContaining('a.txt.bak'),
    });
  });
});
