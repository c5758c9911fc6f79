import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit, type Edit } from '../../../src/tools/shared/edit-apply.js';
import { wantedBytes, wantedText } from '../../../src/tools/shared/edit-view.js';

type Options = Partial<Pick<Edit, 'all' | 'expect'>>;

function edit(content: string | Buffer, search: string | Buffer, replace: string | Buffer, options: Options = {}) {
  const wanted = (value: string | Buffer) => (typeof value === 'string' ? wantedText(value) : wantedBytes(value));
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return applyEdit(bytes, { search: wanted(search), replace: wanted(replace), ...options }, 'f.txt');
}

function done(...args: Parameters<typeof edit>): string {
  const result = edit(...args);
  if (!result.ok) throw new Error(`refused: ${result.message}`);
  return result.bytes.toString('latin1');
}

function refused(...args: Parameters<typeof edit>): string {
  const result = edit(...args);
  if (result.ok) throw new Error(`done: ${JSON.stringify(result.bytes.toString())}`);
  return `${result.code}: ${result.message}`;
}

const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
};

describe('an exact edit', () => {
  it('replaces literally, the first of several, and says where the others are', () => {
    expect(done('var = X\n', 'X', "$$HOME $` $' $& $<n> \\1")).toBe("var = $$HOME $` $' $& $<n> \\1\n");
    expect(done('hello', 'hello', 'goodbye')).toBe('goodbye');
    const result = edit('a\nb\na\nb\na\n', 'a', 'A');
    expect(result).toMatchObject({ ok: true, matches: 3, exact: true });
    expect(result.ok && result.bytes.toString()).toBe('A\nb\na\nb\na\n');
    expect(result.ok && result.notes.join()).toContain('3 places (lines 1, 3, 5)');
  });

  it('obeys all and expect', () => {
    expect(done('a b a\na', 'a', 'xx', { all: true })).toBe('xx b xx\nxx');
    expect(done('a b a\na', 'a', 'xx', { expect: 3 })).toBe('xx b xx\nxx');
    expect(refused('a b a\na', 'a', 'xx', { expect: 2 })).toMatch(
      /^Failed: expected 2 matches in f.txt, found 3 \(lines 1, 1, 2\)/,
    );
    expect(refused('abc', 'x', 'y', { expect: 1 })).toMatch(/^NotFound/);
    expect(refused('aaa', 'a', 'b', { expect: 1 })).toContain('found 3');
  });

  it('does not choose among matches that overlap', () => {
    expect(refused('aaa', 'aa', 'b', { expect: 1 })).toMatch(/^Failed.*overlap/);
    expect(refused('a\nb\na\nb\na\n', 'a\nb\na\n', 'x\n', { expect: 1 })).toContain('overlap');
    expect(done('------', '--', '=', { expect: 3 })).toBe('===');
    const first = edit('aaa', 'aa', 'b');
    expect(first).toMatchObject({ ok: true, matches: 2, notes: [expect.stringContaining('overlap')] });
    expect(first.ok && first.bytes.toString()).toBe('ba');
  });

  it('is found, or not, in files of nothing but equal lines', () => {
    const rest = '\n'.repeat(3000);
    expect(refused('\n'.repeat(50_000), `${rest}x`, 'y')).toMatch(/^NotFound/);
    expect(refused('  }\n'.repeat(50_000), `${'}\n'.repeat(3000)}x`, 'y')).toMatch(/^NotFound/);
    expect(done(`${'}\r\n'.repeat(9)}x\r\n}\r\n`, `${'}\n'.repeat(5)}x\n`, 'y\n')).toBe(`${'}\r\n'.repeat(4)}y\r\n}\r\n`);
  });

  it('deletes with an empty replacement and refuses an empty search', () => {
    expect(done('a\nb\nc\n', 'b\n', '')).toBe('a\nc\n');
    expect(done('a\r\nb\nc\n', 'a\r\nb\n', 'a\n')).toBe('a\r\nc\n');
    expect(refused('abc', '', 'x')).toMatch(/^InvalidArgs: search is empty/);
    expect(refused('', 'x', 'y')).toMatch(/^NotFound.*empty/);
    expect(refused('abc', 'b', 'b')).toMatch(/^InvalidArgs.*the same/);
  });

  it('tells the lines it changed', () => {
    const result = edit('1\n2\n3\n4\n', '2\n3\n', 'x\ny\nz\n');
    expect(result.ok && result.lines).toEqual([{ old: [2, 3], now: [2, 4] }]);
    const gone = edit('1\n2\n3\n', '2\n', '');
    expect(gone.ok && gone.lines).toEqual([{ old: [2, 2], now: [2, 1] }]);
  });

  it('is fast and small on a huge file', () => {
    const line = 'the quick brown fox jumps over the lazy dog 0123456789\n';
    const result = edit(`${line.repeat(100_000)}NEEDLE\n${line.repeat(100_000)}`, 'NEEDLE', 'FOUND');
    expect(result.ok && result.lines).toEqual([{ old: [100_001, 100_001], now: [100_001, 100_001] }]);
    const many = edit('e'.repeat(200_000), 'e', 'f', { all: true });
    expect(many.ok && many.matches).toBe(200_000);
    const first = edit('e'.repeat(200_000), 'e', 'f');
    expect(first.ok && first.notes.join('').length).toBeLessThan(300);
  });
});

describe('line endings', () => {
  it('matches LF against CRLF and inserts what the neighbours have', () => {
    expect(
      done(
        'def tell(who):\r\n    emit(who)\r\n\r\ndef stop():\r\n    pass\r\n',
        'def tell(who):\n    emit(who)\n',
        'def tell(who):\n    emit("to", who)\n    return who\n',
      ),
    ).toBe('def tell(who):\r\n    emit("to", who)\r\n    return who\r\n\r\ndef stop():\r\n    pass\r\n');
    expect(done('alpha\r\nbeta\ngamma\r\ndelta\n', 'gamma\ndelta', 'gamma\nDELTA')).toBe('alpha\r\nbeta\ngamma\r\nDELTA\n');
    expect(done('a\r\nb\r\n', 'a', 'a\nnew')).toBe('a\r\nnew\r\nb\r\n');
    expect(done('a\r\nb', 'b', 'b\nnew')).toBe('a\r\nb\r\nnew');
    expect(done('a\nb\n', 'a\r\nb\r\n', 'a\r\nx\r\nb\r\n')).toBe('a\nx\nb\n');
    expect(done('a\nb\n', 'b', 'b\r\nc')).toBe('a\nb\nc\n');
    expect(done('only', 'only', 'a\r\nb')).toBe('a\nb');
  });

  it('keeps a change of nothing but endings literal', () => {
    expect(done('a\nb\n', 'a\nb', 'a\r\nb')).toBe('a\r\nb\n');
  });

  it('refuses a forgiven match that is not unique', () => {
    expect(refused('x = 1\r\nx = 1\r\nx = 1\r\n', 'x = 1\n', 'x = 2\n')).toMatch(/^Failed.*3 places \(lines 1, 2, 3\)/);
    expect(refused('x = 1\r\nx = 1\r\n', 'x = 1\n', 'x = 2\n', { all: true })).toMatch(/^Failed/);
  });

  it('takes the end of the file for a last line break', () => {
    expect(done('a\nb', 'b\n', 'c\n')).toBe('a\nc');
    expect(done('a\nb', 'a\nb\n', 'a\nb\nc\n')).toBe('a\nb\nc');
    expect(done('a\nb', 'b\n', '')).toBe('a\n');
  });

  it('matches from the middle of a line to the middle of another', () => {
    expect(done('call(one,\r\n     two, three)\r\n', 'one,\n     two,', 'one,\n     2,')).toBe('call(one,\r\n     2, three)\r\n');
    expect(done('x\r\ny\r\n', '\ny', '\nz')).toBe('x\r\nz\r\n');
  });

  it('takes a CRLF whole when the search begins with its line feed', () => {
    const file = 'one\r\ntwo\r\nthree\r\n';
    const result = edit(file, '\ntwo', '\nnew\ntwo');
    expect(result).toMatchObject({ ok: true, exact: false, notes: [expect.stringContaining('line endings')] });
    expect(done(file, '\ntwo', '\nnew\ntwo')).toBe('one\r\nnew\r\ntwo\r\nthree\r\n');
    expect(done(file, '\ntwo', '')).toBe('one\r\nthree\r\n');
    expect(done(file, '\ntwo', '!')).toBe('one!\r\nthree\r\n');
    expect(done(file, '\n', ' ')).toBe('one two\r\nthree\r\n');
    expect(done(file, '\n', ' ', { all: true })).toBe('one two three ');
    expect(done(file, '\n', '\n\n', { expect: 3 })).toBe(file.replaceAll('\n', '\n\r\n'));
    expect(done('a\r\nb\nc\r\n', '\n', '\n\n', { all: true })).toBe('a\r\n\r\nb\n\nc\r\n\r\n');
    expect(refused(file, '\n', '\r\n', { all: true })).toContain('already reads so');
    expect(done('\nx\r\nx\r\n', '\nx\r', '-', { all: true })).toBe('--\n');
    for (const big of [false, true]) {
      const wide = edit(utf16(file, big), '\n', ' ', { all: true });
      expect(wide.ok && wide.bytes.equals(utf16('one two three ', big))).toBe(true);
    }
  });
});

describe('white space and indentation', () => {
  it('forgives white space at line ends and keeps it where nothing changes', () => {
    expect(done('if x:  \n  a\t\n  b\nend\n', 'if x:\n  a\n  b\n', 'if x:\n  a\n  c\n')).toBe('if x:  \n  a\t\n  c\nend\n');
    expect(done('a\nb\n', 'a  \nb\n', 'a\nc\n')).toBe('a\nc\n');
    expect(refused('foobar\n', 'foo ', 'x')).toMatch(/^NotFound/);
    expect(refused('a\n\n\nb\n', '  \n  \n', 'x\n')).toMatch(/^NotFound/);
  });

  it('carries tabs over to a replacement in spaces', () => {
    const file = 'func f() int {\n\tif ok {\n\t\treturn 1\n\t}\n\treturn 0\n}\n';
    expect(done(file, '    if ok {\n        return 1\n    }', '    if ok {\n        return 2\n    }')).toBe(
      file.replace('return 1', 'return 2'),
    );
    expect(done(file, 'if ok {\n  return 1\n}', 'if ok {\n  if more {\n    return 2\n  }\n}')).toBe(
      'func f() int {\n\tif ok {\n\t\tif more {\n\t\t\treturn 2\n\t\t}\n\t}\n\treturn 0\n}\n',
    );
    expect(refused(file, '    if ok {\n        return 1\n    }', '    if ok {\n      return 2\n    }')).toMatch(
      /^Failed.*indentation/,
    );
    const result = edit(file, '    if ok {\n        return 1\n    }', '    if ok {\n        return 2\n    }');
    expect(result.ok && result.notes.join()).toContain('tabs');
  });

  it('carries spaces over to a replacement in tabs, and any uniform shift', () => {
    expect(done('a:\n  b:\n    c: 1\n', '\tb:\n\t\tc: 1\n', '\tb:\n\t\tc: 2\n\t\td: 3\n')).toBe('a:\n  b:\n    c: 2\n    d: 3\n');
    expect(
      done(
        'class A:\n    def f(self):\n        return 1\n',
        'def f(self):\n    return 1\n',
        'def f(self):\n    x = 2\n\n    return x\n',
      ),
    ).toBe('class A:\n    def f(self):\n        x = 2\n\n        return x\n');
    expect(done('def f():\n    return 1\n', '    def f():\n        return 1\n', '    def f():\n        return 2\n')).toBe(
      'def f():\n    return 2\n',
    );
  });

  it('refuses what is not one uniform shift, and content that differs', () => {
    expect(refused('  a\n      b\n', 'a\n  b\n', 'a\n  c\n')).toMatch(/^NotFound/);
    expect(refused('function a() {\n  total = 0;\n}\n', '        total = 0;\n        done();', 'x')).toMatch(/^NotFound/);
    expect(refused('    x = 1\n        x = 1\n', 'x = 1\ny', 'z')).toMatch(/^NotFound/);
    expect(refused('  if a\n    x\n  if a\n    x\n', 'if a\n  x\n', 'y\n')).toMatch(/^Failed.*2 places/);
  });
});

describe('typographic characters', () => {
  it('are forgiven, and stay where nothing changes', () => {
    const bytes = Buffer.from('She said \u201cyes\u201d \u2013 he didn\u2019t go.\nThe end\n');
    const result = edit(bytes, 'She said "yes" - he didn\'t go.', 'She said "yes" - he didn\'t come.');
    expect(result.ok && result.bytes.toString()).toBe('She said \u201cyes\u201d \u2013 he didn\u2019t come.\nThe end\n');
    expect(result.ok && result.notes.join()).toContain('typographic');
    const nbsp = edit(Buffer.from('a\u00a0b\u200bc \u2026 d'), 'bc ... d', 'X');
    expect(nbsp.ok && nbsp.bytes.toString()).toBe('a\u00a0X');
    const accents = edit(Buffer.from('cafe\u0301 noir'), 'caf\u00e9 noir', 'caf\u00e9 blanc');
    expect(accents.ok && accents.bytes.toString()).toBe('cafe\u0301 blanc');
  });

  it('elsewhere in the file are left alone', () => {
    const bytes = Buffer.from('\u201cyes\u201d\nThe end\n');
    const result = edit(bytes, 'The end', 'The finish');
    expect(result.ok && result.bytes.toString()).toBe('\u201cyes\u201d\nThe finish\n');
  });

  it('must be unique too', () => {
    expect(refused(Buffer.from('it\u2019s\nit\u2019s\n'), "it's", 'x')).toMatch(/^Failed.*2 places/);
  });
});

describe('encodings', () => {
  it('edits UTF-16 in both orders and keeps the mark and endings', () => {
    for (const big of [false, true]) {
      const result = edit(utf16('h\u00f6r\r\nzwei \ud83d\ude00\r\n', big), 'zwei', 'drei\nvier \ud83d\ude00');
      expect(result.ok && result.bytes.equals(utf16('h\u00f6r\r\ndrei\r\nvier \ud83d\ude00 \ud83d\ude00\r\n', big))).toBe(true);
    }
  });

  it('keeps a byte order mark and bytes that are not UTF-8', () => {
    expect(done(Buffer.from('\ufeffone\n'), 'one', 'two')).toBe('\xef\xbb\xbftwo\n');
    expect(done(Buffer.from('/* \xae */\r\nreturn no;\r\n', 'latin1'), 'return no;', 'return yes;')).toBe(
      '/* \xae */\r\nreturn yes;\r\n',
    );
  });

  it('finds legacy text by its bytes, as Windows-1252 or as read shows it, and says so', () => {
    const file = Buffer.from('caf\xe9 one\n', 'latin1');
    expect(done(file, 'caf\u00e9 one', 'caf\u00e9 \u20ac')).toBe('caf\xe9 \x80\n');
    expect(done(file, 'caf\\xE9 one', 'caf\\xE9 two')).toBe('caf\xe9 two\n');
    const guess = edit(file, 'one', 'd\u00e9j\u00e0');
    expect(guess.ok && guess.notes.join()).toContain('guess');
    expect(refused(file, 'one', '\u4e2d')).toMatch(/^InvalidArgs.*base64/);
    expect(done(Buffer.from([0, 0xff, 0xaa, 0x55]), Buffer.from([0xaa, 0x55]), Buffer.from([0xbb, 0xcc, 0xdd]))).toBe(
      '\x00\xff\xbb\xcc\xdd',
    );
  });
});

describe('a search that is not found', () => {
  it('names the nearest text and the first difference', () => {
    const message = refused(
      'one\nfunction total(a, b) {\n  return a + b;\n}\nlast\n',
      'function total(a, b) {\n  return a - b;\n}',
      'x',
    );
    expect(message).toContain('lines 2-4');
    expect(message).toContain('line 3: the file has "  return a + b;", search has "  return a - b;"');
    expect(refused('const alpha = computeSomething(1);\n', 'const alpha = computeSomethin(2);', 'x')).toContain('lines 1-1');
    expect(refused('aaa\n', 'zzzzzz', 'x')).toContain('read the file again');
  });

  it('says that the replacement is already there', () => {
    expect(refused('let x = 2;\n', 'let x = 1;', 'let x = 2;')).toMatch(/already stands there \(line 1\)/);
  });
});

describe('for any file', () => {
  const piece = fc.constantFrom('a', 'b', '  a', '\tb', 'a ', '', '\u201cq\u201d', "'q'", '\xe9', 'zz');
  const ending = fc.constantFrom('\n', '\r\n', '\n', '\r');
  const text = fc.array(fc.tuple(piece, ending), { maxLength: 12 }).chain((lines) =>
    fc.constantFrom(
      lines.map((line) => line.join('')).join(''),
      lines
        .map((line) => line.join(''))
        .join('')
        .replace(/\r?\n$/, ''),
    ),
  );
  const content = fc.oneof(
    text.map((value) => Buffer.from(value)),
    text.map((value) => Buffer.from(`\ufeff${value}`)),
    text.map((value) => Buffer.from(value, 'latin1')),
    text.map((value) => utf16(value)),
    text.map((value) => utf16(value, true)),
    fc.tuple(text, fc.uint8Array({ maxLength: 5 })).map(([value, tail]) => Buffer.concat([Buffer.from(value), tail])),
  );
  const options = fc.constantFrom<Options>({}, {}, { all: true }, { expect: 1 });
  /** Without the bytes that show line breaks, white space and typographic forms: what may never change silently. */
  const search = fc.array(fc.tuple(piece, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 3 }).map((lines) =>
    lines
      .map((line) => line.join(''))
      .join('')
      .replace(/\r?\n$/, ''),
  );

  it('an edit changes nothing outside the lines it names', () => {
    fc.assert(
      fc.property(content, search, fc.oneof(search, fc.constant('')), options, (bytes, wanted, replace, how) => {
        const result = edit(bytes, wanted, replace, how);
        if (!result.ok) return;
        const unit = bytes[0] === 0xff && bytes[1] === 0xfe ? 2 : bytes[0] === 0xfe && bytes[1] === 0xff ? 2 : 1;
        const before = linesOfBytes(bytes, unit, bytes[0] === 0xfe);
        const after = linesOfBytes(result.bytes, unit, bytes[0] === 0xfe);
        const [first] = result.lines;
        const last = result.lines.at(-1);
        if (!first || !last || how.all) return;
        expect(after.slice(0, first.now[0] - 1)).toEqual(before.slice(0, first.old[0] - 1));
        expect(after.slice(last.now[1] + 1)).toEqual(before.slice(last.old[1] + 1));
      }),
      { numRuns: 3000 },
    );
  });

  it('an exact edit of an LF text is the plain replacement', () => {
    const plain = fc.array(piece, { maxLength: 10 }).map((lines) => lines.join('\n'));
    const small = fc.array(piece, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(plain, small, small, (file, wanted, replace) => {
        const at = file.indexOf(wanted);
        if (wanted === '' || at < 0 || wanted === replace) return;
        expect(edit(file, wanted, replace)).toMatchObject({
          ok: true,
          bytes: Buffer.from(file.slice(0, at) + replace + file.slice(at + wanted.length)),
        });
        expect(edit(file, wanted, replace, { all: true })).toMatchObject({
          ok: true,
          bytes: Buffer.from(file.split(wanted).join(replace)),
        });
      }),
      { numRuns: 3000 },
    );
  });

  it('a forgiven edit never takes a line whose content differs', () => {
    const bare = (value: string) => value.replaceAll('\u201c', '"').replaceAll('\u201d', '"').replace(/\s+/g, '');
    fc.assert(
      fc.property(text, search, (file, wanted) => {
        const result = edit(file, wanted, '<<X>>');
        if (!result.ok || result.exact) return;
        const changed = result.bytes.toString();
        expect(bare(changed).replace(/<<X>>/, bare(wanted))).toBe(bare(file));
      }),
      { numRuns: 3000 },
    );
  });
});

function linesOfBytes(bytes: Buffer, unit: number, big: boolean): string[] {
  if (unit === 1) return bytes.toString('latin1').split('\n');
  const copy = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return (big ? copy.swap16() : copy).toString('utf16le').split('\n');
}
