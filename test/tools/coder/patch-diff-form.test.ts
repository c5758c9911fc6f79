/** `patch` with a unified diff: the form of the file stays; files that changed since they were read; facts. */

import { describe, expect, it } from 'vitest';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { BODY, unified, useDiffBench } from './diff-bench.js';

const use = useDiffBench();

describe('form', () => {
  it('endings, marks and encodings of the file stay', async () => {
    const body = '-a\n+A\n+n\n b\n';
    const crlf = 'a\r\nb\r\n';
    await use.done({ 'x.txt': crlf }, unified('x.txt', body), { 'x.txt': 'A\r\nn\r\nb\r\n' }, 'forgiven: line endings');
    await use.done({ 'x.txt': `\ufeff${crlf}` }, unified('x.txt', body), { 'x.txt': '\ufeffA\r\nn\r\nb\r\n' });
    const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
    await use.done({ 'x.txt': wide(crlf) }, unified('x.txt', body.replace('+n', '+\u00fc')), {
      'x.txt': wide('A\r\n\u00fc\r\nb\r\n'),
    });
    const old = (text: string) => Buffer.from(text, 'latin1');
    await use.done({ 'x.txt': old('a\nb\ncaf\u00e9\n') }, unified('x.txt', body), { 'x.txt': old('A\nn\nb\ncaf\u00e9\n') });
    await use.done(
      { 'x.txt': old('a\ncaf\u00e9\n') },
      unified('x.txt', '-a\n+\u00fc\n caf\u00e9\n'),
      { 'x.txt': old('\u00fc\ncaf\u00e9\n') },
      'Windows-1252',
    );
    await use.done({ 'x.txt': 'a\nb\r\nc\n' }, unified('x.txt', ' a\n-b\n+B\n+2\n c\n'), { 'x.txt': 'a\nB\r\n2\r\nc\n' });
  });
  it('the end of the file follows the diff, or stays', async () => {
    const mark = '\\ No newline at end of file\n';
    const each = async (before: string, body: string, after: string) => {
      await use.done({ 'x.txt': before }, unified('x.txt', body, '@@'), { 'x.txt': after });
    };
    await each('a\nb\n', ` a\n-b\n+b\n${mark}`, 'a\nb');
    await each('a\nb', ` a\n-b\n${mark}+b\n`, 'a\nb\n');
    await each('a\nb', ` a\n-b\n${mark}+c\n${mark}`, 'a\nc');
    await each('a\nb', ' a\n-b\n+c\n', 'a\nc');
    await each('a\nb', ' a\n b\n+c\n', 'a\nb\nc');
    await each('a\nb\n', ` a\n-b\n${mark}+c\n${mark}`, 'a\nc\n');
    await each('a\nb', ' a\n-b\n', 'a\n');
    await use.refused({ 'x.txt': 'a\nb\nc\n' }, unified('x.txt', `-a\n+A\n${mark}`, '@@'), 'Conflict', 'not its last');
  });
  it('blanks, indentation and look-alikes are forgiven in one place only', async () => {
    await use.done({ 'x.txt': 'a  \nb\nc \n' }, unified('x.txt', BODY), { 'x.txt': 'a  \nB\nc \n' }, 'white space at line ends');
    await use.refused(
      { 'x.txt': 'a  \nb\nc \na \nb\nc \n' },
      unified('x.txt', BODY),
      'Conflict',
      'with other white space at line ends it fits 2 places',
    );
    const go = 'func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n';
    const spaces = '     if x {\n-        return 1\n+        return 2\n+        // two\n     }\n';
    await use.done(
      { 'x.txt': go },
      unified('x.txt', spaces),
      { 'x.txt': go.replace('return 1', 'return 2\n\t\t// two') },
      'indentation',
    );
    const quotes = 'say \u201chi\u201d \u2014 x\nb\n';
    await use.done(
      { 'x.txt': quotes },
      unified('x.txt', '-say "hi" - x\n+say "hi" - y\n b\n'),
      { 'x.txt': quotes.replace('x', 'y') },
      'typographic',
    );
  });
});

describe('files that changed since they were read', () => {
  it('are patched when each hunk still fits exactly one place', async () => {
    use.bench.put('x.txt', 'a\nb\nc\n');
    await use.bench.run(readTool, { file: 'x.txt' });
    use.bench.put('x.txt', 'new\na\nb\nc\n');
    await use.done({}, unified('x.txt', BODY), { 'x.txt': 'new\na\nB\nc\n' }, 'had changed on disk');
    use.bench.put('x.txt', 'a\nb\nc\na\nb\nc\n');
    await use.refused({}, unified('x.txt', BODY), 'Stale', 'read it again');
    use.bench.put('x.txt', 'a \nb\nc\n');
    await use.refused({}, unified('x.txt', BODY), 'Stale', 'read it again');
    await use.refused({}, '*** Begin Patch\n*** Delete File: x.txt\n*** End Patch\n', 'Stale', 'before it is removed');
  });
});

describe('facts', () => {
  it('know the files of a diff', () => {
    const move =
      'diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\ndiff --git a/c b/d\nsimilarity index 100%\ncopy from c\ncopy to d\n';
    expect(patchTool.facts({ diff: unified('x.txt', BODY) + move })).toMatchObject({
      writes: ['x.txt', 'o', 'n', 'd'],
      reads: ['c'],
      order: 'overlap',
    });
    expect(patchTool.facts({ diff: '*** Begin Patch\n*** Add File: p/q\n+x\n*** End Patch' })).toMatchObject({
      writes: ['p/q'],
      label: { object: 'p/q' },
    });
    expect(patchTool.facts({ diff: `f\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE` }).writes).toEqual(['f']);
    expect(
      patchTool.facts({ diff: Buffer.from(unified('x.txt', BODY)).toString('base64'), diff_encoding: 'base64' }).writes,
    ).toEqual(['x.txt']);
    expect(patchTool.facts({ file: 'y', diff: unified('x.txt', BODY) }).writes).toEqual(['y']);
    for (const diff of ['', 'x', '--- a', '@@', '*** Begin Patch', '***', '*'])
      expect(patchTool.facts({ diff })).toMatchObject({ writes: [], order: 'alone' });
    expect(patchTool.facts({ diff: '*', diff_encoding: 'base64' }).order).toBe('alone');
  });
});
