import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { multipatchTool } from '../../../src/tools/coder/multipatch.js';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { withCurlyQuotes } from '../../../src/tools/wrap/curly-quotes.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const [write, patch, multipatch] = [writeTool, patchTool, multipatchTool].map(withCurlyQuotes) as [
  typeof writeTool,
  typeof patchTool,
  typeof multipatchTool,
];
const onDisk = (path: string) => readFileSync(join(bench.ws, path), 'utf8');

describe('curly quotes in what tools write', () => {
  it('write: replaced where the file does not parse, and said with lines and true sizes', async () => {
    const result = await bench.run(write, { file: 'a.py', content: 'x = 1\nprint(“it’s”)\n' });
    expect(onDisk('a.py')).toBe('x = 1\nprint("it’s")\n');
    expect(result.output).toBe(
      'Created a.py (22 bytes).\nNote: curly quotes in a.py were replaced by straight ones at line 2, because the file does not parse with them.\n',
    );
    expect(result.display).toMatchObject({ kind: 'diff', changes: [{ after: 'x = 1\nprint("it’s")\n' }] });
  });

  it('write: base64 and append too, with a mark at the beginning kept', async () => {
    const content = Buffer.from('\ufeffconst a = “x”;\n').toString('base64');
    await bench.run(write, { file: 'a.ts', content, encoding: 'base64' });
    expect(onDisk('a.ts')).toBe('\ufeffconst a = "x";\n');
    await bench.run(write, { file: 'a.ts', content: 'const b = “y”;\n', append: true });
    expect(onDisk('a.ts')).toBe('\ufeffconst a = "x";\nconst b = "y";\n');
  });

  it('write: in UTF-16 as well', async () => {
    bench.put('a.ts', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('const a = 1;\n', 'utf16le')]));
    await bench.run(write, { file: 'a.ts', content: 'const a = “x”;\n' });
    expect(readFileSync(join(bench.ws, 'a.ts')).subarray(2).toString('utf16le')).toBe('const a = "x";\n');
  });

  it('patch: what stood in the file is not touched', async () => {
    bench.put('a.ts', 'const old = “x”;\nconst b = 1;\n');
    const { output } = await bench.run(patch, { file: 'a.ts', search: 'const b = 1;', replace: 'const b = ‘y’;' });
    expect(onDisk('a.ts')).toBe("const old = “x”;\nconst b = 'y';\n");
    expect(output).toContain('at line 2,');
  });

  it('patch with a diff, and a second write on top of what was written', async () => {
    bench.put('a.py', 'a = 1\n');
    await bench.run(patch, { diff: '--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n a = 1\n+b = “x”\n' });
    expect(onDisk('a.py')).toBe('a = 1\nb = "x"\n');
    const again = await bench.run(write, { file: 'a.py', content: 'a = “z”\n' });
    expect([again.isError, onDisk('a.py')]).toEqual([false, 'a = "z"\n']);
  });

  it('multipatch: each file for itself', async () => {
    bench.put('a.ts', 'const a = 1;\n');
    bench.put('b.go', 'package b\n');
    bench.put('c.md', 'text\n');
    const { output } = await bench.run(multipatch, {
      edits: [
        { file: 'a.ts', search: '1', replace: '“x”' },
        { file: 'b.go', search: 'package b\n', replace: 'package b\n\n// it’s “fine”\n' },
        { file: 'c.md', search: 'text', replace: '“text”' },
      ],
    });
    expect([onDisk('a.ts'), onDisk('b.go'), onDisk('c.md')]).toEqual([
      'const a = "x";\n',
      'package b\n\n// it’s “fine”\n',
      '“text”\n',
    ]);
    expect(output.match(/curly quotes/g)).toHaveLength(1);
  });

  it('without a parser: written as they are, with a warning', async () => {
    const { output, isError } = await bench.run(write, { file: 'a.lua', content: 'print(1)\nprint(“x”)\n' });
    expect([isError, onDisk('a.lua')]).toEqual([false, 'print(1)\nprint(“x”)\n']);
    expect(output).toContain(
      'Note: curly quotes were written to a.lua at line 2; there is no parser for this kind of file here, so check that they are meant.\n',
    );
  });

  it('half a pair: written as it is, with its line, while whole ones are replaced and valid ones stay', async () => {
    const { output } = await bench.run(write, { file: 'h.py', content: 'a = “hi”\nb = "a “b” c"\nx = “y"\n' });
    expect(onDisk('h.py')).toBe('a = "hi"\nb = "a “b” c"\nx = “y"\n');
    expect(output).toContain('replaced by straight ones at line 1,');
    expect(output).toContain(
      'Note: curly quotes were written to h.py at line 3; the file does not parse there and they are no clear pair, so check that they are meant.\n',
    );
  });

  it('says nothing where there is nothing to say, and leaves other tools alone', async () => {
    for (const content of ['const a = "x";\n', 'const a = "“x”";\n'])
      expect((await bench.run(write, { file: 'a.ts', content })).output).not.toContain('curly');
    expect(onDisk('a.ts')).toBe('const a = "“x”";\n');
    expect(withCurlyQuotes(readTool)).toBe(readTool);
  });

  it('a refused edit stays one', async () => {
    bench.put('a.ts', 'const a = 1;\n');
    const { code, output } = await bench.run(patch, { file: 'a.ts', search: 'missing', replace: '“x”' });
    expect([code, output.includes('curly')]).toEqual(['NotFound', false]);
  });
});
