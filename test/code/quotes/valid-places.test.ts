import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { straighten } from '../../../src/code/quotes/straighten.js';

/** `$` stands for the pieces: valid ones with curly quotes of all kinds, and one that is damaged. */
interface Kind {
  readonly path: string;
  readonly frame?: string;
  readonly valid: readonly string[];
  readonly damaged: readonly (readonly [curly: string, straight: string])[];
}

const ECMA = {
  valid: [
    'const b = "it’s “fine”";',
    "const c = '“x” ‘y’';",
    '// “comment” it’s',
    '/* ‘one’ “two”\n “three” */',
    'const re = /“(.*)”/;',
    'const r2 = x.replace(/[“”]/g, "“");',
    'const t = `x “y” ${f("“z”")} ‘w’`;',
    'const e = "“keep”";',
    'const g = "" + "“" + "”" + "";',
  ],
  damaged: [
    ['const a = “hi”;', 'const a = "hi";'],
    ['f(‘hi’);', "f('hi');"],
    ['const q = `x ${‘y’}`;', "const q = `x ${'y'}`;"],
    ['const d = “it’s”;', 'const d = "it’s";'],
    ['const o = { “k”: ‘v’ };', 'const o = { "k": \'v\' };'],
  ],
} as const;
const C = {
  valid: [
    'const char *b = "say “fine” now";',
    '// “c” it’s',
    '/* “x”\n ‘y’ */',
    'const char *e = "“keep”";',
    'const char *j = "a" "“b”" "c";',
  ],
  damaged: [['const char *a = “hi”;', 'const char *a = "hi";']],
} as const;

const KINDS: readonly Kind[] = [
  { path: 'a.ts', ...ECMA },
  { path: 'a.js', ...ECMA },
  { path: 'a.tsx', ...ECMA, valid: [...ECMA.valid, 'const p = <p title="“a”">It’s “b”</p>;'] },
  { path: 'a.jsx', ...ECMA, valid: [...ECMA.valid, 'const p = <p title="“a”">It’s “b”</p>;'] },
  {
    path: 'a.py',
    valid: [
      'c = "“keep”"',
      'd = "a “b” c"',
      'e = "don’t “x”"',
      "f = '“' + '”'",
      'g = f"“x” {h} ‘y’"',
      '# “c” it’s',
      'i = """“doc”\nit’s\n"""',
      'j = r"[“”]"',
      'def k():\n    """Say “no”."""\n    return "a “b” c"',
    ],
    damaged: [
      ['a = “hi”', 'a = "hi"'],
      ['print(‘hi’)', "print('hi')"],
      ['q = {“k”: “it’s”}', 'q = {"k": "it’s"}'],
      ['z = “““doc”””', 'z = """doc"""'],
    ],
  },
  {
    path: 'a.go',
    frame: 'package a\n\n$\n',
    valid: ['var b = "say “fine”"', 'var c = `“raw” ‘x’`', '// “c” it’s', '/* “x” */', "var d = '“'", 'var e = "“keep”"'],
    damaged: [
      ['var a = “hi”', 'var a = "hi"'],
      ['var f = ‘x’', "var f = 'x'"],
    ],
  },
  {
    path: 'A.java',
    frame: 'class A {\n$\n}\n',
    valid: [
      'String b = "don’t “x”";',
      "char c = '“';",
      '// “c” it’s',
      '/** ‘x’ “y” */',
      'String e = "“keep”";',
      'String t = """\n  “x”\n  """;',
    ],
    damaged: [
      ['String a = “hi”;', 'String a = "hi";'],
      ['char d = ‘x’;', "char d = 'x';"],
    ],
  },
  {
    path: 'a.rb',
    valid: [
      'b = "it’s “fine”"',
      "c = '“x”'",
      '# “c”',
      'd = /“x”/',
      'e = %w[“a” ‘b’]',
      'f = "“keep”"',
      'g = %q(“x”)',
      'h = <<~T\n  “x” it’s\nT',
      'i = "a #{j("“")} ”"',
    ],
    damaged: [
      ['a = “hi”', 'a = "hi"'],
      ['k(‘x’)', "k('x')"],
    ],
  },
  {
    path: 'a.rs',
    frame: 'fn main() {\n$\n}\n',
    valid: [
      'let b = "say “fine” now";',
      "let c = '“';",
      '// “c” it’s',
      '/* “x” */',
      'let d = r#"“x” "y""#;',
      'let e = "“keep”";',
    ],
    damaged: [
      ['let a = “hi”;', 'let a = "hi";'],
      ['let f: &’static str = “x”;', 'let f: &\'static str = "x";'],
    ],
  },
  {
    path: 'a.kt',
    valid: [
      'val b = "say “fine” now"',
      "val c = '“'",
      '// “c” it’s',
      'val d = """“x” ‘y’"""',
      'val e = "“keep”"',
      'val f = "“${g("“")}”"',
    ],
    damaged: [['val a = “hi”', 'val a = "hi"']],
  },
  {
    path: 'a.cs',
    frame: 'class A {\n$\n}\n',
    valid: [
      'string b = "say “fine” now";',
      "char c = '“';",
      '// “c” it’s',
      'string d = @"“x” ‘y’";',
      'string e = $"“{f}”";',
      'string g = "“keep”";',
    ],
    damaged: [['string a = “hi”;', 'string a = "hi";']],
  },
  {
    path: 'a.php',
    frame: '<?php\n$\n',
    valid: [
      '$b = "it’s “fine”";',
      "$c = '“x”';",
      '// “c”',
      '# it’s',
      '$d = <<<T\n“x”\nT;',
      '$e = "“keep”";',
      '?><p>“x” it’s</p><?php',
    ],
    damaged: [['$a = “hi there”;', '$a = "hi there";']],
  },
  { path: 'a.c', ...C },
  { path: 'a.cpp', ...C, valid: [...C.valid, 'auto r = R"(“x”)";'] },
  {
    path: 'a.swift',
    valid: [
      'let b = "say “fine” now"',
      '// “c” it’s',
      'let d = #"“x”"#',
      'let e = "“keep”"',
      'let f = """\n“x”\n"""',
      'let g = "“\\(h)”"',
    ],
    damaged: [['let a = “hi”', 'let a = "hi"']],
  },
  {
    path: 'a.scala',
    frame: 'object A {\n$\n}\n',
    valid: ['val b = "say “fine” now"', "val c = '“'", '// “c” it’s', 'val d = """“x”"""', 'val e = "“keep”"', 'val f = s"“$g”"'],
    damaged: [['val a = “hi”', 'val a = "hi"']],
  },
  {
    path: 'a.sh',
    valid: ['b="it’s “fine”"', "c='“x”'", '# “c” it’s', 'echo “word” it’s', 'cat <<E\n“x” it’s\nE', 'echo "“keep”"'],
    damaged: [['a=(“x ) y” )', 'a=("x ) y" )']],
  },
  {
    path: 'a.css',
    valid: ['.b::before { content: "“"; }', '/* it’s “x” */', ".c { content: '“x”'; }", '.d { content: "“keep”"; }'],
    damaged: [['.a { background: url(x.png) “hi;” ; }', '.a { background: url(x.png) "hi;" ; }']],
  },
  {
    path: 'a.json',
    frame: '{\n$\n"z": 0 }\n',
    valid: ['"b": "it’s “fine”",', '"“c”": 1,', '// “c” it’s', '/* ‘x’ */', '"d": ["“keep”", "”"],'],
    damaged: [
      ['“a”: “hi”,', '"a": "hi",'],
      ['"e": “it’s”,', '"e": "it’s",'],
    ],
  },
];

describe('a valid file with one damaged place', () => {
  for (const { path, frame = '$\n', valid, damaged } of KINDS) {
    const pieces = fc.shuffledSubarray([...valid], { minLength: 0 });
    const file = (parts: readonly string[]) => frame.replace('$', () => parts.join('\n'));

    it(`has nothing changed while it is valid: ${path}`, async () => {
      for (const parts of [valid, valid.toReversed()]) {
        const text = file(parts);
        expect(await straighten(path, undefined, text)).toEqual({ text, replaced: [], unsure: [] });
      }
    });

    it(`has nothing changed where the damage has nothing to do with quotes: ${path}`, async () => {
      for (const damage of [') ] (', '= = (', '{ ('])
        for (const at of [0, 2, valid.length]) {
          const text = file(valid.toSpliced(at, 0, damage));
          expect((await straighten(path, undefined, text)).text).toBe(text);
        }
    });

    it(`has that place straightened and no other byte changed: ${path}`, async () => {
      let straightened = 0;
      await fc.assert(
        fc.asyncProperty(pieces, fc.constantFrom(...damaged), fc.nat(), async (parts, [curly, straight], where) => {
          const at = where % (parts.length + 1);
          const whole = (piece: string) => file(parts.toSpliced(at, 0, piece));
          const { text, replaced } = await straighten(path, undefined, whole(curly));
          // A place that the parser cannot make out may stay, but nothing else may change.
          expect([whole(curly), whole(straight)]).toContain(text);
          expect(replaced.length > 0).toBe(text !== whole(curly));
          if (text === whole(straight)) straightened++;
        }),
        { numRuns: 25, seed: 7 },
      );
      expect(straightened).toBeGreaterThan(20);
    });
  }
});
