/** Programs that look like readers and read, run or write what one of their words names. */
import { describe, expect, it } from 'vitest';
import { judge } from './helpers.js';

describe('a word that names more than it seems', () => {
  it.each([
    'nm @args',
    'strings @f',
    'objdump -d @f',
    'size a.o @f',
    'nm "$x"',
    'readelf -a @f',
    'ss -D package.json',
    'ss -tlnD f',
    'ss -F .env',
    'ss -E',
    'pgrep -F .env',
    'netstat -c',
  ])('%s asks', (line) => {
    expect(judge(line).verdict).not.toBe('allow');
  });

  it.each(['nm a.o', 'strings -n 8 bin/tool', 'objdump -d a.o', 'ss -tlnp', 'ss -s', 'netstat -an', 'pgrep node', 'lsof -i :80'])(
    '%s only reads',
    (line) => {
      expect(judge(line).verdict).toBe('allow');
    },
  );
});
