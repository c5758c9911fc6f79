/** Rewriting before a parse takes time that grows with the length of the text, whatever is in it, and keeps every offset. */
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/code/languages/registry.js';
import { inShortLines } from '../../../src/code/languages/shared/short-lines.js';

const REWRITES = new Map(
  LANGUAGES.flatMap(({ id, prepare, mend }) => [
    ...(prepare ? [[prepare, `${id} prepare`] as const] : []),
    ...(mend ? [[mend, `${id} mend`] as const] : []),
  ]),
);
/** A square of these many would take minutes. */
const CHARS = 80_000;
const PIECES = [
  ...[
    '\n',
    ' ',
    '\t',
    '\r\n',
    ' \n',
    '\n \n',
    ',',
    ',\n',
    '<',
    '<\n',
    '{',
    '(',
    '[',
    '=',
    ':',
    '"',
    "'",
    '#',
    '`',
    '/',
    '/*',
    '//',
  ],
  ...['a ', '@a ', '\na ', 'in ', 'as ', '\npublic ', 'public ', 'fun a(', 'fun a ', '\nfun a', ' }', '= }', 'a }', '${a ', '()'],
  ...['#" ', '##" ', '#"', 'r#"', 'R"(', 'R"(\n', 'R"a(', '#if\n', '#if a\n{', '#define a \\\n', 'ABC ', 'A_B(', '\nabstract'],
  ...['#selector(', '#selector((', '@_a(', 'throws(', '\nexport ', 'default ', 'keyof ', 'import("', ']? ', ': ', '-> ', '\\'],
];

describe('rewriting for a parser', () => {
  it.each([...REWRITES].map(([rewrite, name]) => [name, rewrite] as const))(
    'is linear and keeps offsets: %s',
    { timeout: 30_000 },
    (_, rewrite) => {
      for (const piece of PIECES) {
        const text = `ABC #\ncfg_a! {\n${piece.repeat(CHARS / piece.length)}`;
        expect(rewrite(text).length, JSON.stringify(piece)).toBe(text.length);
      }
    },
  );

  it('leaves long lines as they are', () => {
    const long = `x${'ab'.repeat(600)}y`;
    expect(inShortLines(`aa\n${long}\naa\n${long}`, (text) => text.replaceAll('a', 'b'))).toBe(`bb\n${long}\nbb\n${long}`);
    expect(inShortLines('aa', (text) => text.replaceAll('a', 'b'))).toBe('bb');
  });
});
