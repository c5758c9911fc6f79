/** A slash in awk: where it may begin a regular expression, nothing may hide behind it. */
import { describe, expect, it } from 'vitest';
import { judge } from './helpers.js';

/** What runs a command when the slash before the quote begins a regular expression. */
const hidden = (before: string) => `awk 'BEGIN { ${before}/"/ "touch W" | "sh" #"\n}'`;

describe('a slash in awk', () => {
  it.each([
    'print $',
    'print $ ',
    'print $\\\n',
    'if (x) ',
    'while (x) ',
    'x = i++ ',
    'x = ++',
    'print $++',
    'x = i-- ',
    'print ',
    'printf ',
    'x = 1 in ',
    'return ',
    'exit ',
    'delete ',
    'case ',
    'default ',
    'do ',
    'else ',
    'END ',
    'x = length ',
    'x = length',
    'x = 1in ',
    'x = 1else ',
    'x = -',
    'x = ',
    'x ? ',
    'x = a[1] ? y : ',
    'a[',
    'print "a" ',
    'print x,\n',
    'x = !',
    'x ~ ',
    'x > ',
    '',
    'x\n',
  ])('behind %j hides no pipe', (before) => {
    expect(judge(hidden(before)).verdict).not.toBe('allow');
  });

  it.each([
    "awk -F, '{s+=$2} END {print s/NR}' f",
    "awk '{print $1/$2}' f",
    "awk '{print a[$1]/2, b/c}' f",
    "awk '{ n /= 2; print (a+b)/2 }' f",
    "awk '{ x = i++ / 2 }' f",
    "awk '/foo/ && !/bar|baz/ {print $1/1e3}' f",
    "awk '$1 ~ /a\"b/ {print}' f",
    "awk '{ print length($0)/2 }' f",
  ])('%s only reads', (line) => {
    expect(judge(line).verdict).toBe('allow');
  });
});
