import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchAtom } from '../../../src/tools/atoms/search.js';
import { searchTool } from '../../../src/tools/coder/search.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { runSearch } from '../../../src/tools/shared/search-tool.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { ToolResult } from '../../../src/types/tool.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const hits = (result: ToolResult) =>
  result.display?.kind === 'matches' ? result.display.hits.map((hit) => `${hit.path}:${hit.line}`) : [];
/** Both engines; the second time without ripgrep. */
const engines = ['ripgrep', 'walk'] as const;
const search = async (engine: (typeof engines)[number], args: JsonObject, regex = false) => {
  if (engine === 'ripgrep') return bench.run(regex ? searchAtom : searchTool, args);
  return runSearch(args, { regex, caseSensitive: regex }, bench.context, { ripgrep: 'none' });
};

describe.each(engines)('search by %s', (engine) => {
  it('takes the term literally, whatever it holds', async () => {
    bench.put('a.ts', 'if (x && !y) n--;\nTODO: Fix\n');
    bench.put('b.txt', 'cost $7.50 [0-9]\n');
    for (const [term, found] of [
      ['x && !y', 'a.ts:1'],
      ['n--', 'a.ts:1'],
      ['$7.50', 'b.txt:1'],
      ['[0-9]', 'b.txt:1'],
      ['todo: fix', 'a.ts:2'],
    ] as const) {
      expect([term, hits(await search(engine, { term }))]).toEqual([term, [found]]);
    }
    expect(hits(await search(engine, { term: 'todo', case_sensitive: true }))).toEqual([]);
  });

  it('takes a regular expression, with case', async () => {
    bench.put('a.go', 'func Login(u string) error {\nfunc logout() {\nfoo123\n');
    expect(hits(await search(engine, { term: 'func\\s+[A-Z]\\w+\\(' }, true))).toEqual(['a.go:1']);
    expect(hits(await search(engine, { term: '(?i)LOGIN' }, true))).toEqual(['a.go:1']);
    expect(hits(await search(engine, { term: 'func (?!Login)' }, true))).toEqual(['a.go:2']);
    expect(hits(await search(engine, { term: 'foo[[:digit:]]+$' }, true))).toEqual(['a.go:3']);
    expect(hits(await search(engine, { term: 'Login(', regex: false }, true))).toEqual(['a.go:1']);
    const bad = await (engine === 'walk'
      ? search(engine, { term: 'a(' }, true).catch((error: Error) => ({
          code: (error as { code?: string } & Error).code,
          output: error.message,
        }))
      : search(engine, { term: 'a(' }, true));
    expect(bad).toMatchObject({ code: 'InvalidArgs', output: expect.stringContaining('regular expression') });
  });

  it('shows context, with numbers, up to the ends of the file', async () => {
    bench.put('c.txt', 'HIT-first\nmid\nHIT-last');
    const result = await search(engine, { term: 'HIT-', context: 5 });
    expect(result.output).toBe('2 matches in 1 file:\n\nc.txt\n>    1 | HIT-first\n     2 | mid\n>    3 | HIT-last\n');
    bench.put('d.txt', 'x\na\nb\nneedle\nc\nd\ny\n\n\nneedle\n');
    expect((await search(engine, { term: 'needle', dir: 'd.txt', context: 1 })).output).toContain(
      'd.txt\n     3 | b\n>    4 | needle\n     5 | c\n--\n     9 | \n>   10 | needle\n',
    );
    expect((await search(engine, { term: 'needle', dir: 'd.txt', context: 0 })).output).toContain(
      '>    4 | needle\n--\n>   10 | needle\n',
    );
  });

  it('finds lines whatever their endings and encoding', async () => {
    bench.put('crlf.txt', 'one foo\r\nbar\r\n');
    bench.put('le.txt', Buffer.from('\ufeffone foo\r\nbär\r\n', 'utf16le'));
    bench.put('bom.txt', '\ufeffone foo\nbar');
    bench.put('latin.txt', Buffer.from('one foo\nb\xe4r', 'latin1'));
    bench.put('bin.dat', Buffer.from('one foo\n\0\n'));
    expect(hits(await search(engine, { term: '^one foo$' }, true))).toEqual([
      'bom.txt:1',
      'crlf.txt:1',
      'latin.txt:1',
      'le.txt:1',
    ]);
    expect((await search(engine, { term: 'foo', context: 1, dir: 'latin.txt' })).output).toMatch(/2 \| b(\\xE4|\ufffd)r/);
    expect(hits(await search(engine, { term: 'foo\nbar' }))).toEqual(['bom.txt:1', 'crlf.txt:1']);
    expect(hits(await search(engine, { term: 'foo\\r?\\nb' }, true))).toEqual([
      'bom.txt:1',
      'crlf.txt:1',
      'latin.txt:1',
      'le.txt:1',
    ]);
  });

  it('honours ignore files, skips repositories, looks into hidden files', async () => {
    for (const path of [
      'a.txt',
      '.git/config',
      '.github/w.yml',
      'dist/o.txt',
      'sub/x.log',
      'sub/y.txt',
      'sub/z.tmp',
      'chat/c.txt',
    ])
      bench.put(path, 'needle\n');
    bench.put('.gitignore', 'dist/\n*.log\n');
    bench.put('.ignore', 'z.tmp\n');
    bench.put('.chatignore', 'chat\n');
    bench.put('sub/.chatignore', 'y.txt\n');
    bench.put('../.gitignore', '*\n');
    expect(hits(await search(engine, { term: 'needle' }))).toEqual(['.github/w.yml:1', 'a.txt:1']);
    expect(hits(await search(engine, { term: 'needle', dir: 'sub' }))).toEqual([]);
    expect(hits(await search(engine, { term: 'needle', dir: 'dist' }))).toEqual(['dist/o.txt:1']);
    expect(hits(await search(engine, { term: 'needle', dir: 'sub/x.log' }))).toEqual(['sub/x.log:1']);
    const inside = search(engine, { term: 'needle', dir: '.git' }).catch((error: { code: string }) => error);
    expect(await inside).toMatchObject({ code: 'InvalidArgs' });
  });

  it('takes globs as lists, braces and bare endings', async () => {
    for (const path of ['a.ts', 'b.tsx', 'c.js', 'lib/d.ts', 'x/lib/e.ts', 'f[1].ts']) bench.put(path, 'needle\n');
    const found = async (include: string | string[]) =>
      hits(await search(engine, { term: 'needle', include })).map((hit) => hit.slice(0, -2));
    expect(await found('*.{ts,tsx}')).toEqual(['a.ts', 'b.tsx', 'f[1].ts', 'lib/d.ts', 'x/lib/e.ts']);
    expect(await found('.tsx, *.js')).toEqual(['b.tsx', 'c.js']);
    expect(await found('lib/*.ts')).toEqual(['lib/d.ts', 'x/lib/e.ts']);
    expect(await found('/lib/*.ts')).toEqual(['lib/d.ts']);
    expect(await found('lib/')).toEqual(['lib/d.ts', 'x/lib/e.ts']);
    expect(await found(['*.ts', '!lib/**'])).toEqual(['a.ts', 'f[1].ts']);
    expect(await found('{a.ts')).toEqual([]);
    expect(await found('a.ts[')).toEqual([]);
    expect(await found(`${bench.ws}/lib/*`)).toEqual(['lib/d.ts']);
  });

  it('stops at max_results in all, always at the same ones, and says that there are more', async () => {
    for (let i = 0; i < 40; i++) bench.put(`d${i % 4}/f${String(i).padStart(2, '0')}.txt`, 'word\nother\nword\n');
    const first = await search(engine, { term: 'word', max_results: 7 });
    expect(hits(first)).toEqual([
      'd0/f00.txt:1',
      'd0/f00.txt:3',
      'd0/f04.txt:1',
      'd0/f04.txt:3',
      'd0/f08.txt:1',
      'd0/f08.txt:3',
      'd0/f12.txt:1',
    ]);
    expect(first.output).toContain('The first 7 matches (max_results), in 4 files; there are more');
    for (let i = 0; i < 3; i++) expect((await search(engine, { term: 'word', max_results: 7 })).output).toBe(first.output);
    expect((await search(engine, { term: 'word', max_results: 80 })).output).toContain('80 matches in 40 files');
  });

  it('numbers hits in lines beyond all bounds', async () => {
    const trick = '"},"line_number":77,';
    bench.put('first.txt', `${'q'.repeat(2_500_000)}${trick}NEEDLE${'q'.repeat(2_500_000)}\nNEEDLE\n`);
    bench.put('later.txt', `a\nb\n${trick}${'q'.repeat(4_194_200)}NEEDLE NEEDLE\n\nNEEDLE`);
    expect(hits(await search(engine, { term: 'NEEDLE' }))).toEqual(['first.txt:1', 'first.txt:2', 'later.txt:3', 'later.txt:5']);
  });

  it('bounds what it shows of long lines and many matches', async () => {
    bench.put('bundle.js', `${'q'.repeat(250_000)}NEEDLE_IN_MIN${'q'.repeat(250_000)}`);
    const long = await search(engine, { term: 'NEEDLE_IN_MIN' });
    expect(long.output).toContain('qqqNEEDLE_IN_MINqqq');
    expect(long.output.length).toBeLessThan(600);
    bench.put('n.txt', 'same word here every line\n'.repeat(200_000));
    const many = await search(engine, { term: 'word' }, true);
    expect(hits(many)).toHaveLength(100);
    expect(many.output.length).toBeLessThan(20_000);
  });

  it('shows nothing of secret and own files, whatever the term, and counts them by name', async () => {
    for (const path of ['.env', 'sub/.env.local', '.env.example', 'coder_policy.json', '.chatcli/config.json', 'a.txt'])
      bench.put(path, 'needle\n');
    const result = await search(engine, { term: 'needle' });
    expect(hits(result)).toEqual(['.env.example:1', 'a.txt:1']);
    expect(result.output).toContain('Note: 2 secret files (.env and the like) not searched.');
    const none = await search(engine, { term: 'absent' });
    expect(none.output).toContain('Note: 2 secret files');
    bench.put('.gitignore', '.env*\n');
    expect((await search(engine, { term: 'absent' })).output).not.toContain('secret');
  });

  it('does not show backups made here', async () => {
    bench.put('a.txt', 'needle\n');
    bench.put('theirs.bak', 'needle\n');
    await bench.run(writeTool, { file: 'a.txt', content: 'other\n' });
    expect(hits(await search(engine, { term: 'needle' }))).toEqual(['theirs.bak:1']);
  });

  it('never makes an option of an argument', async () => {
    const evil = bench.put('evil.sh', `#!/bin/sh\ntouch "${bench.ws}/PWNED"\ncat "$1"\n`, 0o755);
    bench.put('x.txt', 'needle\n--pre\n');
    const calls: JsonObject[] = [
      { term: `--pre=${evil}` },
      { term: 'needle', include: `--pre=${evil}` },
      { term: 'needle', dir: `--pre=${evil}` },
    ];
    for (const args of calls) {
      for (const regex of [false, true]) await search(engine, args, regex).catch(() => undefined);
    }
    expect(hits(await search(engine, { term: '--pre' }))).toEqual(['x.txt:2']);
    expect(readdirSync(bench.ws)).not.toContain('PWNED');
  });

  it('comes back in time from a pattern that explodes', async () => {
    bench.put('slow.txt', `${'a'.repeat(40)}!\nplain aaa\naaaaa\n`);
    const result = await search(engine, { term: '^(a+)+$' }, true).catch((error: { code: string }) => error);
    if (engine === 'ripgrep') expect(hits(result as ToolResult)).toEqual(['slow.txt:3']);
    else expect(result).toMatchObject({ code: 'Timeout' });
  });

  it('finds nothing without an error, and hints', async () => {
    bench.put('a.txt', 'foobar\n');
    const result = await search(engine, { term: 'foo.*r' });
    expect(result).toMatchObject({
      isError: false,
      output: expect.stringContaining('No matches for "foo.*r" in the workspace.'),
    });
    expect(result.output).toContain('regex: true');
    expect((await search(engine, { term: 'FOO' }, true)).output).toContain('case_sensitive');
  });
});

describe('search', () => {
  it('refuses what cannot be searched', async () => {
    bench.put('../outside/s.txt', 'token\n');
    for (const [args, code] of [
      [{ term: '' }, 'InvalidArgs'],
      [{ term: 'a\0b' }, 'InvalidArgs'],
      [{ term: 'x'.repeat(20_000) }, 'InvalidArgs'],
      [{ term: 'token', dir: '../outside' }, 'OutsideWorkspace'],
      [{ term: 'token', dir: '/etc/passwd' }, 'Sensitive'],
      [{ term: 'token', dir: 'none' }, 'NotFound'],
      [{ term: 'token', max_results: 0 }, 'InvalidArgs'],
    ] as const)
      expect([args, (await bench.run(searchTool, args)).code]).toEqual([args, code]);
  });

  it('falls back when the program cannot be started, and stops when the run does', async () => {
    bench.put('a.txt', 'needle\n');
    const defaults = { regex: false, caseSensitive: false };
    expect(hits(await runSearch({ term: 'needle' }, defaults, bench.context, { ripgrep: '/nonexistent/rg' }))).toEqual([
      'a.txt:1',
    ]);
    const stopped = { ...bench.context, signal: AbortSignal.abort() };
    await expect(runSearch({ term: 'needle' }, defaults, stopped)).rejects.toMatchObject({ code: 'Aborted' });
    await expect(runSearch({ term: 'needle' }, defaults, stopped, { ripgrep: 'none' })).rejects.toMatchObject({
      code: 'Aborted',
    });
  });

  it('searches in added folders and shows where', async () => {
    bench.put('../more/a.txt', 'needle\n');
    bench.put('../more/.env', 'needle\n');
    const workspace = await bench.open({ addDirs: ['../more'] });
    const result = await searchTool.run({ term: 'needle', dir: '../more' }, { ...bench.context, workspace });
    expect(hits(result)).toEqual([`${bench.base}/more/a.txt:1`]);
  });

  it('gives the same answers with both engines on generated trees', async () => {
    const names = fc.constantFrom('a', 'b.ts', 'c.txt', 'd.log', '.e', 'F.ts', 'é.txt');
    const line = fc.constantFrom('alpha', 'Beta', 'x alpha y', 'a.b*c', '', '  tail  ', 'ümlaut', '"q"', '$1 (x)');
    const content = fc
      .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'))
      .map(([lines, ending]) => lines.join(ending));
    const tree = fc.array(fc.tuple(fc.array(fc.constantFrom('p', 'q', '.r'), { maxLength: 2 }), names, content), {
      minLength: 1,
      maxLength: 12,
    });
    const ignore = fc.array(fc.constantFrom('*.log', 'p/', '/q', '!c.txt', '*.txt', 'b.ts', '.r/**', 'q/*.ts'), { maxLength: 3 });
    const term = fc.constantFrom(
      'alpha',
      'a',
      'BETA',
      '.',
      'a.b*',
      '^$',
      'al|be',
      '\\w+',
      '"q"',
      'x\\s',
      '\\bx\\b',
      '(x)',
      'ü',
      '$',
      '[ab]+',
    );
    const args = fc.record({
      term,
      regex: fc.boolean(),
      case_sensitive: fc.boolean(),
      context: fc.constantFrom(0, 1, 2),
      max_results: fc.constantFrom(1, 3, 100),
      include: fc.constantFrom('*', '*.ts', '*.{ts,txt}', 'p/**', '!*.ts'),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(tree, ignore, ignore, args, fc.boolean(), async (files, outer, inner, given, repository) => {
        const dir = `t${round++}`;
        for (const [folders, name, text] of files) {
          const path = [dir, ...folders, name].join('/');
          bench.put(path, text);
        }
        bench.put(`${dir}/.gitignore`, outer.join('\n'));
        bench.put(`${dir}/p/.ignore`, inner.join('\n'));
        if (repository) execFileSync('git', ['init', '-q', `${bench.ws}/${dir}`]);
        const both = [];
        for (const engine of engines) both.push(await search(engine, { ...given, dir }));
        expect(both[1]?.output).toBe(both[0]?.output);
      }),
      { numRuns: 50 },
    );
  });
});
