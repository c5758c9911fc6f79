/** Programs that run another program given as their further words: how to find it, and whether they add anything. */

export interface Wrapper {
  /** Options with a value. */
  readonly valued?: string;
  /** Options that are known to add nothing. When a plain wrapper has another one, it asks. */
  readonly fine?: string;
  /** Operands before the program: a duration, a lock file, a root folder. */
  readonly skip?: number;
  /** `NAME=value` words may stand before the program. */
  readonly assigns?: boolean;
  /** Words that must come first (`uv run`); without them it is no wrapper. */
  readonly subs?: readonly string[];
  /** `plain`: adds nothing. `ask`: does something of its own. `immune`: raises rights. */
  readonly kind: 'plain' | 'ask' | 'immune';
  /** Local paths mean nothing inside. */
  readonly away?: boolean;
  /** Options whose value is a shell script. */
  readonly script?: string;
  /** The operands together are a shell script. */
  readonly joined?: boolean;
}

const plain = (valued: string, fine: string, extra: Partial<Wrapper> = {}): Wrapper => ({
  kind: 'plain',
  valued,
  fine,
  ...extra,
});
const ask = (valued = '', extra: Partial<Wrapper> = {}): Wrapper => ({ kind: 'ask', valued, ...extra });
const runners = (names: string, sub: readonly string[], valued = ''): [string, Wrapper][] =>
  names.split(' ').map((name) => [name, ask(valued, { subs: sub })]);

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'timeout',
    plain('-k --kill-after -s --signal', '-k --kill-after -s --signal --preserve-status --foreground -v --verbose', { skip: 1 }),
  ],
  ['gtimeout', plain('-k --kill-after -s --signal', '-k --kill-after -s --signal --preserve-status --foreground', { skip: 1 })],
  ['nice', plain('-n --adjustment', '-n --adjustment -0 -1 -2 -3 -4 -5 -6 -7 -8 -9')],
  ['ionice', plain('-c -n -p -P -u --class --classdata', '-c -n -t --class --classdata --ignore')],
  ['nohup', plain('', '')],
  ['setsid', plain('', '-w --wait -c --ctty -f --fork')],
  ['stdbuf', plain('-i -o -e --input --output --error', '-i -o -e --input --output --error')],
  ['time', plain('-f --format -o --output', '-p -v --verbose --portability -f --format')],
  ['builtin', plain('', '')],
  ['exec', plain('-a', '')],
  ['nocorrect', plain('', '')],
  ['noglob', plain('', '')],
  ['busybox', plain('', '')],
  ['toybox', plain('', '')],
  ['caffeinate', plain('-t -w', '-d -i -m -s -u -t')],
  ['chrt', ask('-p --pid -T -P -D', { skip: 1 })],
  ['taskset', ask('', { skip: 1 })],
  ['prlimit', ask()],
  ['cpulimit', ask('-l -p -e -c --limit')],
  ['setarch', ask('', { skip: 1 })],
  ['linux32', ask()],
  ['linux64', ask()],
  [
    'sudo',
    {
      kind: 'immune',
      valued:
        '-u -g -h -p -C -r -t -T -D -R -U --user --group --host --prompt --chdir --chroot --close-from --role --type --other-user',
      assigns: true,
    },
  ],
  ['doas', { kind: 'immune', valued: '-u -C' }],
  ['pkexec', { kind: 'immune', valued: '--user' }],
  ['run0', { kind: 'immune', valued: '-u --user --property' }],
  ['gosu', { kind: 'immune', skip: 1 }],
  ['su-exec', { kind: 'immune', skip: 1 }],
  [
    'setpriv',
    { kind: 'immune', valued: '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --selinux-label' },
  ],
  ['su', { kind: 'immune', valued: '-c --command -s --shell -g -G -w', script: '-c --command' }],
  ['runuser', { kind: 'immune', valued: '-c --command -s --shell -g -G -u --user', script: '-c --command' }],
  ['sg', { kind: 'immune', valued: '-c', script: '-c' }],
  ['chroot', { kind: 'immune', valued: '--userspec --groups', skip: 1, away: true }],
  ['unshare', ask('--setuid --setgid -R --root -w --wd --propagation --map-user --map-group', { away: false })],
  ['nsenter', { kind: 'immune', valued: '-t --target -S -G --setuid --setgid -r -w' }],
  [
    'systemd-run',
    ask('-p --property --unit --slice -E --setenv --uid --gid --on-calendar --on-active --working-directory -t -M'),
  ],
  ['systemd-inhibit', ask('--what --who --why --mode')],
  ['start-stop-daemon', ask('-x --exec -a --startas -p --pidfile -u --user -n --name')],
  ['firejail', ask()],
  ['bwrap', ask('--bind --ro-bind --dev --proc --tmpfs --dir --chdir --setenv --unsetenv --symlink')],
  ['proot', ask('-r -b -w -R -S')],
  ['fakeroot', ask('-l -s -i -u')],
  ['strace', ask('-e -o -p -s -u -E -a -b -I -O -S -P -X')],
  ['ltrace', ask('-e -o -p -s -u -n -l')],
  ['valgrind', ask()],
  ['gdb', ask('-x -ex --command --eval-command -p')],
  ['perf', ask('-e -o -p -F -g', { subs: ['stat', 'record', 'trace'] })],
  ['rlwrap', ask('-f -H -a -p -s')],
  ['unbuffer', ask()],
  ['chronic', ask()],
  ['ts', ask()],
  ['entr', ask()],
  ['watchexec', ask('-w -e -f -i -d --watch --exts')],
  ['nodemon', ask('-w -e -x --watch --ext --exec', { script: '-x --exec' })],
  ['xvfb-run', ask('-e -f -n -p -s -w')],
  ['dbus-run-session', ask()],
  ['ssh-agent', ask('-t -a')],
  ['cross-env', ask('', { assigns: true })],
  ['dotenv', ask('-e -f')],
  ['dotenvx', ask('-f', { subs: ['run'] })],
  ['direnv', ask('', { subs: ['exec'], skip: 1 })],
  ['script', ask('-c --command -o -t -T -I -O -B -E -m', { script: '-c --command', skip: 1 })],
  ['watch', ask('-n --interval -q --equexit', { joined: true })],
  ['flock', ask('-w --wait --timeout -E -c --command', { skip: 1, script: '-c --command' })],
  [
    'tmux',
    ask('-L -S -f -c -n -s -t -x -y -e', {
      subs: [
        'new',
        'new-session',
        'new-window',
        'split-window',
        'send-keys',
        'send',
        'run-shell',
        'run',
        'if-shell',
        'respawn-pane',
      ],
      joined: true,
    }),
  ],
  ['screen', ask('-S -h -c -s -t -T -e')],
  ['expect', ask('-c -f', { script: '-c' })],
  ['conda', ask('-n -p --name --prefix --cwd', { subs: ['run'] })],
  ['mamba', ask('-n -p --name --prefix', { subs: ['run'] })],
  ['nix-shell', ask('-p -A -I --run --command', { script: '--run --command' })],
  ['nix', ask('-c --command', { subs: ['develop', 'shell', 'run'] })],
  ['aws-vault', ask('-d', { subs: ['exec'], skip: 1 })],
  ...runners('poetry pipenv hatch pdm rye uv', ['run'], '--with --python -p --project --directory --env-file --extra --group'),
  ...runners('doppler op chamber', ['run'], '-p -c --env-file'),
  ...runners('bundle mise asdf rtx', ['exec', 'x']),
  ...runners('rbenv pyenv nodenv goenv', ['exec']),
]);

export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'zsh',
  'ksh',
  'mksh',
  'ksh93',
  'fish',
  'rbash',
  'rsh',
  'csh',
  'tcsh',
  'yash',
  'osh',
  'elvish',
  'nu',
  'xonsh',
  'pwsh',
  'powershell',
]);
/** Shells that read a script the way the parser does. */
export const BASH_LIKE: ReadonlySet<string> = new Set(['sh', 'bash', 'dash']);
export const INTERPRETERS: ReadonlySet<string> = new Set([
  'python',
  'python2',
  'python3',
  'pypy',
  'pypy3',
  'perl',
  'ruby',
  'node',
  'nodejs',
  'bun',
  'deno',
  'php',
  'lua',
  'luajit',
  'tclsh',
  'Rscript',
  'osascript',
  'groovy',
  'scala',
  'elixir',
  'julia',
  'ipython',
  'irb',
  'ts-node',
  'tsx',
  'awk',
  'gawk',
  'source',
  '.',
  'psql',
  'mysql',
  'sqlite3',
  'crontab',
  'at',
  'batch',
]);

/** The name of a program without folder and Windows ending. */
export function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(/\.(exe|cmd|bat|com)$/i, '');
}
