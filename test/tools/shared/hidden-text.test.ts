/** Messages of language servers where files must not be read: what stands in the file that was asked about stays, the rest goes. */
import { describe, expect, it } from 'vitest';
import { hoverShape, readableText, withoutLiterals } from '../../../src/tools/shared/hidden-text.js';

const readable = readableText(['import { API_KEY } from "./secret";\nconst login = (user: Person) => "my own words 4242";']);
const cut = (message: string) => withoutLiterals(message, readable);

describe('a message without literals', () => {
  it.each([
    [`Type '"sk-live"' is not assignable to type '1'.`, `Type '…' is not assignable to type '…'.`],
    [`Type '"ab' cd"' is not assignable to 'string'`, `Type '…' is not assignable to 'string'`],
    [`"Literal['sk']" is not assignable to "int"`, `"…" is not assignable to "int"`],
    ['cannot use API_KEY (untyped string constant "sk-live") as int', 'cannot use API_KEY (untyped string constant "…") as int'],
    ['constant 123456 overflows', 'constant … overflows'],
    ["expected `i32`, found `&'static str`", 'expected `i32`, found `…`'],
    ['never closed: "sk-live', 'never closed: "…'],
    [String.raw`it says "sk\"live" here`, 'it says "…" here'],
    ['deprecated: call hunter2 instead', 'deprecated …'],
    ['In included file: hunter2', 'In included file …'],
    ['“sk-live” ‘x-y’', '“…” ‘…’'],
  ])('%s', (message, shown) => {
    expect(cut(message)).toBe(shown);
  });

  it.each([
    `Cannot find name 'login'. It doesn't exist, the user's fault`,
    `Type '(user: Person) => string' is not assignable to type 'number | undefined'`,
    `"my own words 4242" is no number; 4242 neither`,
    'Expected 2 arguments, but got 1.',
    '',
  ])('%s stays', (message) => {
    expect(cut(message)).toBe(message);
  });
});

it('a hover keeps its code in shape, and prose only where it may be read', () => {
  const plain = 'const API_KEY: "sk-live" // hunter2\n\nhunter2 is the word\nmy own words 4242';
  expect(hoverShape(plain, readable, true)).toBe(
    'const API_KEY: "…" \n\nmy own words 4242\n(not shown: 1 line(s) that may stem from files which must not be read)',
  );
  expect(hoverShape('```py\nx: "a"\n```\nprose of a library', readable, false)).toBe('```py\nx: "…"\n```\nprose of a library');
});
