/** The environment a command gets: nothing waits for a person, nothing is coloured, nothing runs before the command. */

/**
 * Set so that programs neither page, colour, prompt nor open an editor. `false` as an editor fails at once and says so;
 * git gets `true` for messages it already has (`rebase --continue`), an empty new message still aborts.
 */
const QUIET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  AWS_PAGER: '',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  PYTHONUNBUFFERED: '1',
};

/** Variables that make a shell run or resolve something else than the command line says, or a test runner think it is nested. */
const DROPPED = new Set([
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'BASH_XTRACEFD',
  'PS4',
  'CDPATH',
  'GLOBIGNORE',
  'PROMPT_COMMAND',
  'OLDPWD',
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
  'COLORTERM',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'NODE_TEST_CONTEXT',
  'JEST_WORKER_ID',
  'VITEST_WORKER_ID',
  'VITEST_POOL_ID',
]);

/**
 * Git settings for every command: no repository that merely lies in a folder is taken for one, and looking at one starts no
 * monitor program. They come after what the user's environment sets already.
 */
const GIT_GUARDS: readonly (readonly [string, string])[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
];

function gitGuards(env: Readonly<Record<string, string>>): Record<string, string> {
  const first = /^\d{1,4}$/.test(env['GIT_CONFIG_COUNT'] ?? '') ? Number(env['GIT_CONFIG_COUNT']) : 0;
  const guards: Record<string, string> = { GIT_CONFIG_COUNT: String(first + GIT_GUARDS.length) };
  for (const [index, [key, value]] of GIT_GUARDS.entries()) {
    guards[`GIT_CONFIG_KEY_${first + index}`] = key;
    guards[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  return guards;
}

/** `env` made quiet for one command that starts in `cwd`. Exported shell functions are left out: they would hide programs. */
export function commandEnv(env: Readonly<Record<string, string>>, cwd: string): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (!DROPPED.has(name) && !name.startsWith('BASH_FUNC_')) result[name] = value;
  return { ...result, ...QUIET, ...gitGuards(result), PWD: cwd };
}
