/** `@lsp` over a scripted server: places, names, renames as one transaction, and what is refused. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lspAtom } from '../../../src/tools/atoms/lsp.js';
import type { JsonObject } from '../../../src/types/json.js';
import { type LanguageBench, languageBench } from '../../helpers/language-bench.js';

let bench: LanguageBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});
const open = async (how: Record<string, unknown> = {}) => {
  const made = await languageBench(how, { env: { PATH: '/usr/bin:/bin' } });
  bench = made;
  const run = (args: JsonObject) => lspAtom.run(args, made.context);
  return { ...made, run, text: (name: string) => readFileSync(join(made.ws, name), 'utf8') };
};

describe('rename', () => {
  const args = { cmd: 'rename', file: 'a.ts', line: 1, symbol: 'foo', new_name: 'bar' };

  it('changes all files at once, bytes beside the name untouched, with backups', async () => {
    const { put, run, text, ws } = await open();
    put('a.ts', 'let foo = 1; // é🎉 foo\r\nfood;\r\n');
    put('b.ts', '\ufefffoo\n');
    put('c.ts', 'food\n');
    const result = await run(args);
    expect(result.output).toBe(
      'Renamed foo -> bar: 3 places in 2 files.\n- a.ts: 2 places (+1 -1 lines)\n- b.ts: 1 place (+1 -1 lines)\n',
    );
    expect(result.changed).toEqual([join(ws, 'a.ts'), join(ws, 'b.ts')]);
    expect([text('a.ts'), text('b.ts'), text('a.ts.bak')]).toEqual([
      'let bar = 1; // é🎉 bar\r\nfood;\r\n',
      '\ufeffbar\n',
      'let foo = 1; // é🎉 foo\r\nfood;\r\n',
    ]);
  });

  it('preview shows the diff and changes nothing', async () => {
    const { put, run, text } = await open({ encoding: 'utf-8' });
    put('a.ts', 'é foo\n');
    const { output } = await run({ ...args, preview: true });
    expect(output).toMatch(/^Preview, nothing was changed\. foo -> bar: 1 place in 1 file\.\n[\s\S]*\n-é foo\n\+é bar\n/);
    expect(text('a.ts')).toBe('é foo\n');
    expect(lspAtom.facts({ ...args, preview: true })).toMatchObject({ readOnly: true, writes: [] });
    expect(lspAtom.facts(args)).toMatchObject({ readOnly: false, writes: ['a.ts'], order: 'alone', edits: true });
  });

  it('of a file outside the workspace, by a link too, changes nothing at all', async () => {
    for (const outside of ['plain', 'link']) {
      const at = await languageBench();
      const secret = join(at.base, 'secret.ts');
      writeFileSync(secret, 'foo\n');
      at.put('a.ts', 'foo\n');
      if (outside === 'link') symlinkSync(secret, join(at.ws, 'b.ts'));
      await at.close();
      const made = await open(outside === 'plain' ? { outside: secret } : {});
      made.put('a.ts', 'foo\n');
      writeFileSync(secret.replace(at.base, made.base), 'foo\n');
      if (outside === 'link') symlinkSync(secret.replace(at.base, made.base), join(made.ws, 'b.ts'));
      const result = await made.run(args);
      expect(result).toMatchObject({ isError: true, code: 'OutsideWorkspace' });
      expect(made.text('a.ts')).toBe('foo\n');
      await made.close();
    }
    bench = undefined;
  });

  it('by edits of whole files is made when they change the name alone, and else refused', async () => {
    const good = await open({ whole: '' });
    good.put('a.ts', 'foo\nlet x = foo;\n');
    expect((await good.run(args)).output).toContain('foo -> bar: 2 places in 1 file');
    expect(good.text('a.ts')).toBe('bar\nlet x = bar;\n');
    await good.close();
    for (const how of [{ whole: 'WIPED' }, { whole: 'bar\nevil();\n' }, { whole: '', staleText: 'foo\nolder\n' }]) {
      const bad = await open(how);
      bad.put('a.ts', 'foo\nnewer\n');
      expect(await bad.run(args), JSON.stringify(how)).toMatchObject({ isError: true, code: 'Stale' });
      expect(bad.text('a.ts')).toBe('foo\nnewer\n');
      await bad.close();
    }
    bench = undefined;
  });

  it('for another version of an open file is refused', async () => {
    const { put, run, text } = await open({ version: -7 });
    put('a.ts', 'foo\n');
    expect(await run(args)).toMatchObject({ isError: true, output: expect.stringContaining('for another version of') });
    expect(text('a.ts')).toBe('foo\n');
  });

  it('is refused when the server saw another text, moves files, or the file is no plain text', async () => {
    const stale = await open({ staleText: 'xxxxx foo\n' });
    stale.put('a.ts', 'foo yyyyyyyyyyyy\n');
    expect(await stale.run(args)).toMatchObject({
      code: 'Stale',
      output: expect.stringContaining('saw another text than a.ts holds'),
    });
    await stale.close();
    const moves = await open({ moves: true });
    moves.put('a.ts', 'foo\n');
    expect(await moves.run(args)).toMatchObject({
      code: 'Failed',
      output: expect.stringContaining('wants to rename a file as well'),
    });
    await moves.close();
    const { put, run, text } = await open();
    put('a.ts', 'foo\n');
    put('b.ts', Buffer.from('foo \xe9\n', 'latin1'));
    expect(await run(args)).toMatchObject({ isError: true, output: expect.stringContaining('b.ts is not plain text') });
    expect(text('a.ts')).toBe('foo\n');
  });
});

it('definition and hover say where and what, in safe text', async () => {
  const { put, run } = await open();
  put('a.ts', 'x\n  foo(foo)\n');
  const place = { file: 'a.ts', line: 2 };
  expect((await run({ cmd: 'definition', ...place, symbol: 'foo' })).output).toBe('1 place in 1 file\na.ts:2:3: foo(foo)');
  expect((await run({ cmd: 'definition', ...place, symbol: 'foo', column: 8 })).output).toContain('a.ts:2:7: foo(foo)');
  expect((await run({ cmd: 'definition', file: 'a.ts', symbol: 'foo' })).output).toContain('a.ts:2:3: foo(foo)');
  expect((await run({ cmd: 'hover', ...place, column: 3 })).output).not.toContain('\u001b');
  expect((await run({ cmd: 'hover', ...place, column: 3 })).output).toContain('red\n\nplain');
});

it('hover keeps no marks that turn text around, and says what it left out', async () => {
  const { put, run } = await open({ hover: `a\u202eb\u061c\n${'x'.repeat(9000)}` });
  put('a.ts', 'foo\n');
  const { output } = await run({ cmd: 'hover', file: 'a.ts', symbol: 'foo' });
  expect(output.startsWith('ab\nxxx')).toBe(true);
  expect(output).toMatch(/x\n\.\.\. 1003 more characters$/);
});

it('diagnostics gives all of a file, hints too', async () => {
  const { put, run } = await open();
  put('a.ts', 'BAD hint\n  BAD\n');
  const { output } = await run({ cmd: 'diagnostics', file: 'a.ts' });
  expect(output).toBe('2 diagnostic(s) in a.ts:\n- L2:3 [error] bad: BAD (scripted)\n- L1:1 [hint] bad: BAD hint (scripted)');
  put('b.ts', 'fine\n');
  expect((await run({ cmd: 'diagnostics', file: 'b.ts' })).output).toBe('node scripted-server.mjs finds nothing wrong in b.ts');
});

it('faults say what would work', async () => {
  const { put, run } = await open();
  put('a.ts', 'foo\nbar\n');
  put('a.py', 'x\n');
  put('a.odd', 'x\n');
  const fault = async (args: JsonObject) => (await run(args)).output;
  expect(await fault({ cmd: 'hover', file: 'a.py', line: 1, column: 1 })).toMatch(
    /^error \[NotFound\]: no language server is installed .*npm install -g pyright/,
  );
  expect(await fault({ cmd: 'hover', file: 'a.odd', line: 1, column: 1 })).toContain('no language server is known for a.odd');
  expect(await fault({ cmd: 'hover', file: 'a.ts', line: 1, symbol: 'bar' })).toContain(
    '/symbol: bar does not stand in line 1, but in line 2',
  );
  expect(await fault({ cmd: 'hover', file: 'a.ts', line: 9, column: 1 })).toContain('/line: is 9, but the file has 3 lines');
  expect(await fault({ cmd: 'hover', file: 'a.ts' })).toContain('/line: is missing');
  expect(await fault({ cmd: 'hover', file: 'a.ts', line: 1, column: 1, new_name: 'x' })).toContain(
    '/new_name: belongs to rename, not to hover',
  );
  expect(await fault({ cmd: 'references', file: 'a.ts', line: 1, column: 1 })).toContain(
    'node scripted-server.mjs: it cannot do this (textDocument/references)',
  );
  expect(await fault({ cmd: 'rename', file: 'a.ts', line: 1, symbol: 'foo', new_name: 'a b' })).toContain(
    'must be one name without spaces',
  );
  expect(await fault({ cmd: 'symbols' })).toContain('/file: is missing');
  expect(await fault({ cmd: 'hover', file: 'gone.ts', line: 1, column: 1 })).toContain('error [NotFound]');
});

describe('a name without its place', () => {
  it('is the declared one, and not the one of a comment or string', async () => {
    const { put, run } = await open();
    put('a.ts', '// foo\nconst text = "foo";\nfoo();\nexport function foo() {}\n');
    expect((await run({ cmd: 'definition', file: 'a.ts', symbol: 'foo' })).output).toContain('a.ts:4:17:');
    put('b.ts', 'f("foo", foo); // foo\n');
    expect((await run({ cmd: 'definition', file: 'b.ts', line: 1, symbol: 'foo' })).output).toContain('b.ts:1:10:');
    put('c.ts', '// only foo\n');
    expect((await run({ cmd: 'definition', file: 'c.ts', symbol: 'foo' })).output).toContain('c.ts:1:9:');
  });
});

it('a rename is refused for what the language takes for no name', async () => {
  const { put, run, text } = await open();
  put('a.ts', 'foo\n');
  for (const [name, why] of [
    ['class', 'class is a reserved word of TypeScript'],
    ['a-b', 'a-b is no identifier of TypeScript'],
    ['2bad', '2bad is no identifier of TypeScript'],
  ]) {
    const result = await run({ cmd: 'rename', file: 'a.ts', line: 1, symbol: 'foo', new_name: name ?? '' });
    expect(result).toMatchObject({ isError: true, code: 'InvalidArgs', output: expect.stringContaining(why ?? '') });
  }
  expect(text('a.ts')).toBe('foo\n');
});

it('a rename where a name is used begins where it is declared, if that is one place that may be read', async () => {
  const { put, run, log, ws } = await open({ elsewhere: ['b.ts'] });
  put('a.ts', 'foo\n');
  put('b.ts', 'foo\n');
  expect(await run({ cmd: 'rename', file: 'a.ts', line: 1, symbol: 'foo', new_name: 'bar' })).toMatchObject({ isError: false });
  const asked = log().find(({ method }) => method === 'textDocument/rename') as { params: { textDocument: { uri: string } } };
  expect(asked.params.textDocument.uri).toBe(`file://${ws}/b.ts`);
});

it('a rename that only gives another name says so', async () => {
  const { put, run } = await open({ whole: 'import { foo as bar } from "x";\n' });
  put('a.ts', 'import { foo } from "x";\n');
  const { output } = await run({ cmd: 'rename', file: 'a.ts', line: 1, symbol: 'foo', new_name: 'bar' });
  expect(output).toContain('Note: the thing itself is still called foo; it has another name here (foo as bar).');
});

it('a server that ends at once is told of by its name and its own words', async () => {
  const { put, run } = await open({ dieAtStart: true });
  put('a.ts', 'foo\n');
  const { output } = await run({ cmd: 'definition', file: 'a.ts', line: 1, symbol: 'foo' });
  expect(output).toMatch(
    /^error \[Failed\]: the language server node scripted-server\.mjs could not be started: .*\(no license found\)$/,
  );
});
