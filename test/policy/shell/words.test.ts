/** What a word becomes: quotes, braces, variables of the line, home, patterns, and what stays unknown. */
import { describe, expect, it } from 'vitest';
import { expandBraceText } from '../../../src/policy/shell/braces.js';
import { oddCharacter, parseShell } from '../../../src/policy/shell/parse.js';
import { walkText } from '../../../src/policy/shell/walk.js';
import { contextOf, PLACE } from '../helpers.js';

const env = contextOf();
const commands = (line: string) => walkText(line, { cwd: [PLACE.root], piped: [], via: [], away: false, depth: 0 }, env).simples;
/** The words of the last command that stands in no substitution. */
const words = (line: string) =>
  commands(line)
    .filter((simple) => simple.depth === 0)
    .at(-1)?.words ?? [];
const values = (line: string) =>
  words(line).map((word) => (word.unknown ? '?' : [...word.values, ...word.patterns.map((pattern) => `~${pattern}`)].join('|')));

describe('words', () => {
  it.each([
    ['r\\m "a b" \'c d\' e"f"g', ['rm', 'a b', 'c d', 'efg']],
    ["$'\\x72m' $'a\\tb'", ['rm', 'a\tb']],
    ['{rm,-rf,/}', ['rm', '-rf', '/']],
    ['a{b,c}d {1..3} {a,b}{c,d}', ['abd', 'acd', '1', '2', '3', 'ac', 'ad', 'bc', 'bd']],
    ['~ ~/x $HOME/y "${HOME}/z"', [PLACE.home, `${PLACE.home}/x`, `${PLACE.home}/y`, `${PLACE.home}/z`]],
    ['\'~\' \\~ "~" a~', ['~', '~', '~', 'a~']],
    ['*.ts src/[ab]?', ['~*.ts', '~src/[ab]?']],
    ['a\\*b "*"', ['a*b', '*']],
    ['$X "$X" a$X `x` $(x) $1 $((1))', ['?', '?', '?', '?', '?', '?', '?']],
    ['x=a; echo $x "$x/b"', ['echo', 'a', 'a/b']],
    ['for f in a b; do echo "$f.ts"; done', ['echo', 'a.ts|b.ts']],
    ['for f in src/*.ts; do echo "$f"; done', ['echo', '~src/*.ts']],
    ['X=a; echo $X', ['echo', '?']],
    ['x=$(y); echo "$x"', ['echo', '?']],
    ['x=a; x=b; echo $x', ['echo', 'a|b']],
    ['echo $x; x=a', ['echo', '?']],
    ['a{b,"c"} {"a",b}', ['?', '?']],
    ['stash@{0} {} {a} a{b', ['stash@{0}', '{}', '{a}', 'a{b']],
  ] as const)('%s', (line, expected) => {
    const shown =
      line === 'echo $x; x=a'
        ? (commands(line)[0]?.words ?? []).map((word) => (word.unknown ? '?' : word.values.join('|')))
        : values(line);
    expect(shown).toEqual(expected);
  });

  it('know which of them may fall apart', () => {
    expect(words('echo $X "$X" *.ts a $(x)').map((word) => word.splits)).toEqual([false, true, false, true, false, true]);
  });

  it('keep guesses apart from values', () => {
    expect(words('rm ${X:-/} $(echo /) $(pwd)/x').map((word) => word.guesses)).toEqual([[], ['/'], ['/'], [`${PLACE.root}/x`]]);
  });
});

describe('braces', () => {
  it.each([
    ['a', ['a']],
    ['{a,b}', ['a', 'b']],
    ['{a,{b,c}}d', ['ad', 'bd', 'cd']],
    ['{a}', ['{a}']],
    ['{3..1}', ['3', '2', '1']],
    ['{a..c}', ['a', 'b', 'c']],
    ['{,x}', ['', 'x']],
  ] as const)('%s', (text, expected) => {
    expect(expandBraceText(text)).toEqual(expected);
  });

  it('give up when there are too many', () => {
    expect(expandBraceText('{1..100000}')).toBeUndefined();
    expect(expandBraceText('{a,b}'.repeat(20))).toBeUndefined();
  });
});

describe('folders', () => {
  const cwd = (line: string) => commands(line).at(-1)?.cwd;

  it.each([
    ['ls', [PLACE.root]],
    ['cd src && ls', [`${PLACE.root}/src`]],
    ['cd src; ls', [PLACE.root, `${PLACE.root}/src`]],
    ['cd src && cd deep && ls', [`${PLACE.root}/src/deep`]],
    ['(cd src); ls', [PLACE.root]],
    ['cd src & ls', [PLACE.root]],
    ['cd src | ls', [PLACE.root]],
    ['cd / && ls', ['/']],
    ['cd && ls', [PLACE.home]],
    ['cd -- src && ls', [`${PLACE.root}/src`]],
    ['command cd src && ls', [`${PLACE.root}/src`]],
    ['cd $X && ls', undefined],
    ['cd - && ls', undefined],
    ['pushd src && ls', undefined],
    ['for i in 1 2; do cd src; ls; done', undefined],
    ['if cd src; then ls; fi', [PLACE.root, `${PLACE.root}/src`]],
    ['false || cd src && ls', [PLACE.root, `${PLACE.root}/src`]],
  ] as const)('%s', (line, expected) => {
    expect(cwd(line)).toEqual(expected);
  });
});

describe('faults and odd characters', () => {
  it('are found', () => {
    for (const line of ['ls (', 'ls )', 'ls "', "ls '", 'ls $(', 'ls |', 'if x', 'ls;;', 'cat <<EOF\nx', '`', '${', 'case'])
      expect(parseShell(line).faults.length, line).toBeGreaterThan(0);
    for (const line of [
      '',
      '# x',
      'ls',
      'a && b || c',
      'f() { x; }',
      'cat <<EOF\nx\nEOF',
      'case a in (b) c;; d) e;; esac',
      "echo '('",
    ])
      expect(parseShell(line).faults, line).toEqual([]);
  });

  it('are told from ordinary text', () => {
    for (const text of ['ls', 'a\tb\nc', 'olá çé 日本語 🎉 ✔️', '→ “x” – €']) expect(oddCharacter(text), text).toBeUndefined();
    for (const text of [
      '\0',
      '\r',
      '\x1b',
      '\x7f',
      '\u0085',
      '\u00a0',
      '\u00ad',
      '\u200b',
      '\u200d',
      '\u202e',
      '\u2028',
      '\u2066',
      '\u3000',
      '\ufeff',
      '\ud800',
      '\u{e0001}',
    ])
      expect(oddCharacter(`a${text}b`), JSON.stringify(text)).toMatch(/^U\+/);
  });
});
