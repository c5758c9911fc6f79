/** How outputs, lists and paths are read: JSON among other lines, places in code, trees. */
import { describe, expect, it } from 'vitest';
import { jsonDocument, jsonStream, objectOf, textField } from '../../src/skills/ecosystems/json-output.js';
import { batches, batchLine } from '../../src/skills/shared/files.js';
import { findingOf } from '../../src/skills/shared/findings.js';
import { foldersAbove, fromFolder, tidyPath } from '../../src/skills/shared/paths.js';
import { bounded, fenced } from '../../src/skills/shared/report.js';
import { filesInTree } from '../../src/skills/shared/tree-text.js';
import { isMentioned, LANGUAGES, mentionsOf } from '../../src/skills/shared/units.js';

describe('JSON in an output', () => {
  it('is found between other lines, several documents in order', () => {
    expect(jsonStream('warning: [x]\n{"a": "}{"}\nnoise {\n  [1,\n 2]\n{"b": "\\""}')).toEqual([{ a: '}{' }, [1, 2], { b: '"' }]);
    expect(jsonDocument('[2] old\n{"long": [1, 2, 3]}\n')).toEqual({ long: [1, 2, 3] });
  });

  it('that is cut or never closed is none, and costs little', () => {
    expect(() => jsonDocument('{"a": [1, 2')).toThrow('no JSON');
    expect(jsonStream('{"cut": "never\n{"whole": 1}')).toEqual([{ whole: 1 }]);
    expect(jsonStream('{\n'.repeat(200_000))).toEqual([]);
  });

  it('names of prototypes are no fields', () => {
    expect([
      textField(objectOf({}), 'constructor'),
      textField(objectOf(JSON.parse('{"__proto__": "x"}')), '__proto__'),
      objectOf([1]),
      objectOf(null),
    ]).toEqual(['', 'x', {}, {}]);
  });
});

describe('lines of compilers', () => {
  it.each([
    ['./a.go:3:5: undefined: x', { file: 'a.go', line: 3, column: 5, message: 'undefined: x' }],
    ['vet: ./b.go:1:2: expected x', { file: 'b.go', line: 1, column: 2, message: 'expected x' }],
    [
      'src/a.ts(1,7): error TS2322: Type "a: b"',
      { file: 'src/a.ts', line: 1, column: 7, severity: 'error', rule: 'TS2322', message: 'Type "a: b"' },
    ],
    ['a.py:3: error: Bad  [arg-type]', { file: 'a.py', line: 3, severity: 'error', message: 'Bad  [arg-type]' }],
    ['[ERROR] /w/A.java:[3,5] no symbol', { file: '/w/A.java', line: 3, column: 5, message: 'no symbol' }],
    ['odd name $(x).py:1:1: F401 unused', { file: 'odd name $(x).py', line: 1, column: 1, rule: 'F401', message: 'unused' }],
  ])('%s', (line, finding) => {
    expect(findingOf(line, '.')).toEqual(finding);
  });

  it('other text is no finding', () => {
    for (const line of ['ok  \texample.com/x\t0.1s', '12:30:01 started', '', 'http://x/y', `${'a'.repeat(9000)}:1:1: x`])
      expect(findingOf(line, '.'), line).toBeUndefined();
  });

  it('are shown from the workspace', () => {
    expect(findingOf('./b.go:1:2: x', 'svc/api')).toMatchObject({ file: 'svc/api/b.go' });
  });
});

describe('small things', () => {
  it('paths of a project never become options', () => {
    expect([
      fromFolder('.', '-x'),
      fromFolder('a', 'a/-x'),
      fromFolder('a', 'b/x'),
      fromFolder('a', 'a'),
      fromFolder('/w', '/w/-y'),
    ]).toEqual(['./-x', './-x', '../b/x', '.', './-y']);
    expect([foldersAbove('a/b'), foldersAbove('.'), foldersAbove('/a/b'), tidyPath('./a//b/')]).toEqual([
      ['a', '.'],
      [],
      ['/a', '/'],
      'a/b',
    ]);
  });

  it('long lists make several commands, whose fault is kept', () => {
    const words = Array.from({ length: 1200 }, (_, n) => `f${n}`);
    expect(batches(words).map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(batchLine(['true'], words)).toMatch(
      /^s=0; true f0 .* \|\| s=\$\?; true f500 .* \|\| s=\$\?; true f1000 .* \|\| s=\$\?; exit \$s$/,
    );
    expect(batchLine(['x'], ['a b'])).toBe("x 'a b'");
  });

  it('a tree is read back into paths', () => {
    expect(
      filesInTree(
        './\n  a/\n    b.go\n    c/\n      d.go\n  e.go -> x\n  f/ [not listed]\n... [LIMITED TO 4 ENTRIES; more] ...\n',
      ),
    ).toEqual({
      files: ['a/b.go', 'a/c/d.go', 'e.go'],
      limited: true,
    });
  });

  it('texts keep their bounds and their fences', () => {
    expect(bounded('ab\ncd\nef', 5)).toBe('ab\ncd\n... [shortened: 3 more characters]');
    expect(fenced('a\n````\nb')).toBe('`````\na\n````\nb\n`````');
  });

  it('what tests say in strings and comments is no mention', () => {
    const tests = [mentionsOf('a.test.ts', ["it('Total works', () => {", '// Total()', '  x.sum();', '"Total"'])];
    const unit = (name: string) => ({ name, file: 'a.ts', line: 1 });
    expect(['Total', 'sum', 'x'].map((name) => isMentioned(unit(name), tests, LANGUAGES.javascript))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
