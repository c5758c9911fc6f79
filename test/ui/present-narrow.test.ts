/** What the text presenter shows on a narrow terminal. */
import { describe, expect, it } from 'vitest';
import { createTextPresenter } from '../../src/ui/present-text.js';
import { createText } from '../../src/ui/text/index.js';
import { event, Sheet } from './streams.js';

describe('the text presenter', () => {
  it('breaks lines between words on a narrow terminal, colours or not', () => {
    for (const color of [true, false]) {
      const err = new Sheet();
      err.columns = 30;
      const presenter = createTextPresenter({
        out: new Sheet(),
        err,
        text: createText('en'),
        color,
        verbose: false,
        live: false,
      });
      presenter.sink(
        event({ type: 'notice', level: 'warn', code: 'x', text: 'one two three four five six seven eight nine ten' }),
      );
      const plain = err.text.replace(/\x1b\[[\d;]*m/g, '').trimEnd();
      expect(plain.split('\n').length).toBeGreaterThan(1);
      for (const line of plain.split('\n')) expect(line.length).toBeLessThan(30);
      expect(plain.split(/\s+/).slice(-10).join(' ')).toBe('one two three four five six seven eight nine ten');
    }
  });
});
