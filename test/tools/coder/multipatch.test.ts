import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalFields } from '../../../src/protocol/fields.js';
import { multipatchTool } from '../../../src/tools/coder/multipatch.js';
import { rollbackTool } from '../../../src/tools/coder/rollback.js';
import type { JsonObject } from '../../../src/types/json.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const text = (path: string) => readFileSync(join(bench.ws, path), 'utf8');
const names = () => readdirSync(bench.ws, { recursive: true }).map(String).sort();
const run = (edits: JsonObject[], more: JsonObject = {}) => bench.run(multipatchTool, { edits, ...more });

describe('multipatch', () => {
  it('edits several files and says what it did', async () => {
    bench.put('a.go', 'one\ntwo\nthree\n');
    bench.put('d/b.go', 'foo()\n');
    const result = await run([
      { file: 'a.go', search: 'one', replace: '1' },
      { file: 'd/b.go', search: 'foo', replace: 'bar' },
      { file: 'a.go', search: 'two\nthree', replace: '2' },
    ]);
    expect(result.output).toMatch(
      /^Transaction [0-9a-f]{8}: 3 edits in 2 files\.\n- a\.go: 2 edits, lines 1, 2-3 -> 2 \(\+2 -3 lines\)\n- d\/b\.go: 1 edit, line 1 \(\+1 -1 lines\)\n$/,
    );
    expect([text('a.go'), text('d/b.go'), text('a.go.bak')]).toEqual(['1\n2\n', 'bar()\n', 'one\ntwo\nthree\n']);
    expect(result.changed).toEqual([join(bench.ws, 'a.go'), join(bench.ws, 'd/b.go')]);
    expect(result.display).toMatchObject({ kind: 'diff', changes: [{ path: 'a.go', added: 2, removed: 3 }, { path: 'd/b.go' }] });
    await bench.run(rollbackTool, { file: 'a.go' });
    expect(text('a.go')).toBe('one\ntwo\nthree\n');
  });

  it('hits successive places of the original text with equal edits in a row', async () => {
    bench.put('a.txt', 'a b a c a');
    bench.put('b.txt', 'x');
    const twice = { file: 'a.txt', search: 'a', replace: 'aa' };
    const result = await run([twice, { file: 'b.txt', search: 'x', replace: 'y' }, twice]);
    expect(text('a.txt')).toBe('aa b aa c a');
    expect(result.output).toContain('only the first 2 were replaced');
    const other = { file: 'a.txt', search: ' b', replace: '-' };
    await run([twice, other, twice]);
    expect(text('a.txt'), 'not in a row: each sees what came before').toBe('aaaa- aa c a');
    const fault = await run([
      twice,
      { file: 'b.txt', search: 'y', replace: 'x' },
      { ...other, search: '-', replace: '+' },
      { ...other, search: '-', replace: '+' },
    ]);
    expect(fault.output).toMatch(/edit #4 \(a\.txt\): search stands in a\.txt only once/);
    expect(text('b.txt')).toBe('y');
  });

  it('takes expect, all and base64 for each edit', async () => {
    bench.put('a.txt', 'k k k');
    bench.put('b.bin', Buffer.from([0xff, 0x00, 0xaa, 0x55]));
    bench.put('c.txt', 'k k');
    const good: JsonObject[] = [
      { file: 'a.txt', search: 'k', replace: 'v', all: true },
      { file: 'b.bin', search: 'qlU=', replace: 'u8w=', encoding: 'base64' },
      { file: 'c.txt', search: 'k', replace: 'w', expect: 2 },
    ];
    expect((await run([...good, { file: 'c.txt', search: 'w', replace: 'z', expect: 3 }])).output).toMatch(
      /edit #4 \(c\.txt\): expected 3 matches/,
    );
    expect(names()).toEqual(['a.txt', 'b.bin', 'c.txt']);
    expect((await run(good)).isError).toBe(false);
    expect([text('a.txt'), readFileSync(join(bench.ws, 'b.bin')).toString('hex'), text('c.txt')]).toEqual([
      'v v v',
      'ff00bbcc',
      'w w',
    ]);
  });

  it('names the edit that cannot be done, and does none', async () => {
    bench.put('a.txt', 'one\n');
    bench.put('b.txt', 'two\n');
    const good = { file: 'a.txt', search: 'one', replace: '1' };
    const cases: readonly (readonly [JsonObject, string, RegExp])[] = [
      [{ file: 'b.txt', search: 'zzz', replace: 'x' }, 'NotFound', /edit #2 \(b\.txt\): search was not found/],
      [{ file: 'b.txt', search: 'two' }, 'InvalidArgs', /edit #2 \(b\.txt\): replace is missing; send an empty string/],
      [{ file: 'b.txt', replace: 'two' }, 'InvalidArgs', /edit #2 \(b\.txt\): search is missing/],
      [{ search: 'two', replace: 'x' }, 'InvalidArgs', /edit #2: file is missing/],
      [{ file: 'b.txt', search: '', replace: 'x' }, 'InvalidArgs', /edit #2 \(b\.txt\): search is empty/],
      [{ file: 'b.txt', search: 'two', replace: 'two' }, 'InvalidArgs', /edit #2 \(b\.txt\): search and replace are the same/],
      [
        { file: 'b.txt', search: 'd_w', replace: 'dHdv', encoding: 'base64' },
        'InvalidArgs',
        /edit #2 \(b\.txt\): search is not valid base64/,
      ],
      [{ file: 'never.txt', search: 'a', replace: 'b' }, 'NotFound', /edit #2 \(never\.txt\): .*does not exist/],
      [{ file: '../up.txt', search: 'a', replace: 'b' }, 'OutsideWorkspace', /edit #2 \(\.\.\/up\.txt\)/],
      [{ file: 'a.txt', search: 'one', replace: 'x' }, 'NotFound', /edit #2 \(a\.txt\)/],
      [{ file: 'a.txt', search: '1', replace: 'one' }, 'InvalidArgs', /undo each other/],
    ];
    for (const [bad, code, message] of cases) {
      const result = await run([good, bad]);
      expect([bad, result.code, result.output]).toEqual([bad, code, expect.stringMatching(message)]);
      expect(result.output).toContain('Nothing was changed');
      expect([text('a.txt'), text('b.txt'), names()]).toEqual(['one\n', 'two\n', ['a.txt', 'b.txt']]);
    }
    expect((await run([])).code).toBe('InvalidArgs');
    expect((await bench.run(multipatchTool, {})).code).toBe('InvalidArgs');
  });

  it('counts names of one file as one', async () => {
    linkSync(bench.put('h1.txt', 'one two\n'), join(bench.ws, 'h2.txt'));
    bench.link('l.txt', 'h1.txt');
    const result = await run([
      { file: 'h1.txt', search: 'one', replace: '1' },
      { file: 'h2.txt', search: '1 two', replace: '1 2' },
      { file: './l.txt', search: ' 2', replace: ' II' },
    ]);
    expect(result.output).toContain('3 edits in 1 file.');
    expect([text('h1.txt'), text('h2.txt'), existsSync(join(bench.ws, 'h2.txt.bak'))]).toEqual(['1 II\n', '1 II\n', false]);
  });

  it('takes the fields by their other names, a list as text, and one file for all', async () => {
    bench.put('a.txt', 'one two\n');
    const shapes: JsonObject[] = [
      {
        edits: [
          { path: 'a.txt', old_string: 'one', new_string: '1' },
          { filePath: 'a.txt', oldText: 'two', newText: '2', replaceAll: 'true' },
        ],
      },
      { file_path: 'a.txt', edits: [{ find: '1', replacement: 'one' }] },
      { edits: '[{"filename":"a.txt","search":"2","replace":"two","expect":"1"}]' },
    ];
    for (const shape of shapes) {
      const { args } = canonicalFields(multipatchTool, shape, '');
      const result = await bench.run(multipatchTool, args);
      expect([shape, result.isError, result.output]).toEqual([shape, false, expect.any(String)]);
    }
    expect(text('a.txt')).toBe('one two\n');
  });

  it('refuses what changed since it was read, unless every match is exact and the only one', async () => {
    bench.put('a.txt', 'key = 1\n');
    bench.put('b.txt', 'b\n');
    const { located, state } = await bench.workspace.readFile('a.txt');
    bench.workspace.noteRead(located.real, state);
    writeFileSync(join(bench.ws, 'a.txt'), 'key = 1\nkey = 2\n');
    const other = { file: 'b.txt', search: 'b', replace: 'c' };
    const vague = await run([other, { file: 'a.txt', search: 'key', replace: 'k' }]);
    expect([vague.code, vague.output]).toEqual(['Stale', expect.stringContaining('edit #2 (a.txt)')]);
    expect((await run([other, { file: 'a.txt', search: 'kez = 2', replace: 'k' }])).code).toBe('Stale');
    expect(text('b.txt')).toBe('b\n');
    const exact = await run([other, { file: 'a.txt', search: 'key = 2', replace: 'k' }]);
    expect(exact.output).toContain('had changed on disk since it was read');
    expect([text('a.txt'), text('b.txt')]).toEqual(['key = 1\nk\n', 'c\n']);
  });

  it('states the files it writes', () => {
    const facts = multipatchTool.facts({ edits: [{ file: 'a' }, { file: 'b' }, { file: 'a' }, { search: 'x' }] });
    expect(facts).toMatchObject({ readOnly: false, writes: ['a', 'b'], order: 'overlap', edits: true });
    expect(multipatchTool.facts({}).order).toBe('alone');
  });
});

describe('generated edits', () => {
  const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', ' ', '\t', 'é', '“', '0');
  const content = fc.array(piece, { minLength: 1, maxLength: 30 }).map((list) => list.join(''));
  const word = fc.array(piece, { minLength: 1, maxLength: 3 }).map((list) => list.join(''));
  /** What is searched is a word, or a part of the file at `from`. */
  const edit = fc.record({
    file: fc.nat(2),
    from: fc.option(fc.nat(100), { freq: 5 }),
    search: word,
    replace: fc.oneof(word, fc.constant('')),
  });

  it('all of them or none; rolling back is the identity', async () => {
    let done = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(content, content, content),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        async (files, drawn) => {
          const edits = drawn.map(({ file, from, search, replace }) => {
            const whole = files[file] ?? '';
            const at = (from ?? 0) % whole.length;
            return { file: `f${file}`, search: from === null ? search : whole.slice(at, at + search.length), replace };
          });
          const own = await makeBench();
          try {
            files.forEach((bytes, i) => void own.put(`f${i}`, bytes));
            const now = () => files.map((_, i) => readFileSync(join(own.ws, `f${i}`), 'utf8'));
            const result = await own.run(multipatchTool, { edits });
            if (result.isError) {
              refused++;
              expect([now(), readdirSync(own.ws).sort()]).toEqual([files, ['f0', 'f1', 'f2']]);
              return;
            }
            done++;
            for (const path of result.changed ?? []) await own.workspace.rollback(path);
            expect(now()).toEqual(files);
          } finally {
            own.remove();
          }
        },
      ),
      { numRuns: 60 },
    );
    expect([done > 10, refused > 10]).toEqual([true, true]);
  });
});
