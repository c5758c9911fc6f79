/** Where only `sh` runs the line, what dash reads in another way than bash asks; plain POSIX does not. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { judge, rule } from './helpers.js';

const PLAIN = [
  'ls -la | head -5',
  'cat a.txt && wc -l b.txt',
  'for f in a b; do cat "$f"; done',
  'if [ -f a ]; then cat a; fi',
  'case x in a) ls;; *) pwd;; esac',
  'while read -r line; do echo "$line"; done < a.txt',
  "cat <<'END'\ntext\nEND",
  'echo $((1 + 2))',
  '{ ls; pwd; }',
  'grep -r x . 2>&1 | sort | uniq -c',
  'ls > /dev/null 2>&1',
  'echo "${x:-y}"',
  '( ls; pwd )',
  '! grep -q x a.txt',
];

/** Each means something else, or nothing, to dash. */
const BASH_ONLY = [
  '[[ -f a ]] && cat a',
  '(( 1 < 2 )) && ls',
  'ls &> /dev/null',
  'ls |& head',
  "echo $'a\\x41'",
  'cat <<< text',
  'a=(1 2); echo "${a[0]}"',
  'cat <(ls)',
  'echo {a,b}',
  'echo ${x^^}',
  'echo ${x/a/b}',
  'echo ${!x}',
  'function f { ls; }; f',
  'select x in a b; do echo $x; done',
  'for ((i = 0; i < 2; i++)); do ls; done',
  'x+=1; echo $x',
  'echo ${x:0:2}',
];

describe('a line that sh will run', () => {
  it('asks for what is not plain POSIX, and says so', () => {
    for (const line of BASH_ONLY) {
      const decision = judge(line, [], { shell: 'sh' });
      expect([line, decision.verdict]).toEqual([line, 'ask']);
    }
    expect(judge('cat <<< text', [], { shell: 'sh' }).reason).toContain('<<<');
    // A rule speaks of what bash would read.
    expect(judge('ls &> out', [rule('allow', '@coder exec --cmd ls')], { shell: 'sh' }).verdict).toBe('ask');
  });

  it('does not ask for the rest, and bash is asked for neither', () => {
    for (const line of PLAIN) {
      expect([line, judge(line, [], { shell: 'sh' }).verdict]).toEqual([line, 'allow']);
      expect([line, judge(line, [], { shell: 'bash' }).verdict]).toEqual([line, 'allow']);
    }
    expect(judge('[[ -f a ]] && cat a', [], { shell: 'bash' }).verdict).toBe('allow');
  });

  it('is what dash really reads otherwise', (context) => {
    if (spawnSync('dash', ['-c', ':']).error) context.skip('dash is not installed');
    for (const line of PLAIN) expect([line, spawnSync('dash', ['-n', '-c', line]).status]).toEqual([line, 0]);
  });
});
