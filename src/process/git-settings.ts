/** Settings under which git reads a repository without running anything the repository brings. */

/** Beat every configuration file. Hooks, monitors, pagers, prompts, transports and signature programs are off. */
const SETTINGS: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.askPass=',
  'core.sshCommand=false',
  'core.alternateRefsCommand=false',
  'core.quotePath=false',
  'credential.helper=',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'status.relativePaths=true',
  'diff.autoRefreshIndex=false',
  'diff.submodule=short',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
  'diff.relative=false',
  'log.showSignature=false',
  'log.follow=false',
  'log.mailmap=false',
  'gpg.program=false',
  'gpg.openpgp.program=false',
  'gpg.x509.program=false',
  'gpg.ssh.program=false',
  'color.ui=false',
  'color.diff=false',
  'color.status=false',
  'color.branch=false',
  'column.ui=never',
  'column.branch=never',
  'column.status=never',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** The words before the subcommand. */
export function safeWords(): string[] {
  return ['--no-pager', '--no-optional-locks', ...SETTINGS.flatMap((setting) => ['-c', setting])];
}

/**
 * `env` for git: every `GIT_*` of the caller is gone (a foreign `GIT_DIR` would read another repository), no transport
 * may be used, missing objects are not fetched, and the content filters named are switched off.
 */
export function gitEnv(env: Readonly<Record<string, string>>, filters: readonly string[]): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('GIT_')));
  const off = filters.flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ]);
  const pairs = off.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...kept,
    ...Object.fromEntries(pairs),
    GIT_CONFIG_COUNT: String(off.length),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
}
