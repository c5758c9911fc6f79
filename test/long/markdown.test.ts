import { describe, expect, it } from 'vitest';
import { createMarkdown } from '../../src/ui/markdown/markdown.js';
import { createTheme } from '../../src/ui/theme/theme.js';
import { HOSTILE } from '../ui/markdown/sample.js';

/** Milliseconds of CPU for a text of so many letters, in one push or in small ones. */
function cost(text: string, step: number): number {
  const markdown = createMarkdown({ columns: () => 100, theme: createTheme('dark', 24), unicode: true });
  const before = process.cpuUsage();
  for (let at = 0; at < text.length; at += step) markdown.push(text.slice(at, at + step));
  markdown.end();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('Markdown of a megabyte', () => {
  it.each(HOSTILE)('%j costs what it is long', (piece) => {
    const text = (letters: number): string => piece.repeat(Math.ceil(letters / piece.length));
    cost(text(50_000), 50_000);
    const small = cost(text(125_000), 125_000);
    // Eight times the text: quadratic would be 64 times the cost.
    expect(cost(text(1_000_000), 1_000_000)).toBeLessThan(Math.max(small, 50) * 24);
  });

  it('in deltas of a few letters costs little more than at once', () => {
    const text = 'Some **words** and `code` in a sentence that goes on.\n\n- item\n\n'.repeat(5000);
    const whole = cost(text, text.length);
    expect(cost(text, 5)).toBeLessThan(Math.max(whole, 100) * 8);
  });
});
