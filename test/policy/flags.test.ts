/** A private file stays a question however an option of a reading program is spelled before it. */
import { describe, expect, it } from 'vitest';
import { naming, READING, SHOWS_NOTHING } from './flags.js';
import { judge } from './helpers.js';

describe('a private file behind an option', () => {
  it.each([
    'od -c .env',
    'od -An -c .env',
    'hexdump -f .env README.md',
    'hexdump -f.env x',
    'hd -v .env',
    'fold -s .env',
    'fmt -t .env',
    'column -t .env',
    'column -n .env',
    'expand -1 .env',
    'unexpand -a .env',
    'comm -2 .env README.md',
    'diff -c .env README.md',
    'diff -a.env README.md',
    'grep --color foo .env',
    'grep --context foo .env',
    'grep --fil=.env README.md',
    'grep --fil .env README.md',
    'git grep -f .env',
    'git grep -f.env',
    'git blame -S.env README.md',
    'git blame -S .env README.md',
    'git annotate --contents .env README.md',
    'git diff -O.env',
    'git log -L1,2:.env',
    'git log -L 1,2:.env',
    'git ls-files -X .env',
    'git ls-files --exclude-fr=.env',
    'date --fil=.env',
    'last -f.env',
    'users .env',
    'findmnt --tab-file .env',
    'findmnt -F.env',
    'yq .env',
    'yq -P .env',
    'strings @.env',
    'objdump -t .env',
    'fold -s ~/.ssh/id_rsa',
    'od -c ../../ana2/notes.txt',
    'comm -2 ../../ana2/notes.txt README.md',
  ])('%s is asked about', (line) => {
    expect(judge(line).verdict).not.toBe('allow');
  });

  it.each([
    'od -c notes.bin',
    'od -A x -t x1z -N 32 notes.bin',
    'fold -s -w 80 README.md',
    'column -t -s , data.csv',
    'cut -d / -f 2 names.txt',
    'sort -t / -k 2 names.txt',
    'comm -12 a b',
    'diff -c a b',
    'diff -u --color a b',
    'grep --color=auto -rn foo src',
    'grep --color foo README.md',
    'grep -n .env .gitignore',
    "rg -g '!.env' foo src",
    'hexdump -C -n 64 notes.bin',
    'git log -S.env --oneline',
    'git log -L1,2:README.md',
    'git blame -L 3,9 README.md',
    'git log --format=%h -n 5',
    'head -n 5 README.md',
    'tree -I node_modules src',
  ])('%s only reads', (line) => {
    expect(judge(line).verdict, judge(line).reason).toBe('allow');
  });

  it('is found behind any flag of any reading program', () => {
    const lines = READING.flatMap((start) => naming(start, '.env', 'README.md')).filter((line) => !SHOWS_NOTHING.test(line));
    const some = lines.filter((_line, index) => index % 97 === 0);
    expect(some.length).toBeGreaterThan(300);
    expect(some.filter((line) => judge(line).verdict === 'allow')).toEqual([]);
  }, 60_000);
});
