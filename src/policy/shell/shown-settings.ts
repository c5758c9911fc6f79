/**
 * Commands that only read, but show settings in which passwords and keys are kept by custom: the environment of containers and
 * services, git's headers and addresses. Decided by what may be shown, not by what is there: `git config --list` asks, one
 * harmless key does not. Logs, `ps`, `git remote -v` and `go env` are read every day and stay readings; keys the program knows
 * are hidden in what they print.
 */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { optionSet, scanOptions } from './options.js';
import { splitGit } from './readers/git.js';
import { only, type ShellWord } from './types.js';

const shows = (what: string) => because`${code(what)} may show passwords or keys that are kept in settings`;

/** Why a command may show secrets kept in settings; undefined when it does not. */
export function showsSettings(name: string, args: readonly ShellWord[]): Reason | undefined {
  if (/^(docker|podman|nerdctl)$/.test(name)) return container(name, args);
  if (name === 'systemctl') return service(args);
  if (name === 'kubectl' || name === 'oc') return cluster(name, args);
  return name === 'git' ? git(args) : undefined;
}

/** Fields of a container or image that hold neither environment nor command line. */
const PLAIN_FIELD =
  /^(State|Id|ID|Name|Names|Created|Image|RestartCount|NetworkSettings|Mounts|Driver|Platform|RepoTags|RepoDigests|Size|Architecture|Os|Status)(\.\w+)*$/;

function container(name: string, args: readonly ShellWord[]): Reason | undefined {
  const [first, second] = args.map((word) => only(word) ?? '');
  const scan = scanOptions(args, { valued: optionSet('-f --format --filter -n --tail --type') });
  if (first === 'inspect' || second === 'inspect') {
    if (first === 'network') return undefined;
    const format = scan.options.find((option) => option.name === '-f' || option.name === '--format');
    const fields = [...(only(format?.value) ?? '{{').matchAll(/\{\{([^{}]*)(\}\})?/g)].map((match) => match[1]?.trim() ?? '');
    return fields.every((field) => field.startsWith('.') && PLAIN_FIELD.test(field.slice(1)))
      ? undefined
      : shows(`${name} inspect`);
  }
  const what = first === 'container' || first === 'image' ? second : first;
  // The words behind the container are options of ps, where a letter shows the environment.
  if (what === 'top' && scan.operands.length + scan.options.length > (first === 'container' ? 3 : 2)) return shows(`${name} top`);
  if (what === 'history' && scan.options.some((option) => option.name.startsWith('--no-t')))
    return shows(`${name} history --no-trunc`);
  return undefined;
}

function service(args: readonly ShellWord[]): Reason | undefined {
  const scan = scanOptions(args, { valued: optionSet('-p --property -t --type --state -n --lines') });
  if (only(scan.operands[0]) !== 'show' && only(scan.operands[0]) !== 'cat') return undefined;
  const wanted = scan.options
    .filter((option) => /^(-p|--prop.*|-P)$/.test(option.name))
    .map((option) => only(option.value) ?? '');
  const plain = wanted.length > 0 && wanted.every((names) => names !== '' && !/env|exec|cred|pass/i.test(names));
  return plain ? undefined : shows('systemctl show');
}

/** Kinds of things in a cluster that have no environment. */
const PLAIN_KINDS =
  /^(no|nodes?|ns|namespaces?|svc|services?|ev|events?|ing|ingress(es)?|pv|pvc|persistentvolumes?|persistentvolumeclaims?|sc|storageclass(es)?|endpoints|ep)(\/|$)/;

function cluster(name: string, args: readonly ShellWord[]): Reason | undefined {
  const scan = scanOptions(args, {
    valued: optionSet('-n --namespace -o --output -l --selector -c --container --context --sort-by --field-selector -L'),
  });
  const [sub, kind] = scan.operands.map((word) => only(word) ?? '');
  if (sub !== 'get' && sub !== 'describe') return undefined;
  const full = scan.options.some(
    (option) => /^(-o|--output)$/.test(option.name) && !/^(wide|name)$/.test(only(option.value) ?? ''),
  );
  if (sub === 'get' && !full) return undefined;
  return (kind ?? '').split(',').every((one) => PLAIN_KINDS.test(one)) ? undefined : shows(`${name} ${sub}`);
}

const SECRET_SETTING = /extraheader|cookie|^(https?|url|credential|sendemail|imap|remote)\.|pass|token|secret|key$|proxy/i;

function git(args: readonly ShellWord[]): Reason | undefined {
  const { sub, args: rest } = splitGit(args);
  const scan = scanOptions(rest);
  const has = (pattern: RegExp) => scan.options.some((option) => pattern.test(option.name));
  if (sub === 'var') return has(/^-l$/) ? shows('git var -l') : undefined;
  if (sub !== 'config' || has(/^--name-o/)) return undefined;
  const words = scan.operands.map((word) => only(word));
  const list = has(/^(-l|--li.*|--get-r.*|--get-u.*|--reg.*)$/) || words[0] === 'list';
  const secret = words.find((word) => word === undefined || (SECRET_SETTING.test(word) && !/\.(url|pushurl|fetch)$/i.test(word)));
  const reads = has(/^--get/) || words[0] === 'get' || words.length === 1;
  return list || (reads && words.includes(undefined)) || (reads && secret !== undefined) ? shows('git config') : undefined;
}
