/** Every wrapper around every payload: a wrapper never makes a verdict milder. */
import { describe, expect, it } from 'vitest';
import { isStricter, type Severity } from '../../src/policy/shell/types.js';
import { judge, rule } from './helpers.js';

/** How a payload is put behind a wrapper; `quoted` is the payload as one single-quoted word. */
type Wrap = (payload: string, quoted: string) => string;

const PREFIXES =
  'env|env -i|env FOO=1|/usr/bin/env|timeout 5|timeout -k 1 -s KILL 5|nice|nice -n 5|nice -5|ionice -c 3|nohup|setsid|setsid -w|stdbuf -oL|time|time -p|/usr/bin/time -f %e|command|builtin|exec|exec -a x|busybox|toybox|chronic|unbuffer|strace -f|ltrace|valgrind|gdb --args|firejail|fakeroot|dbus-run-session|xvfb-run|caffeinate -i|sudo|sudo -n|sudo -u bob|sudo A=b|doas|doas -u bob|pkexec|unshare -r|systemd-run --user|prlimit --nofile=1|taskset 1|chrt 1|linux64|poetry run|uv run|pipenv run|bundle exec|mise exec --|conda run -n x|direnv exec .|doppler run --|cross-env A=b|xargs|xargs -n1|xargs -0 -I@|find . -exec|git bisect run|flock x|script -q x|watch|parallel|! |coproc|nice nohup timeout 3 env X=1 setsid|command command|exec env|/lib64/ld-linux-x86-64.so.2'.split(
    '|',
  );

const WRAPS: readonly (readonly [string, Wrap])[] = [
  ...PREFIXES.map(
    (prefix) =>
      [prefix, (payload: string) => (prefix === 'find . -exec' ? `${prefix} ${payload} \\;` : `${prefix} ${payload}`)] as const,
  ),
  ...[
    'sh -c',
    'bash -c',
    'bash -lc',
    'bash -ec',
    'bash -c --',
    'dash -c',
    'zsh -c',
    '/bin/sh -c',
    'eval',
    'su -c',
    'su root -c',
    'script -c',
    'flock x -c',
    'watch',
    'sudo sh -c',
    'env bash -c',
    'xargs sh -c',
    'find . -exec sh -c',
    'git -c alias.x=!ls x; bash -c',
    'busybox sh -c',
    'nix-shell --run',
    'tmux new',
    'env -S',
    'git rebase -x',
    'git submodule foreach',
    'exec bash -c',
  ].map(
    (prefix) =>
      [
        prefix,
        (_payload: string, quoted: string) => (prefix.startsWith('find') ? `${prefix} ${quoted} \\;` : `${prefix} ${quoted}`),
      ] as const,
  ),
  ['trap', (_payload, quoted) => `trap ${quoted} EXIT`],
  ['git alias', (payload) => `git -c alias.x='!${payload.replaceAll("'", "'\\''")}' x`],
  ['bash here-string', (_payload, quoted) => `bash <<< ${quoted}`],
  ['bash here-document', (payload) => `bash <<'END'\n${payload}\nEND`],
  ['cat here-document | sh', (payload) => `cat <<'END' | sh\n${payload}\nEND`],
  ['echo | sh', (_payload, quoted) => `echo ${quoted} | sh`],
  ['printf | bash', (_payload, quoted) => `printf '%s\\n' ${quoted} | bash`],
  ['substitution', (payload) => `echo $(${payload})`],
  ['quoted substitution', (payload) => `echo "$(${payload})"`],
  ['assignment', (payload) => `x=$(${payload})`],
  ['default value', (payload) => `echo "\${x:-$(${payload})}"`],
  ['arithmetic', (payload) => `echo $(( $(${payload}) ))`],
  ['process substitution', (payload) => `cat <(${payload})`],
  ['output substitution', (payload) => `ls > >(${payload})`],
  ['here-document body', (payload) => `cat <<END\n$(${payload})\nEND`],
  ['subshell', (payload) => `(${payload})`],
  ['group', (payload) => `{ ${payload}; }`],
  ['function', (payload) => `f() { ${payload}; }; f`],
  ['if', (payload) => `if ${payload}; then ls; fi`],
  ['else', (payload) => `if ls; then ls; else ${payload}; fi`],
  ['while', (payload) => `while ls; do ${payload}; done`],
  ['until', (payload) => `until ${payload}; do ls; done`],
  ['for', (payload) => `for i in a; do ${payload}; done`],
  ['for words', (payload) => `for i in $(${payload}); do ls; done`],
  ['case', (payload) => `case a in a) ${payload};; esac`],
  ['case word', (payload) => `case $(${payload}) in a) ls;; esac`],
  ['test', (payload) => `[[ -n $(${payload}) ]]`],
  ['redirection target', (payload) => `ls > $(${payload})`],
  ['and', (payload) => `ls && ${payload}`],
  ['or', (payload) => `ls || ${payload}`],
  ['semicolon', (payload) => `ls;${payload}`],
  ['background', (payload) => `ls & ${payload}`],
  ['pipe', (payload) => `ls | ${payload}`],
  ['pipe both', (payload) => `ls |& ${payload}`],
  ['line', (payload) => `ls\n${payload}`],
  ['comment line', (payload) => `ls # x\n${payload}`],
  ['continuation', (payload) => `ls \\\n; ${payload}`],
  ['negation', (payload) => `! ${payload}`],
  ['redirected', (payload) => `${payload} 2>/dev/null`],
];

const PAYLOADS: readonly (readonly [string, Severity])[] = [
  ['rm -rf /', 'immune'],
  ['dd if=/dev/zero of=/dev/sda', 'immune'],
  ['git push --force', 'immune'],
  ['cat ~/.ssh/id_rsa', 'immune'],
  ['shutdown now', 'immune'],
  ['touch x', 'ask'],
  ['npm test', 'ask'],
];

describe('wrappers', () => {
  it.each(PAYLOADS)('never make "%s" milder than %s', (payload, least) => {
    const quoted = `'${payload.replaceAll("'", "'\\''")}'`;
    const milder = WRAPS.map(([name, wrap]) => ({ name, line: wrap(payload, quoted) }))
      .map((entry) => ({ ...entry, decision: judge(entry.line) }))
      .filter(({ decision }) => isStricter(least, decision.verdict));
    expect(milder).toEqual([]);
  });

  it('never let a rule for the wrapper alone cover what it runs', () => {
    const names = PREFIXES.filter((prefix) =>
      /^(env|timeout|nice|nohup|setsid|stdbuf|time|command|exec|xargs|poetry|bundle)/.test(prefix),
    );
    for (const prefix of names) {
      const rules = [rule('allow', `@coder exec ${prefix.split(' ')[0]}`)];
      expect(judge(`${prefix} touch x`, rules).verdict, prefix).not.toBe('allow');
    }
    expect(judge('timeout 5 npm test', [rule('allow', '@coder exec npm test')]).verdict).toBe('allow');
    expect(judge('timeout 5 npm test', [rule('allow', '@coder exec timeout 5 npm test')]).verdict).toBe('allow');
    expect(judge('poetry run pytest', [rule('allow', '@coder exec poetry run pytest')]).verdict).toBe('allow');
    expect(judge("bash -c 'npm test'", [rule('allow', '@coder exec npm test')]).verdict).toBe('allow');
    expect(judge("bash -c 'npm test'", [rule('allow', '@coder exec bash')]).verdict).toBe('ask');
  });

  it('let readers pass behind wrappers that add nothing', () => {
    for (const prefix of ['env', 'timeout 5', 'nice', 'nohup', 'setsid', 'stdbuf -oL', 'time', 'command', 'exec', 'builtin']) {
      expect(judge(`${prefix} pwd`).verdict, prefix).toBe('allow');
    }
    for (const shell of ['sh', 'bash', 'dash', '/bin/sh'])
      expect(judge(`${shell} -c 'git status && ls'`).verdict, shell).toBe('allow');
  });

  it('let deny rules find the name in every wrapper', () => {
    const rules = [rule('deny', '@coder exec touch'), rule('allow', '@coder exec')];
    const missed = WRAPS.map(([name, wrap]) => ({ name, line: wrap('touch x', "'touch x'") })).filter(
      ({ line }) => judge(line, rules).verdict === 'allow',
    );
    expect(missed).toEqual([]);
  });
});
