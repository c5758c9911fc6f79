/** Declarations in blocks, `using`, extension members, and texts whose lines end with a carriage return alone. */
import { expect, test } from 'vitest';
import { prepareExtensions } from '../../../src/code/languages/shared/csharp-prepare.js';
import { textLines } from '../../../src/code/lsp/positions.js';
import { entriesOf, entryLine, isDetail } from '../../../src/code/outline/outline-text.js';
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

test('Python: decorators stand before what they are on, long ones cut, and a property is no detail', async () => {
  const text = `@dataclass(frozen=True)
class A:
    x: int
    @property
    def p(self) -> int: pass
    @p.setter
    def p(self, v): pass
    @app.route("/a/b", methods=["GET", "POST", "PUT", "DELETE", "OPTIONS"])
    def q(self): pass
@a
@b
@c
@d
@e
def f(): pass
@pytest.fixture(
    scope="x",  # why
)
def g(): pass
@ unusual . name
async def h(): pass
`;
  expect(await outlineOf('a.py', text)).toEqual([
    'class L2 @dataclass(frozen=True) class A (to L9)',
    'property   L3 x: int',
    'property   L5 @property def p(self) -> int',
    'property   L7 @p.setter def p(self, v)',
    'method   L9 @app.route(…) def q(self)',
    'function L15 @a @b @c @d @… def f()',
    'function L19 @pytest.fixture(…) def g()',
    'function L21 @unusual . name async def h()',
  ]);
  const { outline } = await readText('a.py', text);
  expect(entriesOf(outline.symbols).map(isDetail)).toEqual([false, true, false, false, false, false, false, false]);
});

test('PHP: parameters that are only readonly are properties', async () => {
  const text = `<?php
#[Attr] readonly class A {
  public function __construct(readonly string $q = 'x', private readonly int $a, readonly private ?B $c = null,
    #[Deep] readonly \\A|(B&C)|null $d, int $plain, protected readonly array $e = []) {}
  #[Other] readonly string $own;
  function f($readonly, string $s = 'a, readonly b $c') {}
}
`;
  expect(await outlineOf('a.php', text)).toEqual([
    expect.stringMatching(/^class L2 readonly class A/),
    expect.stringMatching(/^constructor {3}L3 public function __construct\(readonly string \$q = 'x', /),
    'property   L3 readonly string $q',
    'property   L3 private readonly int $a',
    expect.stringMatching(/^property {3}L3 .*private \?B \$c$/),
    'property   L4 readonly \\A|(B&C)|null $d',
    'property   L4 protected readonly array $e',
    'property   L5 readonly string $own',
    "method   L6 function f($readonly, string $s = 'a, readonly b $c')",
  ]);
});

test('Go: groups of one line, and what an interface embeds', async () => {
  const text = `package a

const ( One = iota; Two; Three )
var ( x = f(1); y int )
type I interface {
	fmt.Stringer
	List[int]
	~int | ~string
	comparable
	M()
}
`;
  expect(await outlineOf('a.go', text)).toEqual([
    'const L3 const One = iota',
    'const L3 const Two',
    'const L3 const Three',
    'var L4 var x = f(1)',
    'var L4 var y int',
    'interface L5 type I interface (to L11)',
    'field   L6 fmt.Stringer',
    'field   L7 List[int]',
    'field   L8 ~int | ~string',
    'field   L9 comparable',
    'method   L10 M()',
  ]);
});

test('Kotlin: bodies of one line, with nothing between their members', async () => {
  const text = `class D(val a: Int) : Base(), I by x { companion object Named { const val K = 1; fun make() = D(1) } init { } constructor(x: String) : this(1) { } val p: Int get() = 1; inner class In { fun f() {} } }
class F { var y by lazy { 1 } private set
  val s = "\${a} val z"
}
class G { companion object { } override fun a() { } abstract inner class Q { } }
`;
  expect((await outlineOf('a.kt', text)).map((line) => line.replace(/^(\S+) +L\d+ /, '$1 '))).toEqual([
    'class class D(val a: Int) : Base(), I by x',
    'property val a: Int',
    'object companion object Named',
    'const const val K = 1',
    'method fun make()',
    'constructor constructor(x: String)',
    'property val p: Int',
    'class inner class In',
    'method fun f()',
    'class class F (to L4)',
    'property var y',
    'property val s',
    'class class G',
    'object companion object',
    'method override fun a()',
    'class abstract inner class Q',
  ]);
});
