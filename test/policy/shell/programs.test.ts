/** The small languages inside commands: sed, awk, SQL, find, and the places that must not go. */
import { describe, expect, it } from 'vitest';
import { isRawDevice } from '../../../src/policy/shell/dangerous.js';
import { sqlHarm } from '../../../src/policy/shell/immune-data.js';
import { scanOptions } from '../../../src/policy/shell/options.js';
import { awkFault } from '../../../src/policy/shell/readers/awk.js';
import { sedFault } from '../../../src/policy/shell/readers/sed.js';
import { normal, whyProtected } from '../../../src/policy/shell/targets.js';
import { literal, unknownWord } from '../../../src/policy/shell/types.js';
import { contextOf, PLACE } from '../helpers.js';

describe('sed scripts', () => {
  it.each([
    'p',
    '1,5p',
    '$p',
    '/a/,/b/d',
    '/a/!d',
    's/a/b/',
    's/a/b/gI',
    's|/a|/b|2',
    '1~2p',
    '0,/x/d',
    '/x/,+3p',
    's/a/b/;s/c/d/',
    '/x/{p;q}',
    'y/abc/def/',
    ':a;N;$!ba;s/\\n/ /g',
    '1i header',
    'a\\\ntext',
    '5q',
    's/\\//x/',
    '\\,x,p',
    '# comment',
    'n;d',
    's/[a-z]*/x/',
  ])('%s only prints', (script) => {
    expect(sedFault(script)).toBeUndefined();
  });

  it.each([
    'w out',
    '1w out',
    '/x/w out',
    's/a/b/w out',
    's/a/b/e',
    's/a/b/gw out',
    'e',
    'e touch x',
    '1e touch x',
    'W out',
    'r f',
    'R f',
    's/a/b/;w x',
    'p\nw x',
    '{w x\n}',
    's/a',
    'y/a/b',
    'k',
    's/a/b/ w x',
    'b x w y',
    's/[/]/x/w y/',
    'M',
    's\na\nb\nw x',
  ])('%s does more, or cannot be read', (script) => {
    expect(sedFault(script)).toHaveProperty('text');
  });
});

describe('awk programs', () => {
  it.each([
    '{print}',
    '{print $1, $NF}',
    'NR>5',
    '$3 > 5 {print $1}',
    '/a|b/',
    '/a\\/b/ {x++} END {print x}',
    '{ if ($1 > 2) print "a > b" }',
    'BEGIN { printf "%s\\n", "x" }',
    '{ print ($1 > 2) }',
    '!/x/ && $2 ~ /[|>]/',
    '{ a[$1]++ } END { for (k in a) print k, a[k] }',
    '{ print length($0) / 2 }',
    '# > x\n{print}',
    '{ gsub(/\\|/, "-"); print }',
  ])('%s only prints', (program) => {
    expect(awkFault(program)).toBeUndefined();
  });

  it.each([
    '{print > "x"}',
    '{print >> "x"}',
    '{print | "sh"}',
    '{print |& "sh"}',
    'BEGIN{system("x")}',
    '"date" | getline',
    '{getline < "x"}',
    '{print $1 > "x"}',
    '{print($1) > "x"}',
    '{printf "a" > "x"}',
    '{print a,\nb > "x"}',
    '{print a \\\n > "x"}',
    '@load "x"',
    '{@f()}',
    'BEGIN{ARGV[1]="x"}',
    'x++ / y | "cmd" / 2',
    '"abc',
    '{print /a',
  ])('%s does more, or cannot be read', (program) => {
    expect(awkFault(program)).toHaveProperty('text');
  });
});

describe('statements', () => {
  it.each([
    'drop table x',
    'DROP   DATABASE x',
    'drop/**/table x',
    '/*!50000 drop */ table x',
    'truncate table x',
    'TRUNCATE x',
    'delete from x',
    'delete from x where 1=1',
    'delete from x where 1 = 1;',
    'select 1; delete from x;',
    'delete from x -- where id=1',
    'db.dropDatabase()',
    'db.x.drop()',
    'db.x.deleteMany({})',
  ])('%s deletes wholesale', (text) => {
    expect(sqlHarm(text)).toHaveProperty('text');
  });

  it.each([
    'select * from x',
    'delete from x where id = 3',
    'insert into x values (1)',
    'create table x (a int)',
    "select 'drop'",
    'update x set a = 1',
  ])('%s does not', (text) => {
    expect(sqlHarm(text)).toBeUndefined();
  });
});

describe('options', () => {
  const scan = (words: readonly string[], rules: Parameters<typeof scanOptions>[1] = {}) => {
    const { options, operands, unclear } = scanOptions(
      words.map((word) => (word === '?' ? unknownWord('?') : literal(word))),
      rules,
    );
    return {
      options: options.map((option) => option.name + (option.value ? `=${option.value.source}` : '')),
      operands: operands.map((word) => word.source),
      unclear,
    };
  };

  it('are told from operands', () => {
    expect(scan(['-ab', 'x', '--long', '--key=v', '--', '-c'])).toEqual({
      options: ['-a', '-b', '--long', '--key=v'],
      operands: ['x', '-c'],
      unclear: undefined,
    });
    expect(scan(['-n', '5', '-n5', 'x'], { valued: new Set(['-n']) })).toMatchObject({
      options: ['-n=5', '-n=5'],
      operands: ['x'],
    });
    expect(scan(['-Iseconds', 'x'], { attached: new Set(['-I']) })).toMatchObject({ options: ['-I=seconds'], operands: ['x'] });
    expect(scan(['a', '-b'], { stop: true })).toMatchObject({ options: [], operands: ['a', '-b'] });
    expect(scan(['-', 'x'])).toMatchObject({ options: [], operands: ['-', 'x'] });
    expect(scan(['?', '--', '?'])).toMatchObject({ unclear: '?', operands: ['?', '?'] });
    expect(scan(['--', '?'])).toMatchObject({ unclear: undefined });
  });
});

describe('places that must not go', () => {
  const env = contextOf();
  const why = (path: string, cwd = [PLACE.root]) => whyProtected(path, cwd, env);

  it.each([
    '/',
    '//',
    '/.',
    '/..',
    '/etc',
    '/etc/',
    '/usr/lib',
    '/home/bob',
    '~',
    PLACE.home,
    '..',
    '../',
    '../..',
    '../*',
    '/*',
    '/etc/*',
    '~/*',
    '~/.*',
    '/e*',
    '/proc/self/root',
    '/proc/1/root/etc',
    'src/../..',
    '/srv/*',
    'C:\\',
    'c:/',
    '/mnt/c',
  ])('%s', (path) => {
    expect(why(path)).toHaveProperty('text');
  });

  it.each([
    'src',
    './build',
    '*',
    '/tmp/x',
    '/etc/nginx',
    '/usr/lib/x',
    '~/x',
    '../other',
    '/opt/app',
    'src/*',
    '/var/tmp/x',
    '',
  ])('%s is not one of them', (path) => {
    expect(why(path)).toBeUndefined();
  });

  it('depend on the folder', () => {
    expect(why('.', ['/'])).toHaveProperty('text');
    expect(why('*', ['/etc'])).toHaveProperty('text');
    expect(why('.', [PLACE.root])).toBeUndefined();
    expect(normal('/a/./b//../c')).toBe('/a/c');
  });

  it('and devices', () => {
    for (const path of [
      '/dev/sda',
      '/dev/sda1',
      '/dev/nvme0n1',
      '/dev/mmcblk0',
      '/dev/disk2',
      '//dev//sda',
      '/dev/./sda',
      '/dev/mapper/x',
      '/dev/mem',
    ])
      expect(isRawDevice(path), path).toBe(true);
    for (const path of ['/dev/null', '/dev/stdout', '/dev/fd/3', '/dev/shm/x', '/dev/tty', 'dev/sda', '/dev/random'])
      expect(isRawDevice(path), path).toBe(false);
  });
});
