/** `@rename` by the parsers alone: what is code in each language, what stays, and what is refused as a whole. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { renameAtom } from '../../../src/tools/atoms/rename.js';
import type { JsonObject } from '../../../src/types/json.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench | undefined;
afterEach(() => {
  bench?.remove();
  bench = undefined;
});

async function renamed(files: Record<string, string | Buffer>, args: JsonObject) {
  bench?.remove();
  const made = await makeBench();
  bench = made;
  const at = (name: string) => join(made.workspace.root, name);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  }
  const result = await made.run(renameAtom, args);
  const after = Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(at(name), 'utf8')]));
  return { result, after, bytes: (name: string) => readFileSync(at(name)) };
}

/** `old` stands where it becomes `fresh`, `OLD` where it stays `old`; `{old: fresh}` and the like are written out by `[[before|after]]`. */
const before = (text: string) => text.replaceAll('OLD', 'old').replace(/\[\[(.*?)\|(.*?)\]\]/g, '$1');
const afterwards = (text: string) =>
  text
    .replace(/\[\[(.*?)\|(.*?)\]\]/g, (_, __, second: string) => second.replaceAll('old', 'OLD'))
    .replace(/\bold\b/g, 'fresh')
    .replaceAll('OLD', 'old');

async function check(files: Record<string, string>, args: JsonObject = {}) {
  const given = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, before(text)]));
  const wanted = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, afterwards(text)]));
  const { result, after } = await renamed(given, { old: 'old', new: 'fresh', ...args });
  expect.soft(after, result.output).toEqual(wanted);
  expect.soft(result.isError, result.output).toBe(false);
  return result;
}

describe('functions, types and variables of a file', () => {
  it('JavaScript and TypeScript: imports, exports, short properties, templates, elements', async () => {
    const result = await check({
      'src/a.ts':
        'export function old(a: number) { return a; } // OLD\nexport const s = `OLD ${old(1)} OLD`;\nconst o = { [[old|old: fresh]], OLD: old, x: "OLD" };\nexport const t = o.OLD;\nexport { old as other };\n',
      'src/b.ts':
        "import { old } from './a.js';\nimport { old as mine } from './a.js';\nexport { old } from './a';\nmine(old(2));\nold: for (;;) break old;\n".replace(
          /old: for.*\n/,
          'OLD: for (;;) break OLD;\n',
        ),
      'src/c.tsx':
        'import * as all from \'./a\';\nexport const E = () => <div title={String(all.old(1))} data-x="OLD">{all.old(2)} OLD</div>;\n',
      'src/d.ts': "import { OLD } from 'somewhere';\nOLD();\n",
      'src/e.ts': 'function f(OLD: number) { return OLD; }\nexport const g = f(1);\n'.replaceAll('OLD', 'x'),
      'src/f.cjs': "const { old } = require('./a');\nconst a = require('./a');\nmodule.exports = { old, y: a.old };\n",
    });
    expect(result.output).toMatch(/^Renamed old -> fresh: \d+ places in 4 files\./);
    expect(result.output).toContain('By parser: by name, not by scope. 1 declaration: src/a.ts:1 (function).');
    expect(result.output).toContain('src/d.ts:1 (imported from elsewhere)');
    expect(result.output).toMatch(/Left in strings, comments and the like: src\/a\.ts:1, /);
    expect(result.display).toMatchObject({ kind: 'diff' });
    expect(result.changed).toHaveLength(4);
  });

  it('a type and an element', async () => {
    await check({
      'a.tsx':
        'export interface old { a: string }\nexport class B implements old { a = "OLD" }\nexport const x: Array<old> = [];\n',
      'b.ts':
        "import type { old } from './a';\nexport type T = old | Map<string, old>;\nexport const y = {} as unknown as import('./a').old;\n",
    });
    await check({ 'a.jsx': 'export const old = () => null;\nexport const b = <old x="OLD"><i OLD={1} /></old>;\n' });
  });

  it('Python: imports, f-strings, keyword arguments of others stay', async () => {
    await check({
      'pkg/__init__.py': '',
      'pkg/a.py':
        'def old(x):\n    """OLD"""\n    return x  # OLD\n\nprint(f"{old(1)} OLD {old!r}")\nother(OLD=1)\nthing.OLD = 2\n',
      'pkg/b.py': 'from pkg.a import old\nfrom . import a\nimport pkg.a as m\nprint(old(1), a.old(2), m.old(3))\n',
      'pkg/c.py': 'from .a import old as o, old\nfrom elsewhere import z\nz(o, old)\n',
      'pkg/d.py': 'from other_lib import OLD\nOLD()\n',
    });
  });

  it('Python: a parameter, with the arguments of its function', async () => {
    await check({
      'a.py': 'def f(old, b=1):\n    return old + b\n\nf(old=2)\ng(OLD=3)\nclass K:\n    def m(self):\n        return self.OLD\n',
    });
  });

  it('Go: a package, its tests and those that import it; fields, labels and strings stay', async () => {
    await check(
      {
        'go.mod': 'module m\n',
        'p/a.go':
          'package p\n\n// OLD\nfunc old(x int) int { return x }\n\ntype T struct{ OLD int }\n\nvar v = T{OLD: old(1)}\n\nfunc f() string {\nOLD:\n\tfor {\n\t\tbreak OLD\n\t}\n\t_ = v.OLD\n\treturn "OLD"\n}\n',
        'p/a_test.go': 'package p\n\nimport "testing"\n\nfunc TestA(t *testing.T) { _ = old(2) }\n',
        'q/b.go': 'package q\n\nimport "m/other"\n\nvar x = other.OLD\n',
      },
      { kind: 'function' },
    );
    await check({
      'p/a.go': 'package p\n\ntype old struct{}\n',
      'q/b.go': 'package q\n\nimport z "m/p"\n\nvar x z.old\n\nfunc g(a []*z.old) map[string]z.old { return nil }\n',
    });
  });

  it('Rust, Java, Kotlin, C#, PHP, Ruby, C, C++, shell, Scala, Swift', async () => {
    await check({
      'src/a.rs':
        'pub fn old(x: i32) -> i32 { x } // OLD\npub fn g() { let t = T { old: 1 }; println!("OLD {}", old(1)); }\n'.replace(
          'T { old',
          'T { OLD',
        ),
      'src/b.rs': 'use crate::a::old;\nfn h() { old(2); crate::a::old(3); other::OLD(); x.OLD(); }\n',
    });
    await check({
      'p/old.java': 'package p;\nclass old { old() {} static int f(String s) { return 1; } /* OLD */ }\n',
      'p/B.java': 'package p;\nclass B { old x = new old(); String s = "OLD"; int y = old.f("OLD"); }\n',
      'q/C.java': 'package q;\nimport p.old;\nclass C extends old {}\n',
    });
    await check({
      'a.kt':
        'package p\nfun old(x: Int): String = "OLD $x"\nfun g() { OLD@ for (i in 1..2) break@OLD; println("${old(1)} OLD"); h(OLD = 1); x.OLD }\n'.replace(
          '"OLD $x"',
          '"OLD $x"',
        ),
    });
    await check({ 'a.cs': 'class old { }\nclass B { old x = new old(); string s = $"OLD {nameof(old)}"; }\n' });
    await check(
      { 'a.php': '<?php\nfunction old($OLD) { return "OLD $OLD"; }\necho old(1) . $x->OLD . A::OLD;\n' },
      { kind: 'function' },
    );
    await check(
      { 'a.php': '<?php\nfunction f($old) { OLD(); return "x $old {$old}"; }\nclass A { public $OLD; }\n' },
      { old: '$old', new: '$fresh', kind: 'variable' },
    );
    await check({ 'a.rb': 'def old(x)\n  "OLD #{x}"\nend\nputs "#{old(1)}", :OLD\n' });
    await check({
      'a.h': 'int old(int x);\n',
      'a.c': '#include "a.h"\n/* OLD */ int old(int x) { return x; }\nint main(void) { s.OLD = 1; return old(2); }\n',
    });
    await check({ 'a.cpp': 'namespace n { int old(int x) { return x; } }\nint main() { return n::old(1) + a.OLD; } // OLD\n' });
    await check({ 'a.sh': 'old() { echo "OLD $1"; }\nold a; echo OLD\nx=$(old b)\n' });
    await check({
      'a.scala':
        'object A { val k = 1 }\nclass old(x: Int)\nobject B { val y: old = new old(1); val z = s"OLD ${new old(2)}" }\n',
    });
    await check({ 'a.swift': 'func old(x: Int) -> Int { return x }\nlet y = "OLD \\(old(x: 1))"\n' });
  });
});

describe('members', () => {
  it('JavaScript and TypeScript: keys, attributes, short forms the other way round', async () => {
    const result = await check({
      'a.tsx':
        'export interface P { old: string }\nexport function F({ [[old|fresh: old]] }: P) { return <F old={OLD} />; }\nconst p: P = { old: "OLD" };\nconst { old: q } = p;\nconst { [[old = 1|fresh: old = 1]] } = p;\nuse({ [[old|fresh: old]] }, p.old, p?.old);\n',
    });
    expect(result.output).toMatch(/Every \.old was taken for this member/);
  });

  it('Go, Python, Rust, Java, C++, Ruby', async () => {
    await check(
      {
        'p/a.go':
          'package p\n\ntype T struct{ old int }\n\nfunc (t *T) M() int { OLD := t.old; return OLD }\n\nvar v = T{old: 1}\nvar m = map[string]int{OLD: 1}\n\nconst OLD = "k"\n',
      },
      { kind: 'member' },
    );
    await check({ 'a.py': 'class K:\n    def old(self):\n        return self.old() + OLD(1)\n\nK().old()\n' });
    await check({
      'a.py': 'class K:\n    def __init__(self, x):\n        self.old = x\n    def g(self):\n        return f"{self.old} OLD"\n',
    });
    await check(
      {
        'a.rs':
          'struct T { old: i32 }\nfn f(OLD: i32) -> T { T { [[old|fresh: old]] } }\nfn g(t: T) { let T { [[old|fresh: old]] } = t; t.old; T { old: 1 }; }\n',
      },
      { kind: 'member' },
    );
    await check(
      { 'A.java': 'class A { int old; int f(A a) { return old + this.old + a.old; } int g(int OLD) { return OLD; } }\n' },
      { kind: 'member' },
    );
    await check({
      'a.cpp':
        'struct A { int old(int x); };\nint A::old(int x) { return x; }\nint g(A* a, A b) { return a->old(1) + b.old(2); }\n',
    });
    await check({ 'a.rb': 'class A\n  attr_reader :old\n  def initialize(x)\n    @old = x\n  end\nend\nA.new(1).old\n' });
  });
});

describe('what is refused, with nothing changed', () => {
  const no = async (files: Record<string, string | Buffer>, args: JsonObject, code: string, words: RegExp) => {
    const { result, bytes } = await renamed(files, { old: 'old', new: 'fresh', ...args });
    expect(result.isError, result.output).toBe(true);
    expect(result.code, result.output).toBe(code);
    expect(result.output).toMatch(words);
    for (const [name, content] of Object.entries(files)) expect(bytes(name).equals(Buffer.from(content))).toBe(true);
  };

  it('names that are none, and words of a language', async () => {
    const py = { 'a.py': 'old = 1\n' };
    for (const bad of ['a b', '1x', 'a.b', "x'; rm", 'old']) await no(py, { new: bad }, 'InvalidArgs', /at \/new/);
    await no(py, { new: 'lambda' }, 'InvalidArgs', /"lambda" is a word of the language itself in a\.py/);
    await no(py, { new: 'a$b' }, 'InvalidArgs', /not an identifier in a\.py/);
    await no({ 'a.go': 'package p\n\nvar old = 1\n' }, { new: 'func' }, 'InvalidArgs', /a\.go/);
    expect((await renamed({ 'a.ts': 'interface P { old: 1 }\n' }, { old: 'old', new: 'delete' })).result.isError).toBe(false);
  });

  it('a name that is not declared, with names like it', async () => {
    await no(
      { 'a.py': 'def parse_user():\n    pass\n' },
      { old: 'parse_usr' },
      'NotFound',
      /not declared in the workspace\. Declared names like it: parse_user/,
    );
    await no({ 'a.ts': 'console.log(old);\n' }, {}, 'NotFound', /It is used at:\n- a\.ts:1/);
  });

  it('several declarations, until one is named', async () => {
    const files = {
      'a.ts': 'export const old = 1;\n',
      'b.ts': 'export const old = 2;\nconsole.log(old);\n',
      'c.ts': "import { old } from './b';\nold;\n",
    };
    await no(files, {}, 'InvalidArgs', /2 declarations of old[\s\S]*- a\.ts:1 \(variable\)\n- b\.ts:1 \(variable\)/);
    const { after, result } = await renamed(files, { old: 'old', new: 'fresh', file: 'b.ts' });
    expect(after, result.output).toEqual({
      'a.ts': files['a.ts'],
      'b.ts': 'export const fresh = 2;\nconsole.log(fresh);\n',
      'c.ts': "import { fresh } from './b';\nfresh;\n",
    });
    await no(
      { 'a.ts': 'class A { old() {} }\nclass B { old() {} }\nx.old();\n' },
      { file: 'a.ts', line: 1 },
      'InvalidArgs',
      /whose member/,
    );
  });

  it('a local name is told from another by its line', async () => {
    const text = 'function f(old) {\n  return old;\n}\nfunction g() {\n  const old = 1;\n  return () => old;\n}\n';
    await no({ 'a.js': text }, {}, 'InvalidArgs', /a\.js:1 \(parameter of f\)\n- a\.js:5 \(local variable\)/);
    const { after } = await renamed({ 'a.js': text }, { old: 'old', new: 'fresh', file: 'a.js', line: 5 });
    expect(after['a.js']).toBe(text.replace('const old', 'const fresh').replace('=> old', '=> fresh'));
  });

  it('a new name that already means something there', async () => {
    await no({ 'a.ts': 'const old = 1;\nconst fresh = 2;\n' }, {}, 'Conflict', /- a\.ts:2/);
    await no({ 'a.ts': 'const old = 1;\nfunction f(fresh: number) { return fresh + old; }\n' }, {}, 'Conflict', /- a\.ts:2/);
    await no(
      { 'a.ts': 'export const old = 1;\n', 'b.ts': "import { old } from './a';\nfresh(old);\n" },
      {},
      'Conflict',
      /- b\.ts:2/,
    );
    await no({ 'a.go': 'package p\n\nvar old = 1\n', 'b.go': 'package p\n\nfunc fresh() {}\n' }, {}, 'Conflict', /- b\.go:3/);
    await no({ 'a.py': 'class K:\n    def old(self): pass\n    def fresh(self): pass\n' }, {}, 'Conflict', /- a\.py:3/);
    // Apart from it, the name is free.
    const apart = {
      'a.ts': 'export const old = 1;\nfunction f(fresh: number) { return fresh; }\nx.fresh = { fresh: "fresh" };\n',
    };
    expect((await renamed(apart, { old: 'old', new: 'fresh' })).result.output).toMatch(/^Renamed/);
  });

  it('files with syntax errors and files that are too large', async () => {
    await no(
      { 'a.ts': 'export const old = 1;\n', 'b.ts': "import { old } from './a';\nfunction ( {{{ old\n" },
      {},
      'Failed',
      /syntax errors[\s\S]*- b\.ts:2/,
    );
    await no(
      { 'a.ts': 'export const old = 1;\n', 'big.ts': `${'// filler\n'.repeat(120_000)}old;\n` },
      {},
      'Failed',
      /big\.ts holds old but is too large/,
    );
    await no({ 'a.c': Buffer.concat([Buffer.from('int old; // '), Buffer.from([0xe9, 10])]) }, {}, 'Failed', /not plain text/);
  });

  it('what the gate does not agree to, and folders outside', async () => {
    const made = await makeBench();
    bench = made;
    const at = join(made.workspace.root, 'a.py');
    writeFileSync(at, 'old = 1\n');
    const asked: string[][] = [];
    const context = {
      ...made.context,
      mayWrite: async (paths: readonly string[]) => {
        asked.push([...paths]);
        return { ok: false as const, code: 'Denied' as const, message: 'no.' };
      },
    };
    const result = await renameAtom.run({ old: 'old', new: 'fresh' }, context);
    expect([result.code, asked, readFileSync(at, 'utf8')]).toEqual(['Denied', [[at]], 'old = 1\n']);
    expect((await made.run(renameAtom, { old: 'old', new: 'fresh', dir: '/tmp' })).isError).toBe(true);
  });
});

describe('bytes and files', () => {
  it('keeps marks, line ends and UTF-16, with backups', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('# é\r\nold = 2\r\nprint(old)', 'utf16le')]);
    const one = await renamed({ 'a.py': '\ufeffold = 1\r\nprint("é🎉", old)\r\n' }, { old: 'old', new: 'fresh' });
    expect(one.after['a.py']).toBe('\ufefffresh = 1\r\nprint("é🎉", fresh)\r\n');
    const two = await renamed({ 'a.py': utf16 }, { old: 'old', new: 'fresh' });
    expect(two.bytes('a.py').equals(Buffer.from(utf16.toString('utf16le').replaceAll('old', 'fresh'), 'utf16le'))).toBe(true);
    expect(two.bytes('a.py.bak').equals(utf16)).toBe(true);
  });

  it('leaves generated, ignored and vendored files, and says so', async () => {
    const files = {
      '.gitignore': 'skip/\n',
      'a.py': 'old = 1\n',
      'gen.py': '# Code generated by x. DO NOT EDIT.\nold = 1\n',
      'skip/a.py': 'old = 1\n',
      'vendor/a.py': 'old = 1\n',
      'node_modules/m/a.js': 'var old = 1;\n',
    };
    const { result, after } = await renamed(files, { old: 'old', new: 'fresh' });
    expect(after).toEqual({ ...files, 'a.py': 'fresh = 1\n' });
    expect(result.output).toMatch(/Left in 1 generated file: gen\.py\.[\s\S]*Ignored and vendored files were not looked at/);
  });

  it('a preview shows the diff and changes nothing', async () => {
    const { result, after } = await renamed({ 'a.py': 'old = 1\n' }, { old: 'old', new: 'fresh', preview: true });
    expect(after['a.py']).toBe('old = 1\n');
    expect(result.output).toMatch(/^Preview, nothing was changed[\s\S]*-old = 1\n\+fresh = 1/);
    expect(renameAtom.facts({ old: 'a', new: 'b', preview: true })).toMatchObject({ readOnly: true });
    expect(renameAtom.facts({ old: 'a', new: 'b' })).toMatchObject({ readOnly: false, order: 'alone', edits: true });
  });
});
