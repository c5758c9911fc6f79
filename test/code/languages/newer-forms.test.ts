/** Declarations in blocks, `using`, extension members, and texts whose lines end with a carriage return alone. */
import { expect, test } from 'vitest';
import { prepareExtensions } from '../../../src/code/languages/shared/csharp-prepare.js';
import { textLines } from '../../../src/code/lsp/positions.js';
import { entriesOf, entryLine } from '../../../src/code/outline/outline-text.js';
import { readText } from './outline-lines.js';

const outlineOf = async (path: string, text: string): Promise<string[]> => {
  const { outline } = await readText(path, text);
  expect(outline.errorLine).toBeUndefined();
  return entriesOf(outline.symbols).map((entry) => `${entry.symbol.kind} ${entryLine(entry)}`);
};

test.each(['a.js', 'a.jsx', 'a.ts', 'a.tsx'])(
  '%s: what blocks declare for others, and functions and classes in them',
  async (path) => {
    const text = `if (a) {
  function z() {}
  const q = 1, w = () => 1;
  var v = 2;
  exports.k = 1;
} else if (b) { class Q {} }
for (var i = 0; i < 3; i++) { function inLoop() {} }
try { let b = 1 } catch (e) { var c } finally { function fin() {} }
switch (a) { case 1: function sw() {} default: var d; }
{ let u; { function deep() {} } }
(() => { if (x) { function inIife() {} } })();
`;
    expect(await outlineOf(path, text)).toEqual([
      'function L2 function z()',
      'function L3 const w = () =>',
      'var L4 var v = 2',
      'export L5 exports.k = 1',
      'class L6 class Q',
      'function L7 function inLoop()',
      'var L8 var c',
      'function L8 function fin()',
      'function L9 function sw()',
      'var L9 var d',
      'function L10 function deep()',
      'function L11 function inIife()',
    ]);
  },
);

test.each(['a.js', 'a.ts'])('%s: using', async (path) => {
  expect(await outlineOf(path, 'using x = f();\nawait using y = g();\nlet a;\na = 1;\n')).toEqual([
    'const L1 using x = f()',
    'const L2 await using y = g()',
    'var L3 let a',
  ]);
  if (path === 'a.ts')
    expect(await outlineOf(path, 'await using x: Foo = f();\nfunction g() {}\n')).toEqual([
      'const L1 await using x: Foo = f()',
      'function L2 function g()',
    ]);
});

test('thousands of nested blocks neither crash nor hang', async () => {
  const { outline } = await readText('a.js', `${'{'.repeat(3000)}function f() {}${'}'.repeat(3000)}\nfunction g() {}\n`);
  expect(outline.symbols.map(({ name }) => name)).toContain('g');
});

test('C#: extension members stand below the type they are added to', async () => {
  const text = `static class E {
  extension(string s) {
    public int Len => s.Length;
  }
  extension<T>(IEnumerable<T> source) where T : class {
    public static int Z() => 1;
  }
  extension(string) { public static string Empty2 => ""; }
  extension([NotNull] ref System.Text.Foo f)
  {
    private int P => 1;
  }
  public static int Old(this int a) => extension(a);
}
`;
  const { outline } = await readText('a.cs', text);
  expect(outline.errorLine).toBeUndefined();
  expect(outline.symbols[0]?.children.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'extension string',
    'extension IEnumerable',
    'extension string',
    'extension Foo',
    'method Old',
  ]);
  expect(outline.symbols[0]?.children.map(({ signature }) => signature).slice(0, 2)).toEqual([
    'extension(string s)',
    'extension<T>(IEnumerable<T> source) where T : class',
  ]);
  expect(prepareExtensions(text)).toHaveLength(text.length);
});

test('C#: a call of that name is none, and what never ends is left as it is', () => {
  for (const text of [
    '  extension(a);\n',
    '  extension(((((\n',
    `  extension<${'x'.repeat(2000)}`,
    `  extension(${'('.repeat(5000)}`,
  ])
    expect(prepareExtensions(text)).toBe(text);
});

test('lines that end with a carriage return alone count as for language servers', async () => {
  const text = 'class A:\r  def f(self):\r    pass\r\ndef g(): pass\r# x\rdef h(): pass\n';
  expect(await outlineOf('a.py', text)).toEqual([
    'class L1 class A (to L3)',
    'method   L2 def f(self) (to L3)',
    'function L4 def g()',
    'function L6 def h()',
  ]);
  expect(textLines(text).findIndex((line) => line.text.includes('def h'))).toBe(5);
  const long = `${'// some words in a comment\r'.repeat(400)}function last() {}\r`;
  const { outline } = await readText('a.js', long);
  expect([outline.form, outline.symbols[0]?.startLine]).toEqual([undefined, 401]);
});
