/** Progress bars and binary output become short; text stays as it is. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leaveOutBinary, settleReturns } from '../../src/process/settle-text.js';

it.each([
  ['a\r\nb\r\n', 'a\r\nb\r\n'],
  ['10%\r100%\n', '10%\n100%\n'],
  ['work\r    \rdone\nnext', 'work\ndone\nnext'],
  ['end\r', 'end\r'],
  ['\r', '\r'],
  ['a\r\r\nb', 'a\r\r\nb'],
  ['x\r\r\ry\r\n', 'x\ny\r\n'],
  [
    `${Array.from({ length: 200 }, (_, n) => `${n}%`).join('\r')}\nok\n`,
    '[199 earlier states of this line left out]\n199%\nok\n',
  ],
])('settles %j', (raw, settled) => {
  expect(settleReturns(raw)).toBe(settled);
});

it('leaves text without lone returns alone, and every letter of a few states', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '\n', '\r\n', ' ', '\t', '\ufffd'), { maxLength: 60 }), (list) => {
      expect(settleReturns(list.join(''))).toBe(list.join(''));
    }),
  );
});

it('names a binary stretch and keeps the text around it', () => {
  const binary = Array.from({ length: 150 }, (_, n) => `\ufffd\ufffdx\ufffd${n}\ufffd${n % 7 === 0 ? '\nab\n' : ''}`).join('');
  const text = `before\n${binary}\nafter\n`;
  expect(leaveOutBinary(text)).toMatch(/^before\n\[\d+ characters left out: not UTF-8 text.*\]\nafter\n$/);
  // A few bytes that are none, such as one line of Latin-1, stay.
  const latin = `${'Le caf\ufffd est ferm\ufffd.\n'.repeat(50)}`;
  expect(leaveOutBinary(latin)).toBe(latin);
  expect(leaveOutBinary('\ufffd\ufffd\ufffd\ufffd\ufffd\n')).toBe('\ufffd\ufffd\ufffd\ufffd\ufffd\n');
});

it('is linear', () => {
  const long = '\ufffd\r'.repeat(300_000) + '\n\ufffd'.repeat(300_000);
  expect(leaveOutBinary(settleReturns(long)).length).toBeLessThan(long.length);
});
