import { describe, expect, it } from 'vitest';
import { showLetter, showText } from '../../../src/ui/editor/show-letter.js';

describe('letters as they are shown', () => {
  it('are themselves where there is something to see', () => {
    for (const letter of [
      'a',
      'é',
      'e\u0301',
      '中',
      '👨‍👩‍👧',
      '👍🏽',
      '🇧🇷',
      '❤️',
      'क्ष',
      '\ue0a0',
      '\u{f0001}',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ])
      expect(showLetter(letter), letter).toMatchObject({ text: letter, stands: false });
    expect(showLetter('\t')).toMatchObject({ text: '  ', columns: 2 });
  });

  it('are codes where they would hide, turn or move something', () => {
    expect(showLetter('\u202e').text).toBe('<U+202E>');
    expect(showLetter('\u200b').text).toBe('<U+200B>');
    expect(showLetter('\u200d').text).toBe('<U+200D>');
    expect(showLetter('\u00ad').text).toBe('<U+00AD>');
    expect(showLetter('\u3164').text).toBe('<U+3164>');
    expect(showLetter('\u2800').text).toBe('<U+2800>');
    expect(showLetter('\u2028').text).toBe('<U+2028>');
    expect(showLetter('\u{10fffd}').text).toBe('<U+10FFFD>');
    // Text smuggled in marks of a letter that looks harmless.
    expect(showLetter('a\u{e0041}\u{e0042}').text).toContain('<U+E0041>');
    expect(showLetter(`a${'\ufe01\ufe02'.repeat(9)}`).text).toContain('<U+FE01>');
    for (const letter of ['\u202e', 'a\u{e0041}', '\u2800'])
      expect(showLetter(letter).columns).toBe(showLetter(letter).text.length);
    expect(showText('ab\u202ecd')).toBe('ab<U+202E>cd');
  });
});
