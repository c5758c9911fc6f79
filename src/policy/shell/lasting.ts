/** What a rule may allow but the mode `auto` leaves to a person: it reaches out of the folder, or is not to be undone. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { rmFlags } from './dangerous.js';
import { splitGit } from './readers/git.js';
import { only, possible, type Simple } from './types.js';
import { namesOf } from './web.js';

const FAR_PROGRAMS =
  /^(aws|gcloud|az|kubectl|oc|helm|terraform|tofu|terragrunt|pulumi|cdk|serverless|sls|sam|gh|glab|heroku|flyctl|fly|vercel|netlify|railway|wrangler|firebase|supabase|doctl|eksctl|ansible|ansible-playbook|rclone|gsutil|s3cmd|psql|mysql|mariadb|mongosh|mongo|redis-cli|sqlcmd|nc|ncat|netcat|telnet|ftp|sftp|scp|mail|sendmail)$/;
const LOOKS =
  /^(plan|fmt|validate|init|show|output|providers|graph|preview|template|lint|list|ls|status|search|version|describe(-.*)?|list-.*|get(-.*)?|head-.*|info|whoami|logs|help|diff|explain|top|view|checks)$/;
const SENDS =
  /^(-d|-F|-T|--data(-\w+)?|--form(-string)?|--upload-file|--json|--post-(data|file)|--body-(data|file))(=|$)|^-[dFT]./;
const INSTALLS: Readonly<Record<string, RegExp>> = {
  pip: /^(install|uninstall)( |$)/,
  pip3: /^(install|uninstall)( |$)/,
  pipx: /^(install|uninstall|upgrade)/,
  python: /^pip (install|uninstall)( |$)/,
  python3: /^pip (install|uninstall)( |$)/,
  uv: /^(tool (install|uninstall)|pip install --system)/,
  cargo: /^(install|uninstall)( |$)/,
  go: /^install( |$)/,
  gem: /^(install|uninstall|update)( |$)/,
  brew: /^(install|uninstall|remove|upgrade|reinstall|cleanup|tap)( |$)/,
  apt: /./,
  'apt-get': /./,
  dnf: /./,
  yum: /./,
  apk: /./,
  pacman: /./,
  snap: /./,
  rustup: /./,
  yarn: /^global /,
};

/** Why `auto` does not agree to a command; undefined when nothing speaks against it. */
export function lastingOf(simple: Simple): Reason | undefined {
  const args = simple.words.slice(1);
  const texts = args.flatMap((word) => possible(word).slice(0, 1));
  const verbs = texts.filter((text) => !text.startsWith('-')).join(' ');
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  for (const name of namesOf(simple)) {
    if (
      FAR_PROGRAMS.test(name) &&
      !verbs
        .split(' ')
        .slice(0, 4)
        .some((word) => LOOKS.test(word))
    )
      return because`${code(name)} works on what lies elsewhere`;
    if (/^(curl|wget|http|xh)$/.test(name) && (has(SENDS) || has(/^(-X|--request(=|$)|--method)|^(POST|PUT|PATCH|DELETE)$/)))
      return because`${code(name)} sends something elsewhere`;
    if (name === 'rsync' && (has(/^--del|^--remove-source-files/) || has(/^[^/]+:/)))
      return because`${code(name)} deletes files, or sends them elsewhere`;
    if (name === 'rm' && rmFlags(args).recursive) return because`${code('rm -r')} deletes folders with all they hold`;
    if ((name === 'dd' || name === 'dcfldd') && has(/^of=/)) return because`${code(name)} overwrites a file`;
    if (/^(pkill|kill)$/.test(name) && !ownJobs(simple)) return because`${code(name)} ends processes that may not be this run's`;
    const installs = Object.hasOwn(INSTALLS, name) ? INSTALLS[name] : undefined;
    if (installs?.test(verbs) || (/^(npm|pnpm|bun)$/.test(name) && has(/^(-g|--global|--location=global)$/)))
      return because`${code(name)} installs or removes programs outside the workspace`;
    const git = name === 'git' ? splitGit(args) : undefined;
    if (git?.sub === 'push') return because`${code('git push')} changes what others see`;
    if (git?.sub === 'config' && git.args.some((word) => /^--(global|system|file)|^-f/.test(only(word) ?? '')))
      return because`${code('git config')} changes settings outside the workspace`;
  }
  return undefined;
}

/** `kill %1`, `kill $!`: jobs of this very line. */
function ownJobs(simple: Simple): boolean {
  const targets = simple.words.slice(1).filter((word) => !word.source.startsWith('-'));
  return targets.length > 0 && targets.every((word) => /^"?\$[$!]"?$|^%/.test(word.source));
}
