/** `patch` with the two other dialects of `diff`: the envelope and SEARCH/REPLACE blocks. */
import { describe, it } from 'vitest';
import { ABC, DONE, useDiffBench } from './diff-bench.js';

const use = useDiffBench();

describe('an envelope', () => {
  const envelope = (body: string) => `*** Begin Patch\n${body}*** End Patch\n`;
  const update = (body: string) => envelope(`*** Update File: x.txt\n${body}`);
  const twice = { 'x.txt': 'def a():\n    return 1\n\ndef b():\n    return 1\n' };
  const second = { 'x.txt': 'def a():\n    return 1\n\ndef b():\n    return 2\n' };
  it('changes, makes, removes and moves', () =>
    use.done(
      { 'x.txt': 'a\n', 'y.txt': 'b\n', 'z.txt': 'q\n' },
      envelope(
        '*** Add File: n/n.txt\n+one\n+\n+two\n*** Delete File: x.txt\n*** Update File: y.txt\n*** Move to: m.txt\n@@\n-b\n+B\n\n*** Update File: z.txt\n-q\n+Q\n',
      ),
      { 'n/n.txt': 'one\n\ntwo\n', 'm.txt': 'B\n', 'z.txt': 'Q\n' },
      /^Patched 4 files:/,
    ));
  it.each([
    ['@@ def b():\n-    return 1\n+    return 2\n'],
    ['@@ def b():\n def b():\n-    return 1\n+    return 2\n'],
    ['@@\n-    return 1\n+    return 2\n*** End of File\n'],
    ['@@ -5,1 +5,1 @@\n-    return 1\n+    return 2\n'],
    [' def b():\n-    return 1\n+    return 2\n'],
  ])('%j finds its place', (body) => use.done(twice, update(body), second).then(() => undefined));
  it.each([
    ['@@\n-    return 1\n+    return 2\n', 'Conflict', 'fits 2 places \\(lines 2, 5\\)'],
    ['@@ def c():\n-    return 1\n+    return 2\n', 'Conflict', 'fits 2 places'],
    ['@@ def b():\n+    x\n', 'Conflict', 'only added lines'],
    ['@@\ndef b():\n-    return 1\n', 'InvalidArgs', 'line 4: "def b\\(\\):" is no line of a change'],
    ['', 'InvalidArgs', 'nothing is changed'],
    ['*** Move to: \n', 'InvalidArgs', 'the new name is missing'],
    ['@@\n', 'InvalidArgs', 'has no lines'],
  ])('%j is refused', (body, code, says) => use.refused(twice, update(body), code, new RegExp(says)));
  it('goes to the end of the file where it says so', () =>
    use.done(ABC, update('@@\n+d\n*** End of File\n'), { 'x.txt': 'a\nb\nc\nd\n' }));
  it('may stand in a command, a fence, CRLF', async () => {
    const patch = update('@@\n a\n-b\n+B\n');
    await use.done(ABC, `apply_patch <<'EOF'\n${patch}EOF\n`, DONE);
    await use.done(ABC, `\`\`\`\n${patch}\`\`\`\n`, DONE);
    await use.done(ABC, patch.replaceAll('\n', '\r\n'), DONE);
    await use.done({ 'x.txt': 'a\r\nb\r\nc\r\n' }, patch.replaceAll('\n', '\r\n'), { 'x.txt': 'a\r\nB\r\nc\r\n' });
  });
  it('keeps to files that are there, and that are not', async () => {
    await use.refused(ABC, envelope('*** Add File: x.txt\n+b\n'), 'Conflict', 'x.txt exists already');
    await use.refused({}, envelope('*** Update File: n.txt\n@@\n-a\n+b\n'), 'NotFound', 'n.txt does not exist');
    await use.refused({}, envelope('*** Delete File: n.txt\n'), 'NotFound', 'removed already');
    await use.refused(
      {},
      envelope('*** Add File: n.txt\nno plus\n'),
      'InvalidArgs',
      'line 3: "no plus" is no line of a new file',
    );
    await use.refused({}, '*** Update File: x.txt\n@@\n-a\n+b\n', 'InvalidArgs', /stands outside of/);
    await use.refused({}, envelope('hello\n'), 'InvalidArgs', 'no part of an envelope');
  });
  it('is whole or nothing at any length', async () => {
    const whole = envelope('*** Update File: x.txt\n@@\n a\n-b\n+B\n*** Add File: n.txt\n+one\n');
    for (let length = 0; length < whole.length - 1; length++)
      await use.refused(length === 0 ? ABC : {}, whole.slice(0, length), 'InvalidArgs', /./);
    await use.done({}, whole.slice(0, -1), { ...DONE, 'n.txt': 'one\n' });
  });
});

describe('blocks', () => {
  const block = (search: string, replace: string, name = 'x.txt\n') =>
    `${name}<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
  it.each([
    ['a name above', block('b\n', 'B\n')],
    ['a fence', `Like so:\n\nx.txt\n\`\`\`python\n${block('b\n', 'B\n', '')}\`\`\`\n`],
    ['a name in the fence', `\`\`\`\n${block('b\n', 'B\n')}\`\`\`\n`],
    ['a marked name', block('b\n', 'B\n', '### `x.txt`:\n')],
    ['a label', block('b\n', 'B\n', 'File: x.txt\n')],
    ['other markers', 'x.txt\n------- SEARCH\nb\n=======\nB\n+++++++ REPLACE'],
    ['CRLF', block('b\n', 'B\n').replaceAll('\n', '\r\n')],
  ])('with %s', (_how, text) => use.done(ABC, text, DONE).then(() => undefined));
  it('several, of several files, in order', () =>
    use.done({ ...ABC, 'y.txt': 'q\n' }, block('b\n', 'B\n') + block('B\nc\n', 'C\n', '') + block('q\n', '', 'y.txt\n'), {
      'x.txt': 'a\nC\n',
      'y.txt': '',
    }));
  it('are whole lines', () => use.refused({ 'x.txt': 'threshold\n' }, block('old\n', 'new\n'), 'Conflict', 'does not fit'));
  it('without a name need file', async () => {
    await use.refused(ABC, block('b\n', 'B\n', ''), 'InvalidArgs', '/file: is missing');
    await use.refused({}, block('b\n', 'B\n', 'Here is the change\n'), 'InvalidArgs', '/file: is missing');
    await use.done({}, { file: 'x.txt', diff: block('b\n', 'B\n', '') }, DONE);
  });
  it('take the first of several exact places, and say so', () =>
    use.done(
      { 'x.txt': 'a\nb\na\n' },
      block('a\n', 'A\n'),
      { 'x.txt': 'A\nb\na\n' },
      /matches 2 places \(lines 1, 3\); only the first/,
    ));
  it('forgive form in one place only', async () => {
    const crlf = 'a\r\nb\r\n';
    await use.done({ 'x.txt': crlf }, block('a\nb\n', 'A\nb\n'), { 'x.txt': 'A\r\nb\r\n' }, 'forgiven: line endings');
    await use.refused({ 'x.txt': crlf + crlf }, block('a\nb\n', 'A\nb\n'), 'Conflict', 'fits 2 places');
    await use.done(
      { 'x.txt': 'class A:\n    def f():\n        return 1\n' },
      block('def f():\n    return 1\n', 'def f():\n    x = 1\n    return x\n'),
      {
        'x.txt': 'class A:\n    def f():\n        x = 1\n        return x\n',
      },
    );
  });
  it('make a file with an empty search, never over another', async () => {
    await use.done({}, block('', 'x\ny\n', 'n/n.txt\n'), { 'n/n.txt': 'x\ny\n' });
    await use.refused({}, block('', 'z\n', 'n/n.txt\n'), 'Conflict', 'exists already; an empty SEARCH');
    await use.done({ 'x.txt': '' }, block('', 'z\n'), { 'x.txt': 'z\n', 'n/n.txt': 'x\ny\n' });
    await use.refused({}, block('', 'z\n', 'the new file is in src/new file.txt\n'), 'InvalidArgs', '/file: is missing');
  });
  it('that are not closed, or not clear, are refused', async () => {
    const whole = block('b\n', 'B\n');
    for (let length = 1; length < whole.length - 1; length++)
      await use.refused(length === 1 ? ABC : {}, whole.slice(0, length), 'InvalidArgs', /./);
    await use.refused({}, block('b\n', 'B\n').replace('=======\n', ''), 'InvalidArgs', 'no "======="');
    await use.refused({}, block('b\n=======\n', 'B\n'), 'InvalidArgs', 'a second "======="');
    await use.refused({}, block('b\n', 'B\n') + block('b\n', 'B\n'), 'InvalidArgs', 'the same as the one at line 2');
    await use.refused({}, 'b\n=======\nB\n>>>>>>> REPLACE\n', 'InvalidArgs', /./);
  });
});
