import { describe, expect, it } from 'vitest';
import { ArgvFault, argvOf, flagsFor } from '../../src/base/argv-words.js';

describe('argvOf', () => {
  it('leaves the words of argv alone, blanks, quotes and dashes included', () => {
    expect(argvOf({ argv: ['a b', '', '--x', "it's", '"q"'] })).toEqual(['a b', '', '--x', "it's", '"q"']);
  });
  it('puts cmd first, fields as flags, args last', () => {
    expect(argvOf({ n: 'x y', cmd: 'get pods', args: ['-o', 'a b'] })).toEqual(['get', 'pods', '--n', 'x y', '-o', 'a b']);
    expect(argvOf({ cmd: 'get', args: { all: true, deep: false, none: null, n: 3 } })).toEqual([
      'get',
      '--all',
      '--deep=false',
      '--n',
      '3',
    ]);
    expect(argvOf({ args: `one 'two three'` })).toEqual(['one', 'two three']);
  });
  it('repeats the flag of a list, and writes deeper values as JSON', () => {
    expect(flagsFor('f', ['a', 'b c'])).toEqual(['--f', 'a', '--f', 'b c']);
    expect(flagsFor('e', [{ a: 1 }])).toEqual(['--e', '[{"a":1}]']);
  });
  it('refuses what is no word and no flag', () => {
    expect(() => argvOf({ argv: ['a\0b'] })).toThrow(ArgvFault);
    for (const name of ['x=1', 'a b', '-x', '', '1']) expect(() => flagsFor(name, 'v')).toThrow(ArgvFault);
    expect(() => argvOf({ args: `open 'quote` })).toThrow(ArgvFault);
  });
});
