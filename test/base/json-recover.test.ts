import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recoverJson } from '../../src/base/json-recover.js';
import type { Ending, Json } from '../../src/base/json-types.js';

const value = (text: string, ending: Ending = 'closed'): Json => {
  const read = recoverJson(text, ending);
  if (!read.ok) throw new Error(`${read.kind} ${read.pointer}: ${read.message}`);
  return read.value;
};
const fault = (text: string, ending: Ending = 'closed') => {
  const read = recoverJson(text, ending);
  return read.ok ? `read ${JSON.stringify(read.value)}` : `${read.kind} ${read.pointer}`.trim();
};

describe('forms that are repaired', () => {
  const cases: [string, string, Json][] = [
    ['single quotes', `{'cmd':'exec','args':{'cmd':'echo "hi"'}}`, { cmd: 'exec', args: { cmd: 'echo "hi"' } }],
    ['an escaped apostrophe', `{'a':'it\\'s'}`, { a: "it's" }],
    ['mixed quotes', `{'a':"it's O'Brien"}`, { a: "it's O'Brien" }],
    ['bare keys', '{cmd: "test", timeout: 60}', { cmd: 'test', timeout: 60 }],
    ['bare keys and single quotes', "{cmd: 'search', term: 'TODO'}", { cmd: 'search', term: 'TODO' }],
    ['trailing commas', '{"a":[1,2,],"b":{"c":1,},}', { a: [1, 2], b: { c: 1 } }],
    ['trailing comma with single quotes', "{'a':1,}", { a: 1 }],
    ['bare values', '{cmd: read, file: src/app.ts}', { cmd: 'read', file: 'src/app.ts' }],
    ['a bare address', '{url: http://a.b/c?d=e, n: 1}', { url: 'http://a.b/c?d=e', n: 1 }],
    ['Python words', '{"a":True,"b":False,"c":None}', { a: true, b: false, c: null }],
    ['comments', '{\n// one\n"a": 1, /* two */ "b": 2 # three\n}', { a: 1, b: 2 }],
    ['raw line ends and tabs', '{"a":"x\n\ty\r\nz"}', { a: 'x\n\ty\r\nz' }],
    ['unknown escapes', '{"re":"^\\d+\\s\\w$","p":"C:\\path\\x"}', { re: '^\\d+\\s\\w$', p: 'C:\\path\\x' }],
    ['an escape that is cut short', '{"a":"\\u12 \\uZZZZ"}', { a: '\\u12 \\uZZZZ' }],
    ['known escapes beside unknown ones', '{"a":"x\\ny\\dz\\\\d\\u0041"}', { a: 'x\ny\\dz\\dA' }],
    ['a backslash before an apostrophe', `{"cmd":"echo '\\''x'\\''"}`, { cmd: "echo '\\''x'\\''" }],
    ['triple quotes', '{"c": """say "hi"\n""", "f": "x"}', { c: 'say "hi"\n', f: 'x' }],
    ['curly quotes around', '{“cmd”: “read”}', { cmd: 'read' }],
    ['backticks around', '{"c": `a "b"`}', { c: 'a "b"' }],
    ['spare closing brackets', '{"a":{"b":1}}}}', { a: { b: 1 } }],
    ['missing commas between numbers and objects', '{"a":[{"x":1} {"x":2}] "b":3}', { a: [{ x: 1 }, { x: 2 }], b: 3 }],
    [
      'quotes inside the only text',
      '{"cmd":"exec","args":{"cmd":"echo "hi" there"}}',
      { cmd: 'exec', args: { cmd: 'echo "hi" there' } },
    ],
    [
      'JSON inside a text',
      '{"file":"a.json","content":"{"a":"b","c":["d"]}"}',
      { file: 'a.json', content: '{"a":"b","c":["d"]}' },
    ],
    ['an apostrophe inside single quotes', "{'content':'it's fine','file':'x'}", { content: "it's fine", file: 'x' }],
    ['a key named __proto__', "{'__proto__':{'x':1}}", JSON.parse('{"__proto__":{"x":1}}')],
  ];
  for (const [name, text, wanted] of cases) it(name, () => expect(value(text)).toEqual(wanted));

  it('says what was repaired', () => {
    const read = recoverJson("{a:'x',}", 'closed');
    expect(read.ok && read.repairs).toEqual(['keys without quotes', 'single quotes', 'a trailing comma']);
    const valid = recoverJson('{"a":"x"}', 'closed');
    expect(valid.ok && valid.repairs).toEqual([]);
  });
});

describe('texts of valid strings', () => {
  const hostile = [
    'note: {key: value, other: 2}',
    ',]',
    ',}',
    "it's 'so'",
    '// no comment',
    '/* none */',
    'True None',
    '```json\n{}\n```',
    'a,\n}',
    '“curly”',
    '{"a":1}',
    '\\d',
    '#',
  ];
  for (const text of hostile) {
    it(`keeps ${JSON.stringify(text)} beside a repair`, () => {
      expect(value(`{bare: ${JSON.stringify(text)}, x: 'y',}`)).toEqual({ bare: text, x: 'y' });
      expect(value(`{"a": 1 "b": ${JSON.stringify(text)}}`)).toEqual({ a: 1, b: text });
    });
  }

  it('any text survives repairs around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const text = `{bare: ${JSON.stringify(a)}, 'quoted': ${JSON.stringify(b)}, list: [${JSON.stringify(a)},], ok: True,}`;
        expect(value(text)).toEqual({ bare: a, quoted: b, list: [a], ok: true });
      }),
    );
  });
});

describe('what was cut off', () => {
  it('an open string is named', () => {
    expect(fault('{"cmd":"write","args":{"file":"a","content":"half')).toBe('cut /args/content');
    expect(fault("{'file':'a','content':'half")).toBe('cut /content');
    expect(fault('{"edits":[{"file":"a","search":"x","replace":"y"},{"file":"b')).toBe('cut /edits/1/file');
    expect(fault('{"a": `half')).toBe('cut /a');
    expect(fault('{"a": """half"')).toBe('cut /a');
  });

  it('brackets are added only where nothing can be missing', () => {
    expect(value('{"a":{"b":"x"', 'closed')).toEqual({ a: { b: 'x' } });
    expect(value('{"a":1', 'closed')).toEqual({ a: 1 });
    expect(value('{"a":{"b":"x"', 'word')).toEqual({ a: { b: 'x' } });
    expect(value('{"a":{"b":"x"}', 'open')).toEqual({ a: { b: 'x' } });
    for (const text of ['{"a":["x"', '[{"a":"x"}', '[{"a":"x"', '["a"', '{"a":[{"b":"x"'])
      expect(fault(text, 'closed')).toMatch(/^cut/);
    for (const text of ['{"a":["x"', '{"a":[{"x":"y"}', '{"a":1', '{"a":tru']) expect(fault(text, 'word')).toMatch(/^cut/);
    for (const text of ['{"a":"x"', '{"a":true', '{"a":{"b":{"c":"x"}', '{"a":[{"x":"y"}', '{"a":["x"]'])
      expect(fault(text, 'open')).toMatch(/^cut/);
    for (const ending of ['closed', 'word', 'open'] as const)
      for (const text of ['{"a":"x",', '{"a":', '{"a"', '{', '{"a":{', '{"a":"x","b', '{a: bare', '{"a": /* x'])
        expect(fault(text, ending)).toMatch(/^cut/);
  });

  it('a comment that may be the rest of a text is a fault', () => {
    for (const mark of ['# ', '// ', '/* '])
      for (const rest of [
        'note\\nrm -rf build\\n"}}',
        'note && echo "}}',
        "note 'x",
        'a\\tb',
        'note }}',
        'f({\n}}',
        'note ]\n}}',
        'note',
      ])
        for (const end of ['', '\n', ' */', ' */}}', ' */\n}}'])
          for (const ending of ['closed', 'word', 'open'] as const) {
            const text = `{"cmd":"write","args":{"file":"o.sh","content":"echo hi" ${mark}${rest}${end}`;
            const plain = rest === 'note' && (end === ' */\n}}' || (mark === '/* ' && end === ' */}}'));
            expect([text, recoverJson(text, ending).ok]).toEqual([text, plain]);
          }
    expect(fault('{"a":{"b":"x {"}} # note\n}}', 'closed')).toMatch(/^ambiguous/);
    expect(fault('{"a":"x" \\n', 'closed')).toMatch(/^ambiguous/);
    expect(value('{"a": "x", // it does not matter, isn\'t it (see {b})\n "b": 1 /* two\nlines */} # end')).toEqual({
      a: 'x',
      b: 1,
    });
  });

  it('a prefix of valid JSON never reads as something else when the text is open', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean())),
        fc.nat(),
        (inner, at) => {
          const whole = JSON.stringify({ cmd: 'x', args: inner });
          const read = recoverJson(whole.slice(0, at % whole.length), 'open');
          if (read.ok) expect(read.value).toEqual(JSON.parse(whole));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('an unescaped quote is no excuse to read a cut text', () => {
    const whole = '{"cmd":"write","args":{"file":"a.json","content":"{"x":{"y":"z"}}"}}';
    for (let end = 1; end < whole.length; end++) {
      const read = recoverJson(whole.slice(0, end), 'open');
      expect(read.ok ? [end, read.value] : undefined).toBeUndefined();
    }
  });
});

describe('what is refused', () => {
  it('duplicate keys, at every level and in every form', () => {
    expect(fault('{"a":1,"a":1}')).toBe('duplicate /a');
    expect(fault('{"x":[0,{"a":{"b":1,"b":2}}]}')).toBe('duplicate /x/1/a/b');
    expect(fault('{"a":1,"\\u0061":2}')).toBe('duplicate /a');
    expect(fault("{'a':1,a:2}")).toBe('duplicate /a');
    expect(value('{"a":{"a":1},"b":{"a":2}}')).toEqual({ a: { a: 1 }, b: { a: 2 } });
  });
  it('two values', () => {
    expect(fault('{"a":1}{"b":2}')).toBe('extra');
    expect(fault('{"a":1}\n\n{"b":2}')).toBe('extra');
    expect(fault('{"a":1},{"b":2}')).toBe('extra');
    expect(fault('{"a":1} and more')).toBe('unexpected');
  });
  it('what can be read in two ways', () => {
    expect(fault('{"a":"1" "b":"2"}')).toBe('ambiguous /a');
  });
  it('endless nesting', () => {
    expect(fault('['.repeat(300) + ']'.repeat(300))).toBe('deep');
    expect(fault("['a',".repeat(300))).toMatch(/^deep/);
  });
  it('words where values should be', () => {
    for (const text of ['{a: read file: x}', '{"a": say "hi", "b": 1}', '{"a":1,,"b":2}', '{"a" 1', 'read main.go', '{a b: 1}'])
      expect(fault(text)).not.toMatch(/^read/);
  });
});

it('hostile texts end quickly', () => {
  for (const text of [
    '{'.repeat(50_000),
    '{"a":"'.repeat(20_000),
    `{"a":"${'"k":"v",'.repeat(10_000)}"}`,
    `{"a":${'"'.repeat(10_001)}`,
    `["${'\\'.repeat(50_001)}`,
    `{a:${' b c,'.repeat(20_000)}`,
  ]) {
    expect(recoverJson(text, 'closed').ok).toBe(false);
  }
});
