/** A text with a fault still lists what stands before and after it, in every language whose parser would lose it. */
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/code/languages/registry.js';
import { readSource } from '../../../src/code/outline/outline-source.js';
import { entriesOf, entryLine } from '../../../src/code/outline/outline-text.js';

async function outline(id: string, text: string) {
  const language = LANGUAGES.find((one) => one.id === id);
  const read = language && (await readSource(language, text, { links: true }));
  return { lines: entriesOf(read?.outline.symbols ?? []).map(entryLine), read };
}
const lines = async (id: string, text: string) => (await outline(id, text)).lines;

describe('broken declarations', () => {
  it('Go: a header without its end, a brace that is missing', async () => {
    const head =
      'package a\ntype First struct { a int }\nfunc broken( {\ntype Second struct { b int }\nfunc third() {}\nfunc (s Second) M() {}\n';
    expect(await lines('go', head)).toEqual([
      ...['L2 type First struct', '  L2 a int', 'L3 func broken(', 'L4 type Second struct', '  L4 b int'],
      ...['L5 func third()', 'L6 func (s Second) M()'],
    ]);
    expect(await lines('go', 'package a\nfunc A() {\n\tif x {\n}\nfunc B() {}\ntype T int\n')).toEqual([
      ...['L2 func A() (to L4)', 'L5 func B()', 'L6 type T int'],
    ]);
  });

  it('TypeScript and JavaScript', async () => {
    const text = 'class First { a() {} }\nfunction broken( {\nclass Second { b() {} }\nfunction third() {}\n';
    const rest = ['L3 class Second', '  L3 b()', 'L4 function third()'];
    expect(await lines('typescript', text)).toEqual(['L1 class First', '  L1 a()', 'L2 function broken(', ...rest]);
    expect(await lines('javascript', text)).toEqual(['L1 class First', '  L1 a()', ...rest]);
    const open =
      'function a() {\n  if (x) {\n}\n@Dec()\nexport class C {\n  m() {\n    if (y) {\n  }\n  n() {}\n}\nconst d = 1;\n';
    expect(await lines('typescript', open)).toEqual([
      ...['L1 function a() (to L3)', 'L5 export class C (to L10)', '  L6 m() (to L9)', 'L11 const d = 1'],
    ]);
  });

  it('Ruby: a method that is not closed does not lose its class', async () => {
    const text = 'class A\n  def bad(\n  end\n  def other\n  end\nend\nclass B\n  def c; end\nend\n';
    expect(await lines('ruby', text)).toEqual([
      ...['L1 class A (to L6)', '  L2 def bad(end (to L6)', 'L7 class B (to L9)', '  L8 def c'],
    ]);
  });

  it('Scala, shell, Rust', async () => {
    expect(await lines('scala', 'def broken( = {\nclass Second { def b = 1 }\ndef third = 1\nobject Fifth\n')).toEqual([
      ...['L1 def broken', 'L2 class Second', '  L2 def b', 'L3 def third', 'L4 object Fifth'],
    ]);
    expect(await lines('shell', 'first() { echo "unterminated; }\nsecond() { :; }\nfunction third { :; }\n')).toEqual([
      ...['L2 second()', 'L3 function third'],
    ]);
    expect(await lines('rust', 'fn a() {\n  if x {\n}\nfn b() {}\n')).toEqual(['L1 fn a() (to L3)', 'L4 fn b()']);
  });

  it('the line of a fault is where it begins, not where the file does', async () => {
    for (const [id, text] of [
      ['swift', `func real() {}\n\nx = ${'{'.repeat(500)}`],
      ['c', 'int a(void) { return 1; }\nint b;\n)))) } {{{ ('],
      ['php', '<?php\nfunction a() {}\nx = {{{{'],
    ] as const) {
      const { read, lines: found } = await outline(id, text);
      expect([id, read?.outline.errorLine]).toEqual([id, 3]);
      expect(found.length, id).toBeGreaterThan(0);
    }
  });

  it('shows characters that nobody sees', async () => {
    expect(await lines('typescript', 'export function x\u200bz(a = "\u202e") {}\n')).toEqual([
      'L1 export function x\\u200bz(a = "\\u202e")',
    ]);
  });

  it('heads that grammars or line breaks cut up', async () => {
    expect(await lines('kotlin', 'class A\ncontext(Foo) fun ctx() {}\ncontext(Bar, Baz)\nfun two() {}\n')).toEqual([
      ...['L1 class A', 'L2 fun ctx()', 'L4 fun two()'],
    ]);
    expect(await lines('python', 'class A:\n  def \\\n    weird(self, a):\n    pass\n')).toEqual([
      ...['L1 class A (to L4)', '  L2 def weird(self, a) (to L4)'],
    ]);
    expect(await lines('swift', 'func top(@Builder _ a: Int, @B x: Int) {}\n')).toEqual(['L1 func top(_ a: Int, x: Int)']);
  });

  it('what is no fault is not taken apart, and imports and names are counted once', async () => {
    const text =
      'const a = `\nfunction inText() {}\n`;\nimport { x } from "./x.js";\nfunction b() { x(); }\nfunction c( {\nclass D {}\n';
    const { lines: found, read } = await outline('typescript', text);
    expect(found).toEqual(['L1 const a (to L3)', 'L5 function b()', 'L6 function c(', 'L7 class D']);
    expect(read?.links?.imports.map(({ source }) => source)).toEqual(['./x.js']);
    expect(read?.links?.references.get('x')).toBe(2);
    expect(read?.outline.errorLine).toBeGreaterThan(5);
  });
});
