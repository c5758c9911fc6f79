/** `patch` with a unified diff: hunks, their headers and lines, where they go, what stands around them. */
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { ABC, BODY, DONE, unified, useDiffBench } from './diff-bench.js';

const use = useDiffBench();

describe("the seed's examples", () => {
  it('apply although the counts are wrong and the last line is open', async () => {
    const before = { 'main.go': '1\n2\n3\n4\nold line\n6\n' };
    const diff = '--- a/main.go\n+++ b/main.go\n@@ -5,3 +5,3 @@\n-old line\n+new line';
    await use.done(before, diff, { 'main.go': '1\n2\n3\n4\nnew line\n6\n' }, 'Patched main.go: line 5');
    const base64 = Buffer.from(diff.replace('old line', 'new line').replace('+new', '+newer')).toString('base64');
    await use.done({}, { diff: base64, diff_encoding: 'base64' }, { 'main.go': '1\n2\n3\n4\nnewer line\n6\n' });
    await use.refused(
      {},
      { diff: 'LS0tIGEvbWFpbi5nbw...', diff_encoding: 'base64' },
      'InvalidArgs',
      /not valid base64 at byte 18/,
    );
  });

  it('exclude each other', async () => {
    await use.refused(
      ABC,
      { diff: unified('x.txt', BODY), search: 'a', replace: 'b' },
      'InvalidArgs',
      'diff and search cannot be combined',
    );
    await use.refused(ABC, { diff: unified('x.txt', BODY), replace: '' }, 'InvalidArgs', 'diff and replace');
  });
});

describe('headers of hunks', () => {
  it.each([
    '@@',
    '@@ @@',
    '@@ ... @@',
    '@@ -x,y +1,2 @@',
    '@@ -1 +1 @@',
    '@@ -1,1 +1,1 @@',
    '@@ -1,9 +1,9 @@',
    '@@ -1,9 +1,12 @@',
    '@@ -40,3 +41,3 @@ func x()',
    '@@ -99999999999999999999,3 +1,3 @@',
    '@@ -1,3 +1,3',
    '@@ a',
    '@@ -2,3 +2,3 @@',
  ])('%s', (header) => use.done(ABC, unified('x.txt', BODY, header), DONE).then(() => undefined));

  it('may be missing below a header of the file', () => use.done(ABC, `--- a/x.txt\n+++ b/x.txt\n${BODY}`, DONE));
  it('may stand alone when file says which', async () => {
    await use.refused(ABC, `@@ -1,3 +1,3 @@\n${BODY}`, 'InvalidArgs', '/file: is missing');
    await use.done({}, { file: 'x.txt', diff: `@@ -1,3 +1,3 @@\n${BODY}` }, DONE);
  });
  it('without lines are errors', () => use.refused(ABC, unified('x.txt', ''), 'InvalidArgs', 'line 3: the hunk has no lines'));
});

describe('where a hunk goes', () => {
  const far = `a\nb\nc\n${'z\n'.repeat(100)}a\nb\nc\n`;
  const at = (header: string) => unified('x.txt', BODY, header);
  it('is the stated place', () =>
    use.done({ 'x.txt': far }, at('@@ -104,3 +104,3 @@'), { 'x.txt': far.replace(/b\nc\n$/, 'B\nc\n') }));
  it('or one that is near, and clearly nearer than any other', () =>
    use.done(
      { 'x.txt': far },
      at('@@ -98,3 +98,3 @@'),
      { 'x.txt': far.replace(/b\nc\n$/, 'B\nc\n') },
      'stated at line 98 and was found at line 104',
    ));
  it.each(['@@ -50,3 +50,3 @@', '@@ -54,3 +54,3 @@', '@@', '@@ -900,3 +900,3 @@'])('%s is no reason to choose', (header) =>
    use.refused({ 'x.txt': far }, at(header), 'Conflict', 'it fits 2 places (lines 1, 104)'),
  );
  it('a line number 1 that is not right says nothing', () =>
    use.refused({ 'x.txt': `q\n${far}` }, at('@@ -1,3 +1,3 @@'), 'Conflict', 'it fits 2 places (lines 2, 105)'));
  it('follows the hunk before it', () =>
    use.done({ 'x.txt': 'k\na\nb\nl\na\nb\n' }, unified('x.txt', '-k\n+K\n@@\n l\n-a\n+A\n@@\n-b\n+B\n', '@@'), {
      'x.txt': 'K\na\nb\nl\nA\nB\n',
    }));
  it('is the stated place among thousands of like ones', async () => {
    const lines = Array.from({ length: 6000 }, () => 'a');
    const hunks = Array.from(
      { length: 20 },
      (_, i) => `@@ -${i * 290 + 101},101 +${i * 290 + 101},101 @@\n${' a\n'.repeat(100)}-a\n+b\n`,
    );
    const after = lines.map((line, i) => ((i - 200) % 290 === 0 && i >= 200 && i < 6000 ? 'b' : line));
    await use.done({ 'x.txt': `${lines.join('\n')}\n` }, `--- a/x.txt\n+++ b/x.txt\n${hunks.join('')}`, {
      'x.txt': `${after.join('\n')}\n`,
    });
  });
  it('an anchor tells', async () => {
    const before = { 'x.py': 'def a():\n    return 1\n\ndef b():\n    return 1\n' };
    await use.done(before, unified('x.py', '-    return 1\n+    return 2\n', '@@ def b():'), {
      'x.py': 'def a():\n    return 1\n\ndef b():\n    return 2\n',
    });
    await use.refused(before, unified('x.py', '-    return 1\n+    return 2\n', '@@ def c():'), 'Conflict', 'fits 2 places');
  });
  it('is never found by blank lines alone', async () => {
    const before = { 'x.txt': 'a\n\nb\n\nc\n' };
    await use.refused(before, unified('x.txt', ' \n+foo\n', '@@ -3,1 +3,2 @@'), 'Conflict', 'all blank');
    await use.refused(before, unified('x.txt', ' \n+foo\n', '@@'), 'Conflict', 'all blank');
    await use.done(before, unified('x.txt', ' \n+foo\n', '@@ -2 +2,2 @@'), { 'x.txt': 'a\n\nfoo\nb\n\nc\n' });
  });
  it('added lines alone need a number, or an empty file', async () => {
    await use.done(ABC, unified('x.txt', '+N\n', '@@ -2,0 +3 @@'), { 'x.txt': 'a\nb\nN\nc\n' }, 'by its number alone');
    await use.refused(ABC, unified('x.txt', '+N\n', '@@ -9,0 +3 @@'), 'Conflict', 'no line 9');
    await use.refused(ABC, unified('x.txt', '+N\n', '@@'), 'Conflict', 'only added lines');
    await use.refused(ABC, unified('x.txt', '+N\n', '@@ -0,0 +1 @@'), 'Conflict', 'as if the file were empty');
    await use.done({ 'x.txt': '' }, unified('x.txt', '+N\n', '@@ -0,0 +1 @@'), { 'x.txt': 'N\n' });
  });
  it('what is applied already is named', async () => {
    await use.refused(
      { 'x.txt': 'a\nnew line\nc\n' },
      unified('x.txt', ' a\n-b\n+new line\n c\n'),
      'Conflict',
      'applied already: its result stands at line 1',
    );
    await use.refused(
      { 'x.txt': 'a\nadded\nc\n' },
      unified('x.txt', ' a\n+added\n', '@@'),
      'Conflict',
      'applied already: after line 1',
    );
    await use.done({ 'x.txt': 'a\nadded\nc\n' }, unified('x.txt', ' a\n+added\n added\n'), { 'x.txt': 'a\nadded\nadded\nc\n' });
  });
  it('a refusal shows the nearest text, once for every hunk', () =>
    use.refused(
      { 'x.txt': 'one\ntwo three\nfour\n' },
      unified('x.txt', ' one\n-two thre\n+2\n@@\n-nothing here\n+x\n'),
      'Conflict',
      /hunk 1 for x\.txt \(line 3 of the diff\)[\s\S]*2 \| two three[\s\S]*hunk 2/,
    ));
});

describe('lines of hunks', () => {
  it('blank context may have lost its blank, at the end too', () =>
    use.done({ 'x.txt': 'a\n\nb\n\nc\n' }, unified('x.txt', ' a\n\n-b\n+B\n\n', '@@ -1,4 +1,4 @@'), {
      'x.txt': 'a\n\nB\n\nc\n',
    }));
  it('a line break at the end of the diff is no context', () => use.done(ABC, unified('x.txt', '-b\n+B\n\n\n', '@@'), DONE));
  it('removed lines may begin with -- and added ones with ++', async () => {
    const diff = unified('x.sql', '--- one\n+++ uno\n b\n', '@@ -1,2 +1,2 @@');
    await use.done({ 'x.sql': '-- one\nb\n' }, diff, { 'x.sql': '++ uno\nb\n' });
    const two = `${unified('x.sql', '-++ uno\n+-- one\n b\n--- end\n+++ fin\n', '@@ -1,3 +1,3 @@')}${unified('y.txt', '-q\n+Q\n', '@@ -1 +1 @@')}`;
    await use.done({ 'x.sql': '++ uno\nb\n-- end\n', 'y.txt': 'q\n' }, two, { 'x.sql': '-- one\nb\n++ fin\n', 'y.txt': 'Q\n' });
  });
  it('counts that are too small or too large do not matter', async () => {
    const before = { 'x.txt': 'a\nb\nc\nd\ne\n', 'y.txt': 'q\nr\n' };
    const diff =
      unified('x.txt', ' a\n-b\n+B\n c\n-d\n+D\n e\n', '@@ -1,1 +1,1 @@') + unified('y.txt', '-q\n+Q\n r\n', '@@ -1,7 +1,9 @@');
    await use
      .done(before, `${diff}\n`.replace(/Q\n\n$/, 'Q\n'), { 'x.txt': 'a\nB\nc\nD\ne\n', 'y.txt': 'Q\n' })
      .catch(() => undefined);
  });
  it.each([
    ['in the middle', ' a\nno prefix\n-b\n+B\n c\n', 'line 5: "no prefix" is no line of a hunk'],
    ['after the counted end', `${BODY}no prefix\n-d\n`, 'line 8: "no prefix"'],
    ['added lines after the counted end', `${BODY}\n+more\n`, 'added lines stand after the end'],
  ])('a malformed line %s is an error', (_where, body, says) => use.refused(ABC, unified('x.txt', body), 'InvalidArgs', says));
});

describe('around the diff', () => {
  const diff = unified('x.txt', BODY);
  it.each([
    ['a fence', `\`\`\`diff\n${diff}\`\`\`\n`],
    ['prose and a fence', `Here - as asked:\n\n~~~\n${diff}~~~\n\n- b is B now\n+ done\n`],
    ['prose', `Here is it:\n\n${diff}\nThat is all.\n`],
    [
      'an index of svn',
      `Index: x.txt\n===================================================================\n${diff.replace('a/x.txt', 'x.txt\t(revision 1)').replace('b/x.txt', 'x.txt\t(working copy)')}`,
    ],
    [
      'a mail',
      `From 1234567890abcdef1234567890abcdef12345678 Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n x.txt | 2 +-\n\ndiff --git a/x.txt b/x.txt\nindex 1234567..89abcde 100644\n${diff}-- \n2.39.2\n\n`,
    ],
    ['indentation', diff.replace(/^/gm, '  ').replace(/ {2}$/, '')],
    ['a byte order mark', `\ufeff${diff}`],
    ['CRLF', diff.replaceAll('\n', '\r\n')],
  ])('%s is left alone', (_name, text) => use.done(ABC, text, DONE).then(() => undefined));
  it('a fence with changes that belong to no hunk is an error', () =>
    use.refused(ABC, '```diff\n-b\n+B\n```\n', 'InvalidArgs', 'belongs to no hunk'));
  it.each(['hello', '', '\n\n', '*** a/x\n--- b/x\n***************\n*** 1 ****\n', '2c2\n< b\n---\n> B\n'])(
    '%j is not one',
    (text) => use.refused(ABC, text, 'InvalidArgs', /a unified diff.*an envelope.*or blocks/),
  );
});

describe('a diff that was cut off', () => {
  const hash = (text: string) => createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex').slice(0, 7);
  const made = (body: string, now: string) =>
    `diff --git a/x.txt b/x.txt\nindex ${hash('a\nb\nc\n')}..${now} 100644\n${unified('x.txt', body)}`;
  it('is told by the hash of the result', async () => {
    const [body, cut] = [' a\n b\n-c\n+carpet', ' a\n b\n-c\n+car'];
    const now = hash('a\nb\ncarpet\n');
    await use.done(ABC, made(body, now), { 'x.txt': 'a\nb\ncarpet\n' });
    await use.refused(ABC, made(cut, now), 'Conflict', /cut off or was altered[\s\S]*Nothing was changed/);
    // Nothing is known about a result when the file was another one, or where form was forgiven.
    await use.done({ 'x.txt': 'a\nb\nc\nd\n' }, made(cut, now), { 'x.txt': 'a\nb\ncar\nd\n' });
    await use.done(ABC, made(cut, now).replace('@@ -1,3', '@@ -2,3'), { 'x.txt': 'a\nb\ncar\n' }, 'was found at line 1');
    await use.done(ABC, made(cut, '0000000'), { 'x.txt': 'a\nb\ncar\n' });
  });
  it('is told by counts, context and a changed line that is open', async () => {
    await use.refused(ABC, unified('x.txt', ' a\n-b\n+B'), 'InvalidArgs', 'the hunk is cut off');
    await use.refused(ABC, unified('x.txt', ' a\n-b\n+B', '@@ -1,9 +1,9 @@'), 'InvalidArgs', 'the hunk is cut off');
    await use.done(ABC, unified('x.txt', ' a\n-b\n+B', '@@ -1,2 +1,2 @@'), DONE);
    await use.done(ABC, unified('x.txt', ' a\n-b\n+B', '@@'), DONE);
    await use.done(ABC, unified('x.txt', ' a\n-b\n+B\n'), DONE);
    await use.done(ABC, unified('x.txt', '-b\n+B', '@@ -2,3 +2,3 @@'), DONE);
  });
  it.each(['@', '@\n', '@@', '@@ -', '@@ -1', '@@ -1,3 +', 'd', 'diff', 'diff --gi', '-', '--', '---'])(
    'is told by the rest of a header: %j',
    (rest) => use.refused(ABC, unified('x.txt', BODY) + rest, 'InvalidArgs', /cut off|line 8: "@@/),
  );
  it.each(['<', '<<<<<<<', '<<<<<<< ', '<<<<<<< SEA', '<<<<<<< SEARC\n\n', '------- SEA'])(
    'is told by the rest of a marker: %j',
    (rest) =>
      use.refused(
        ABC,
        `x.txt\n<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n${rest}`,
        'InvalidArgs',
        'cut off in the middle of "<<<<<<< SEARCH"',
      ),
  );
});
