/** No terminal sequence and no control byte reaches the model; letters do. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanText } from '../../src/process/clean-text.js';

it.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[38;2;1;2;3mtrue\u001b[m', 'true'],
  ['a\u001b]0;title\u0007b', 'ab'],
  ['a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\b', 'alinkb'],
  ['\u001b(Bx\u001b=y\u001bcz', 'xyz'],
  ['\u009b1mc1', 'c1'],
  ['N\bNA\bA', 'NA'],
  ['nul\0s', 'nuls'],
  ['bell\u0007', 'bell'],
  ['end\u001b[', 'end'],
  ['end\u001b', 'end'],
  ['unfinished \u001b]0;title and more', 'unfinished 0;title and more'],
  ['tab\tnl\ncr\r\nff\f é 日本 🙂', 'tab\tnl\ncr\r\nff\f é 日本 🙂'],
])('%j', (raw, clean) => {
  expect(cleanText(raw)).toBe(clean);
});

it('leaves no control character in any text', () => {
  const parts = fc.array(fc.constantFrom('\u001b', '[', ']', 'm', '\u0007', '\\', '0', ';', '\b', 'a', '\u009b', '\0', '\n'), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(parts, (list) => {
      expect(cleanText(list.join(''))).not.toMatch(/[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/);
    }),
  );
});

it('is linear on hostile text', () => {
  const hostile = '\u001b]'.repeat(200_000) + '\u001b['.repeat(200_000) + '\b'.repeat(100_000);
  expect(cleanText(hostile)).not.toContain('\u001b');
});
