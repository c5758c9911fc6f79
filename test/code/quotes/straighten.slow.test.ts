import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertedQuotes, STRAIGHT } from '../../../src/code/quotes/inserted.js';
import { straighten } from '../../../src/code/quotes/straighten.js';

const text = async (path: string, after: string, before?: string) => (await straighten(path, before, after)).text;

describe('curly quotes that keep a file from being parsed', () => {
  const BROKEN: readonly (readonly [path: string, curly: string, straight: string])[] = [
    ['a.ts', 'const a: string = “x”;\n', 'const a: string = "x";\n'],
    ['a.tsx', 'const a = <p title=“x”>b</p>;\n', 'const a = <p title="x">b</p>;\n'],
    ['a.js', 'f(‘x’, “y”);\n', 'f(\'x\', "y");\n'],
    ['a.py', 'print(“hi”)\nx = ‘y’\n', 'print("hi")\nx = \'y\'\n'],
    ['a.go', 'package a\n\nvar s = “x”\nvar r = ‘x’\n', 'package a\n\nvar s = "x"\nvar r = \'x\'\n'],
    ['A.java', 'class A { String s = “x”; char c = ‘y’; }\n', 'class A { String s = "x"; char c = \'y\'; }\n'],
    ['a.rs', 'fn a() -> &’static str { “x” }\n', 'fn a() -> &\'static str { "x" }\n'],
    [
      'a.c',
      '#include <stdio.h>\nint main(void) { puts(“x”); return ‘a’; }\n',
      '#include <stdio.h>\nint main(void) { puts("x"); return \'a\'; }\n',
    ],
    ['a.kt', 'val s = “x”\n', 'val s = "x"\n'],
    ['a.cs', 'class A { string s = “x”; }\n', 'class A { string s = "x"; }\n'],
    ['a.swift', 'let s = “x”\n', 'let s = "x"\n'],
    ['a.json', '{“a”: “b”, "c": [“d”]}\n', '{"a": "b", "c": ["d"]}\n'],
    ['tsconfig.json', '{\n  // it’s a comment\n  “a”: 1,\n}\n', '{\n  // it’s a comment\n  "a": 1,\n}\n'],
  ];
  for (const [path, curly, straight] of BROKEN)
    it(`become straight: ${path}`, async () => expect(await text(path, curly)).toBe(straight));

  it('become straight without those in the same string', async () => {
    expect(await text('a.py', 'print(“it’s fine”)\n')).toBe('print("it’s fine")\n');
    expect(await text('a.ts', 'const a = “he said ‘no’”; // don’t\n')).toBe('const a = "he said ‘no’"; // don’t\n');
    expect(await text('a.json', '{“a”: "it’s ‘b’"}\n')).toBe('{"a": "it’s ‘b’"}\n');
  });

  it('are told with their lines', async () => {
    const found = await straighten('a.py', undefined, 'a = 1\nb = “x”\nc = "“"\nd = ‘y’\n');
    expect(found).toEqual({ text: 'a = 1\nb = "x"\nc = "“"\nd = \'y\'\n', replaced: [2, 4], unsure: [] });
  });

  it('become straight in pairs or not at all, and what stays is named', async () => {
    for (const half of ['x = “hi"\n', 'x = "hi”\n', 'f(“a, “b”)\n', 'x = ”a“\n', 'x = “a\n']) {
      const found = await straighten('a.py', undefined, half);
      expect(found).toEqual({ text: half, replaced: [], unsure: [1], reason: 'unclear' });
    }
    expect(await text('a.py', 'x = „hi“\n')).toBe('x = "hi"\n');
  });

  it('become straight in a file that is broken elsewhere too', async () => {
    expect(await text('a.ts', 'const a = ;\n\nconst b = “x”;\n\nfunction (\n')).toContain('const b = "x";');
  });
});

describe('curly quotes that are valid', () => {
  const VALID: readonly (readonly [path: string, text: string])[] = [
    ['a.ts', 'const a = "“x”"; // “y”\n/* ‘z’ */\nconst b = `it’s`;\n'],
    ['a.py', '"""Don’t say “never”."""\nx = \'“\'\n'],
    ['a.go', 'package a\n\n// it’s\nvar s = `“raw”`\n'],
    ['a.sh', 'echo "it’s"\n'],
    ['a.css', '.a::before { content: "“"; }\n/* it’s */\n'],
    ['a.json', '{"a": "“b”"}\n'],
    ['a.md', 'He said “no”.\n'],
    ['a.txt', '“x”\n'],
    ['noname', '“x”\n'],
    ['a.tsx', 'const a = <p>It’s “fine”</p>;\n'],
  ];
  for (const [path, source] of VALID)
    it(`stay: ${path}`, async () =>
      expect(await straighten(path, undefined, source)).toEqual({ text: source, replaced: [], unsure: [] }));

  it('stay in a file that is broken for another reason', async () => {
    const source = 'const a = "“x”";\nconst b = ;\n';
    expect(await text('a.ts', source)).toBe(source);
  });
});

describe('curly quotes that stood in the file before', () => {
  it('are never touched, not even where they break it', async () => {
    const before = 'const a = “old”;\nconst b = 1;\n';
    expect(await text('a.ts', 'const a = “old”;\nconst b = “new”;\n', before)).toBe('const a = “old”;\nconst b = "new";\n');
    expect(await text('a.ts', 'const a = “old”;\nconst b = 2;\n', before)).toBe('const a = “old”;\nconst b = 2;\n');
  });

  it('are told from new ones on the same line, between changes and after moves', async () => {
    expect(await insertedQuotes('a “b” c\n', 'a “b” c “d”\n')).toEqual([8, 10]);
    expect(await insertedQuotes('x\n“old”\ny\n', 'x“1”\n“old”\ny“2”\n')).toEqual([1, 3, 12, 14]);
    expect(await insertedQuotes('x “a” y', 'z “a” w “q”')).toEqual([8, 10]);
    expect(await insertedQuotes('“a”', '“a”')).toEqual([]);
    expect(await insertedQuotes('“a”', 'b')).toEqual([]);
    expect(await insertedQuotes(undefined, '“')).toEqual([0]);
  });
});

describe('files without a parser', () => {
  it('are left as they are, and the lines told', async () => {
    for (const path of ['a.lua', 'b.sql', 'Makefile', 'c.yaml', 'd.toml'])
      expect(await straighten(path, undefined, 'a\nx = “b”\n“c”\n')).toEqual({
        text: 'a\nx = “b”\n“c”\n',
        replaced: [],
        unsure: [2, 3],
        reason: 'no-parser',
      });
  });

  it('come to an end with many quotes: what is not replaced stays as it was', async () => {
    const many = `${'x = “a” + ‘b’ + “c\n'.repeat(1500)}`;
    const { text: after } = await straighten('a.ts', undefined, many);
    expect(after.replace(/["“”]/g, '"').replace(/['‘’]/g, "'")).toBe(many.replace(/[“”]/g, '"').replace(/[‘’]/g, "'"));
  });
});

describe('for any edit', () => {
  const quote = fc.constantFrom('“', '”', '‘', '’', '"', "'", 'x', ' = ', '\n', '// ', '(', ')', ';', 'const a', '`');
  const source = fc.array(quote, { maxLength: 30 }).map((parts) => parts.join(''));

  it('only curly quotes become their straight ones, never those of text that was kept, and never into more faults', async () => {
    await fc.assert(
      fc.asyncProperty(source, source, source, source, async (head, old, now, tail) => {
        const { text: after, replaced, unsure } = await straighten('a.ts', head + old + tail, head + now + tail);
        const whole = head + now + tail;
        expect(after.length).toBe(whole.length);
        for (let i = 0; i < whole.length; i++) if (after[i] !== whole[i]) expect(after[i]).toBe(STRAIGHT.get(whole[i] ?? ''));
        expect(after.startsWith(head)).toBe(true);
        expect(after.endsWith(tail)).toBe(true);
        expect([replaced.length > 0, unsure.every((line) => line > 0)]).toEqual([after !== whole, true]);
      }),
      { numRuns: 150 },
    );
  });
});

it('stops on the signal, before it starts and between two readings', async () => {
  const stopped = AbortSignal.abort(new Error('enough'));
  await expect(straighten('a.ts', undefined, 'let a = \u201cb\u201d;\n', stopped)).rejects.toThrow('enough');
  const controller = new AbortController();
  const many = 'let a = \u201cb\u201d + \u2018;\n'.repeat(3000);
  const work = straighten('a.ts', undefined, many, controller.signal);
  setTimeout(() => controller.abort(new Error('enough now')), 20);
  await expect(work).rejects.toThrow('enough now');
});
