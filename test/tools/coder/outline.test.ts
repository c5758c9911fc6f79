import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outlineTool } from '../../../src/tools/coder/outline.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const outline = (file: string) => bench.run(outlineTool, { file });
const text = async (file: string) => (await outline(file)).output;

describe('outline', () => {
  it('is a header and one line a declaration, members below their type', async () => {
    bench.put(
      'cli/cli.go',
      'package cli\n\ntype Cli struct {\n\tName string\n}\n\nfunc (c *Cli) Run(ctx context.Context,\n\targs ...string,\n) error {\n\treturn nil\n}\n\nconst limit = 5\n',
    );
    expect(await outline('cli/cli.go')).toMatchObject({
      isError: false,
      output: [
        'cli/cli.go (Go): 3 declarations, 1 field or property',
        'L3 type Cli struct (to L5)',
        '  L4 Name string',
        'L7 func (c *Cli) Run(ctx context.Context, args ...string) error (to L11)',
        'L13 const limit = 5',
      ].join('\n'),
    });
  });

  it('says when there is nothing to list, and why', async () => {
    bench.put('empty.py', '');
    bench.put('comment.ts', '// nothing\n');
    bench.put('notes.txt', 'def f\n');
    bench.put('data.go', '\0\x01\x02binary');
    bench.put('pic.ts', Buffer.from('89504e470d0a1a0a00', 'hex'));
    expect(await text('empty.py')).toBe('empty.py (Python): no declarations.');
    expect(await text('comment.ts')).toBe('comment.ts (TypeScript): no declarations.');
    expect(await outline('notes.txt')).toMatchObject({ isError: false });
    expect(await text('notes.txt')).toMatch(
      /^notes\.txt is of no language with a parser here \(Go, TypeScript, .*\), .*Use search .* or read/,
    );
    expect(await text('data.go')).toMatch(/^data\.go is a binary file \(9 bytes\)/);
    expect(await text('pic.ts')).toMatch(/^pic\.ts is a binary file \(PNG image, 9 bytes\)/);
  });

  it('finds the language of a program without an ending', async () => {
    bench.put('tool', '#!/usr/bin/env -S python3.11 -u\ndef main():\n    pass\n');
    bench.put('run', '#!/usr/bin/node\nfunction go() {}\n');
    expect(await text('tool')).toBe('tool (Python): 1 declaration\nL2 def main() (to L3)');
    expect(await text('run')).toBe('run (JavaScript): 1 declaration\nL2 function go()');
  });

  it('keeps to the boundary and helps with wrong paths', async () => {
    mkdirSync(`${bench.ws}/lib`);
    bench.put('lib/server.go', 'package lib\n');
    bench.put('../home/secret.go', 'package x\nfunc Secret() {}\n');
    expect(await outline('lib')).toMatchObject({ isError: true, code: 'EISDIR', output: expect.stringContaining('use map') });
    expect(await outline('lib/servre.go')).toMatchObject({
      isError: true,
      code: 'NotFound',
      output: expect.stringContaining('lib/server.go'),
    });
    const outside = await outline(`${bench.home}/secret.go`);
    expect(outside).toMatchObject({ isError: true, code: 'OutsideWorkspace' });
    expect(outside.output).not.toContain('Secret()');
    expect(await outline('/etc/shadow')).toMatchObject({ isError: true });
    expect(await outline('')).toMatchObject({ isError: true, code: 'InvalidArgs' });
  });

  it('reads every encoding, line ending and mark', async () => {
    const code = 'function a() {}\r\n\r\nfunction b(\r\n  x,\r\n) {}\r\n';
    const lines = 'L1 function a()\nL3 function b(x) (to L5)';
    bench.put('crlf.js', code);
    bench.put('bom.js', `\uFEFF${code}`);
    bench.put('wide.js', Buffer.from(`\uFEFF${code}`, 'utf16le'));
    expect(await text('crlf.js')).toBe(`crlf.js (JavaScript): 2 declarations\n${lines}`);
    expect(await text('bom.js')).toBe(`bom.js (JavaScript): 2 declarations\n${lines}`);
    expect(await text('wide.js')).toBe(`wide.js (JavaScript): 2 declarations\n${lines}`);
    bench.put('latin.py', Buffer.from('# caf\xe9\ndef f():\n    pass\n', 'latin1'));
    expect(await text('latin.py')).toBe(
      'latin.py (Python): 1 declaration\nL2 def f() (to L3)\n(the file holds bytes that are not UTF-8; they are shown as \uFFFD)',
    );
    bench.put('nul.py', `${'# x\n'.repeat(3000)}s = "\0"\ndef f():\n    pass\n`);
    expect(await text('nul.py')).toContain('L3002 def f()');
  });

  it('shows what it can of a broken file and says where it broke', async () => {
    bench.put('broken.ts', 'export function a(): void {}\nclass B {\n  ok() {}\n  bad( {\n}\nfunction after() {}\n');
    const output = await text('broken.ts');
    expect(output).toContain('L1 export function a(): void');
    expect(output).toContain('L3 ok()');
    expect(output).toMatch(/\(syntax error near L\d+; what could be read is listed/);
  });

  it('stops at 300 entries, leaves fields out first, and says what is missing', async () => {
    bench.put('many.go', `package a\n${Array.from({ length: 450 }, (_, i) => `func F${i}() {}\n`).join('')}`);
    const many = (await text('many.go')).split('\n');
    expect(many).toHaveLength(302);
    expect(many[0]).toBe('many.go (Go): 450 declarations');
    expect(many.at(-1)).toBe('… and 150 more. The next is at L302; search for it by name, or read from there.');
    const fields = Array.from({ length: 400 }, (_, i) => `  f${i}: string;\n`).join('');
    bench.put('wide.ts', `interface Wide {\n${fields}}\nfunction last() {}\n`);
    expect(await text('wide.ts')).toBe(
      'wide.ts (TypeScript): 2 declarations, 400 fields and properties\nL1 interface Wide (to L402)\nL403 function last()\n(left out: 400 fields and properties)',
    );
  });

  it('keeps under its limit and on one line whatever names hold', async () => {
    const long = Array.from({ length: 300 }, (_, i) => `function f${i}(${'a'.repeat(500)}) {}\n`).join('');
    bench.put('long.js', long);
    const output = await text('long.js');
    expect(output.length).toBeLessThan(outlineTool.limit);
    expect(output).toMatch(/… and \d+ more\./);
    bench.put('odd.ts', "class A { 'a\\\n\u001b[31mb'() {} }\n");
    expect(await text('odd.ts')).not.toMatch(/\u001b/);
  });

  it('marks generated and minified files, and reads the beginning of a huge one', async () => {
    bench.put('gen.go', '// Code generated by stringer. DO NOT EDIT.\npackage a\nfunc F() {}\n');
    expect(await text('gen.go')).toMatch(/^gen\.go \(Go, generated\): 1 declaration\n/);
    bench.put('app.min.js', `${'function a(){return 1};'.repeat(800)}\n`);
    expect(await text('app.min.js')).toBe(
      'app.min.js (JavaScript, minified): 800 declarations\n(800 of them not listed: they share very long lines; use search in it for a name)',
    );
    bench.put('part.js', `function first() {}\nvar data = "${'x'.repeat(9000)}";\nfunction last() {}\n`);
    expect(await text('part.js')).toMatch(/minified\): 3 declarations\nL1 function first\(\)\nL2 .*\nL3 function last\(\)$/);
    bench.put('huge.py', `def first():\n    pass\n${'# filler\n'.repeat(400_000)}def last():\n    pass\n`);
    const huge = await text('huge.py');
    expect(huge).toContain('L1 def first()');
    expect(huge).not.toContain('def last');
    expect(huge).toMatch(/\(only lines 1 to \d+ of a file of 36000\d\d bytes were parsed; read goes on from there\)/);
  });

  it('tells when the file changed since it was read, and does not count as a read', async () => {
    bench.put('a.py', 'def f():\n    pass\n');
    await outline('a.py');
    expect(bench.workspace.lastSeen(`${bench.ws}/a.py`)).toBeUndefined();
    await bench.run(readTool, { file: 'a.py' });
    expect(await text('a.py')).not.toContain('changed');
    bench.put('a.py', 'def g():\n    pass\n');
    expect(await text('a.py')).toBe(
      'a.py (Python): 1 declaration\nL1 def g() (to L2)\n(the file changed since you last read it; these lines are of its present state)',
    );
  });
});
