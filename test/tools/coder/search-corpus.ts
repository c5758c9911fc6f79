/** A folder of everything that makes searches differ, questions about it, and where the answers of the two searches differ. */
import { execFileSync } from 'node:child_process';
import { runSearch } from '../../../src/tools/shared/search-tool.js';
import type { JsonObject } from '../../../src/types/json.js';
import { type Bench, makeBench } from '../context.js';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const FILES: Readonly<Record<string, string | Buffer>> = {
  'a.txt': 'alpha\nBeta ALPHA\ngamma_delta\nfoo-bar\nx=1;\n\nlast',
  'crlf.txt': 'one\r\ntwo two\r\n\r\nthree\r\n',
  'mixed.txt': 'one\r\ntwo\nthr\ree\n',
  'lone-cr.txt': 'one\rtwo\rthree',
  'bom.txt': '\ufeffone\r\ntwo',
  'le.txt': utf16('one\r\ntwo é 日本\r\nthree'),
  'be.txt': utf16('one\ntwo é\n').swap16(),
  'no-mark.txt': Buffer.from('one\ntwo\n', 'utf16le'),
  'odd.txt': Buffer.concat([utf16('one\ntwo\n'), Buffer.from([0x41])]),
  'half.txt': Buffer.concat([utf16('one\n'), Buffer.from([0, 0xd8]), Buffer.from('x\nnone\n', 'utf16le')]),
  'zero16.txt': utf16('one\0x\ntwo\n'),
  'latin.txt': Buffer.from('caf\xe9 one\nna\xefve two\n\xff\xfe end\n', 'latin1'),
  'broken.txt': Buffer.from([0x6f, 0x6e, 0x65, 0x20, 0xe3, 0x81, 0x0a, 0xf0, 0x9f, 0x20, 0x6f, 0x0a, 0xed, 0xa0, 0x80, 0x6f]),
  'unicode.txt':
    'Grüße ΑΒΓ αβγ ß ẞ ſ K K ﬁ\n日本語 🎉 one\nİstanbul ıstanbul\nÅngström A\u030a\n٣ digits ৩\nnbsp\u00a0x\u2028y\u0085z\n',
  'early.dat': 'one\n\0\none\n',
  'late.dat': Buffer.concat([Buffer.from('one line\n'.repeat(20_000)), Buffer.from('\0one\n')]),
  'control.txt': 'one \x01\x02 \x1b[31mred\x1b[0m\none\ttab\n',
  'empty.txt': '',
  'blank.txt': '\n\n\n',
  'fake.png': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('one without zero\n')]),
  'long.txt': `${'q'.repeat(5000)}one${'z'.repeat(5000)}\nshort one\n`,
  'new\nline.txt': 'one in an odd name\n',
  'quote"\'\\.txt': 'one in an odd name\n',
  '-dash.txt': 'one in dash\n',
  '--pre=x': 'one in dash\n',
  '.hidden/x': 'one hidden\n',
  'node_modules/m/i.js': 'one in modules\n',
  'ig/.gitignore':
    '*.log\n/root.txt\nsub/\n!keep.log\nd2/**\n**/deep.txt\na/b/*.c\n\\!bang\n\\#hash\ntrail \\ \n[ab].x\n/a\\*b\n',
  'ig2/.ignore': '*.log\n',
  'ig2/.gitignore': '!a.log\nb.txt\n',
  'ig2/.chatignore': 'e.txt\n!b.txt\n',
  'ig3/.gitignore': 'build\n!build/keep\n',
  'ig4/.gitignore': '*\n!*.c\n!*/\n',
  'ig5/.gitignore': '\ufefffoo.txt\r\nbar.txt\r\nabc/*/d\n/**/g.txt\nx/**/y\n',
  'repo/.gitignore': 'gi.txt\n',
};
const ONES = [
  ...['x.log', 'keep.log', 'root.txt', 'n/root.txt', 'sub/x', 'd2/k/z', 'deep.txt', 'n/deep.txt', 'a/b/x.c', 'n/a/b/x.c'].map(
    (name) => `ig/${name}`,
  ),
  ...['!bang', '#hash', 'trail  ', 'a.x', 'c.x', 'a*b', 'axb'].map((name) => `ig/${name}`),
  ...['a.log', 'c.log', 'b.txt', 'e.txt', 'f.txt'].map((name) => `ig2/${name}`),
  ...['build/keep', 'n/build', 'x'].map((name) => `ig3/${name}`),
  ...['x.c', 's/y.c', 's/y.h'].map((name) => `ig4/${name}`),
  ...['foo.txt', 'bar.txt', 'abc/q/d', 'abc/q/r/d', 'g.txt', 'h/g.txt', 'x/y', 'x/1/2/y', 'x/1/2/yy'].map(
    (name) => `ig5/${name}`,
  ),
  ...['a.txt', 'ex.txt', 'no/z', 'gi.txt', 'n/ex.txt'].map((name) => `repo/${name}`),
];

/** A workspace with all of it. The caller removes it. */
export async function makeCorpus(): Promise<Bench> {
  const bench = await makeBench();
  for (const [path, content] of Object.entries(FILES)) bench.put(path, content);
  for (const path of ONES) bench.put(path, 'one\n');
  for (const [path, target] of Object.entries({
    link: 'a.txt',
    'link-dir': 'ig',
    loop: '.',
    dangling: 'nowhere',
    outside: '/etc',
  }))
    bench.link(path, target);
  execFileSync('git', ['init', '-q', `${bench.ws}/repo`]);
  bench.put('repo/.git/info/exclude', 'ex.txt\nno/\n');
  return bench;
}

/** The words of a search, or of its refusal. */
export async function answer({ context }: Bench, args: JsonObject, ripgrep?: string): Promise<string> {
  try {
    return (await runSearch(args, { regex: false, caseSensitive: false }, context, ripgrep ? { ripgrep } : {})).output;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code} ${message}`;
  }
}

/** What differs, as `[question, ripgrep, own]`. `mayRefuse`: our own search may say that it cannot. */
export async function differences(bench: Bench, questions: readonly JsonObject[], mayRefuse = false): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const question of questions) {
    const [ripgrep, own] = [await answer(bench, question), await answer(bench, question, 'none')];
    if (ripgrep === own || (mayRefuse && own.startsWith('InvalidArgs'))) continue;
    found.push([question, ripgrep, own]);
  }
  return found;
}

const TEXTS = [
  'one',
  'ONE',
  'é',
  'É',
  'ß',
  'ẞ',
  'ſ',
  'K',
  'i',
  'İ',
  'αβγ',
  'Å',
  'ﬁ',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\x1b',
  '\t',
].concat(
  ['日本', '🎉', 'one\ntwo', 'one\r\ntwo', 'two\n', '\ntwo', '\n', '\n\n', '\r', '\\', '[', '(', '.', '*', '\\xE9', '\ufffd'],
  ['-e', '--', '--pre=x', '-f', 'one ', '^one', '$'],
);

export const PATTERNS = [
  '^one',
  'one$',
  '^$',
  '.',
  '\\w+',
  '\\bone\\b',
  '\\Bne',
  '\\d',
  '\\s',
  '\\S+',
  '\\W',
  '\\D',
  '[[:alpha:]]+',
].concat(
  ['[^[:alpha:]]', '[[:^alpha:]]', '\\pL', '\\p{Greek}', '\\p{Lu}', '\\P{L}', '\\x41', '\\x{1F389}', '\\u0041', 'one\\ntwo'],
  ['one\\r\\ntwo', 'e\\r$', 'one\\r?$', '\\t', '\\A.', 'e\\z', '(?i)ONE', '(?i:ONE)x?', '(?s)one.two', '(?x) o n e ', '(?U)o+'],
  ['(?P<n>o)ne', '(?<n>o)ne', '(?=o)one', 'o(?!x)', '(?<=o)ne', '(?<!x)one', '(.)\\1', '(?P<n>.)(?P=n)', 'o{1}', 'o{1,'],
  ['o{,2}ne', '{', 'a{a', 'x{2}{3}', 'o++', '(?>o)ne', '\\Qa.b\\E', '[a-c&&[^b]]', '[a--b]', '[\\w&&[^a]]+', '[]a]', '[^]a]'],
  ['[a-]', '[-a]', '[[]', '[\\w-.]+', '[z-a]', '(', '[', '\\', '*', 'a**', 'a|', '|', '(|a)', '(a|b)*c', '(?i)straße', '(?i)k'],
  ['.*', '^.{3}$', '[^a]one', '[^\\n]one', '[^x]$', '\\s$', 'one.two', '\\<one\\>', '\\b{start}one', 'x*', '(?im)^ONE$', '\\R'],
  ['(?-u)\\xe9', '(?-u:\\xff)', '\\p{Emoji}', '\\p{ASCII}', '\\d+ digits', '[٣]', 'a(?i)B', '(?R)', '(o)\\2', '[[:foo:]]', '\\y'],
);

/** Those of them that have no JavaScript form. */
export const REFUSED = [
  '(?i:ONE)x?',
  '(?>o)ne',
  '[[]',
  '[z-a]',
  '(',
  '[',
  '\\',
  '*',
  '\\R',
  '(?-u)\\xe9',
  '(?-u:\\xff)',
  'a(?i)B',
  '(o)\\2',
  '\\y',
];
const PLACES = [
  '.',
  'ig',
  'ig2',
  'ig3',
  'ig3/build',
  'ig4',
  'ig5',
  'repo',
  'repo/n',
  'repo/no',
  'a.txt',
  'early.dat',
  'le.txt',
].concat([
  'link-dir',
  'link',
  'loop',
  'node_modules',
  '.hidden',
  '-dash.txt',
  '--pre=x',
  'fake.png',
  'nowhere',
  'dangling',
  'outside',
]);

const GLOBS = [
  '*.txt',
  '.txt',
  '*.TXT',
  '**',
  'ig/**',
  '/ig/**',
  'ig/',
  './ig',
  '!*.txt',
  '!ig/**',
  '*.{txt,log}',
  '{ig,ig2}/**',
].concat(
  ['[a-c]*.txt', '[!a]*', '?.x', '**/*.c', 'ig*/**/*.c', '*.c,*.x', '{a', 'a}', '[a', 'a\\*b', '-dash.txt', '--pre=x', '.*'],
  ['', '/a.txt', 'a.txt/', '!**', '{,a}.txt', 'new*', '**/sub/**', '!sub/', '!*.{log,x}', '*.*'],
);

export const textQuestions: readonly JsonObject[] = TEXTS.flatMap((term) => [
  { term, case_sensitive: false, context: 0, max_results: 300 },
  { term, case_sensitive: true, context: 2, max_results: 300 },
]);
export const patternQuestions: readonly JsonObject[] = PATTERNS.map((term, i) => ({
  term,
  regex: true,
  case_sensitive: i % 3 > 0,
  context: i % 2,
  max_results: 300,
}));
export const placeQuestions: readonly JsonObject[] = [
  ...PLACES.flatMap((dir) => ['one', 'two'].map((term) => ({ term, dir, max_results: 500 }))),
  ...GLOBS.map((include) => ({ term: 'one', include, max_results: 500 })),
  ...[1, 2, 7, 20].map((max_results) => ({ term: 'o', max_results, context: 3 })),
];
