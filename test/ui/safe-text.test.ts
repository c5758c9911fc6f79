import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextFilter, safeLine, safeText, visibleText } from '../../src/ui/safe-text.js';
import { textWidth, wrap } from '../../src/ui/width.js';

describe('safeText', () => {
  it.each([
    ['plain text\twith tab\nand line', 'plain text\twith tab\nand line'],
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b[2J\x1b[H\x1b[?1049hgone', 'gone'],
    ['\x1b]0;title\x07after', 'after'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b]52;c;aGVsbG8=\x07', ''],
    ['\x1bP1$r0m\x1b\\after', 'after'],
    ['\x9b31mc1\x9d0;t\x9cx', 'c1x'],
    ['\x1bcreset', 'reset'],
    ['\x1b(Bcharset', 'charset'],
    ['secret\rpublic', 'secret\npublic'],
    ['a\r\nb\r\r\nc', 'a\nb\n\nc'],
    ['back\b\b\bspace\x7f\x00\x07', 'backspace'],
    ['\x1b]0;never ended\nnext line', '\nnext line'],
    ['\x1b[never\nnext', 'ever\nnext'],
    ['\x1b\x1b[1mx', 'x'],
    ['\x1b[1\x1b[2mx', 'x'],
    ['é 日本 🙂 \u202e', 'é 日本 🙂 \u202e'],
    ['half \ud83d', 'half \ufffd'],
    ['\udc00 low', '\ufffd low'],
    ['\x1b', ''],
  ])('%j becomes %j', (given, wanted) => expect(safeText(given)).toBe(wanted));

  const pieces = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    '31m',
    '\x9b',
    '\x9d',
    '\x07',
    '\\',
    '\r',
    '\n',
    'a',
    '🙂',
    '\ud83d',
    '\ude00',
    '8;;',
    'P',
    '\x00',
    ' ',
  );

  it('never lets a control through, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
        const safe = safeText(parts.join(''));
        expect(safe).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(safe).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const filter = createTextFilter();
        const whole = parts.join('');
        let cut = '';
        for (let i = 0; i < whole.length; i++) cut += filter.push(whole.charAt(i));
        expect(cut + filter.end()).toBe(safeText(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every visible line: no sequence reaches past the end of its line', () => {
    fc.assert(
      fc.property(
        fc.array(
          pieces.filter((p) => p !== '\n'),
          { maxLength: 10 },
        ),
        (parts) => {
          expect(safeText(`${parts.join('')}\nvisible`).endsWith('visible')).toBe(true);
        },
      ),
    );
  });
});

describe('safeLine and visibleText', () => {
  it('make one short line', () => {
    expect(safeLine('a\r\n  b\t\x1b[1mc ')).toBe('a b c');
    expect(safeLine('🙂'.repeat(300), 10)).toBe(`${'🙂'.repeat(9)}…`);
  });
  it('show what misleads', () => {
    expect(visibleText('rm\u00a0-rf \u202etxt\u200b\x1b[8m\r\n\tx\u{e0041}\ud800')).toBe(
      'rm<U+00A0>-rf <U+202E>txt<U+200B><U+001B>[8m<U+000D>\n\tx<U+E0041><U+D800>',
    );
    expect(visibleText('é 日本 🙂 a-b')).toBe('é 日本 🙂 a-b');
  });
});

describe('width and wrapping', () => {
  it('counts columns', () => {
    expect([textWidth('abc'), textWidth('日本'), textWidth('🙂'), textWidth('e\u0301'), textWidth('')]).toEqual([3, 4, 2, 1, 0]);
  });
  it('breaks at spaces, breaks long words, and loses nothing', () => {
    expect(wrap('one two three', 8)).toEqual(['one two ', 'three']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrap('日本語', 4)).toEqual(['日本', '語']);
    expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 40 }), (text, columns) => {
        const lines = wrap(text, columns);
        expect(lines.join('')).toBe(text.replaceAll('\n', ''));
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
