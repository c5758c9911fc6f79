/** What always asks, whatever the rules say: judged on parsed words, one command at a time. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { rmFlags } from './dangerous.js';
import { databaseImmune } from './immune-data.js';
import { farImmune } from './immune-far.js';
import { gitImmune } from './immune-git.js';
import { inlineImmune } from './inline.js';
import { optionSet, scanOptions } from './options.js';
import { HOLDS_WORKSPACE, wordProtected } from './targets.js';
import { only, possible, type ShellEnv, type ShellWord, type Simple } from './types.js';
import { namesOf } from './web.js';

interface Look {
  readonly name: string;
  readonly args: readonly ShellWord[];
  /** One or more readings of every argument. */
  readonly texts: readonly string[];
  readonly simple: Simple;
  readonly env: ShellEnv;
}

type Check = (look: Look) => Reason | undefined;

/** Why a command always asks; undefined when it does not. Wrappers are opened elsewhere. */
export function immuneOf(simple: Simple, env: ShellEnv): Reason | undefined {
  for (const name of namesOf(simple)) {
    const args = simple.words.slice(1);
    const look: Look = { name, args, texts: args.flatMap((word) => possible(word)), simple, env };
    const found =
      (Object.hasOwn(BY_NAME, name) ? BY_NAME[name]?.(look) : undefined) ??
      databaseImmune(name, simple) ??
      farImmune(name, args) ??
      inlineImmune(name, simple);
    if (found) return found;
  }
  return undefined;
}

const has = (look: Look, pattern: RegExp) => look.texts.some((text) => pattern.test(text));
const always =
  (reason: Reason): Check =>
  (look) =>
    because`${code(look.name)} ${reason}`;
const when =
  (pattern: RegExp, reason: Reason): Check =>
  (look) =>
    has(look, pattern) ? because`${code(look.name)} ${reason}` : undefined;
const same = (names: string, check: Check): Record<string, Check> =>
  Object.fromEntries(names.split(' ').map((name) => [name, check]));

const POWER = always(because`turns the machine off or restarts it`);
const RIGHTS = always(because`changes who may do what on this machine`);
const KERNEL = always(because`changes the running kernel`);
const NO_LOOK = /^(--help|-h|--version|-V)$/;

const BY_NAME: Readonly<Record<string, Check>> = {
  ...same('rm grm srm unlink', removal),
  truncate: (look) => (has(look, /^--help$/) ? undefined : because`\`truncate\` throws away the end of a file`),
  ...same('shutdown reboot poweroff halt', (look) => (look.args.length === 1 && has(look, NO_LOOK) ? undefined : POWER(look))),
  ...same('init telinit', when(/^[0-6sS]$/, because`changes the run level of the machine`)),
  ...same('sudo sudoedit doas pkexec su run0', (look) =>
    look.args.length === 1 && has(look, /^(--help|--version|-V)$/) ? undefined : RIGHTS(look),
  ),
  ...same('userdel groupdel useradd usermod groupmod adduser deluser passwd chpasswd visudo vipw gpasswd chage dscl', RIGHTS),
  ...same('setcap setfacl chattr', RIGHTS),
  ...same('insmod rmmod modprobe kexec', KERNEL),
  sysctl: (look) => (has(look, /^(-w|--write|-p|--load|--system)$|^-\w*w|^[\w./-]+=/) ? KERNEL(look) : undefined),
  ...same(
    'iptables ip6tables iptables-nft ebtables arptables',
    when(/^(-F|--flush|-X|--delete-chain|-P|--policy|-Z)$|^-\w*F/, because`removes firewall rules`),
  ),
  nft: when(/^(flush|delete|destroy)$/, because`removes firewall rules`),
  ufw: when(/^(disable|reset|delete)$/, because`removes firewall rules`),
  pfctl: when(/^-(d|F)/, because`removes firewall rules`),
  setenforce: always(because`switches off a protection of the system`),
  ...same(
    'systemctl service rc-service launchctl',
    when(
      /^(stop|disable|mask|kill|isolate|poweroff|reboot|halt|rescue|emergency|suspend|hibernate|kexec|unload|remove|bootout)$/,
      because`stops a service or the machine`,
    ),
  ),
  crontab: (look) => (has(look, /^-\w*r/) ? because`\`crontab -r\` deletes all timed jobs` : undefined),
  umount: (look) => (has(look, /^-\w*[lf]|^--(lazy|force|all)|^-a$/) ? because`\`umount\` by force may lose data` : undefined),
  ...same('swapoff losetup', when(/^(-a|-D|-d)$/, because`takes away a device in use`)),
  ...same('killall killall5 skill slay', (look) =>
    has(look, /^(-l|--list)$/) && look.args.length === 1 ? undefined : because`${code(look.name)} ends every process of a name`,
  ),
  kill: (look) => killSignal(look, false),
  pkill: (look) => killSignal(look, true),
  shred: always(because`destroys a file beyond recovery`),
  chmod: chmodOpens,
  ...same('chown chgrp', chownRoot),
  ...same(
    'nc ncat netcat nc.traditional nc.openbsd',
    when(/^-\w*[lecE]|^--(listen|exec|sh-exec)/, because`opens this machine to the network`),
  ),
  socat: when(/exec:|system:|listen/i, because`opens this machine to the network`),
  ...same('telnetd sshd ngrok chisel', always(because`opens this machine to the network`)),
  find: findRemoves,
  git: (look) => gitImmune(look.args),
  rsync: (look) => (has(look, /^--(del|delete\S*|remove-source-files)/) ? protectedArgument(look) : undefined),
  mv: protectedArgument,
  ...same(
    'rd rmdir del erase remove-item ri',
    when(/^(\/s|\/q|-recurse|-r|-force)$/i, because`deletes folders with all they hold`),
  ),
  ...same('dd dcfldd', (look) =>
    has(look, /^of=\/+dev\/(?!null$|stdout$|stderr$|fd\/\d+$|tty$)/) ? because`\`dd\` writes to a device` : undefined,
  ),
  ...same(
    'mkfs wipefs fdisk sfdisk gdisk sgdisk parted mkswap hdparm cryptsetup lvremove vgremove pvremove zfs zpool dmsetup mdadm nvme',
    (look) =>
      has(look, /^(-l|--list|-V|--version|--help|list|status|get|smart-log)$/)
        ? undefined
        : because`${code(look.name)} works on whole devices`,
  ),
};

function removal(look: Look): Reason | undefined {
  const { recursive, force, loose, targets } = rmFlags(look.args);
  if (recursive && force) return because`${code(`${look.name} -rf`)} deletes folders with all they hold`;
  const giver = look.simple.via.at(-1);
  if (giver !== undefined && /^(xargs|find|fd|parallel)$/.test(giver))
    return because`${code(giver)} lets ${code(look.name)} delete whatever it is given`;
  if (has(look, /^--no-preserve-root$/)) return because`\`rm --no-preserve-root\` may delete everything`;
  for (const target of targets) {
    const why = wordProtected(target, look.simple.cwd, look.env);
    if (why) return because`${code(look.name)} would delete ${target.source}: ${why}`;
  }
  if (targets.some((word) => word.patterns.some((pattern) => /(^|\/)(\.?\*+|\?+\*)$/.test(pattern))))
    return because`${code(look.name)} deletes all files of a folder`;
  return loose ? because`what ${code(look.name)} deletes is only known when it runs` : undefined;
}

function findRemoves(look: Look): Reason | undefined {
  return look.args.some((word) => only(word) === '-delete') ? because`\`find -delete\` deletes all it finds` : undefined;
}

function killSignal(look: Look, byName: boolean): Reason | undefined {
  if (!byName && onlyOwn(look.args)) return undefined;
  const texts = look.args.map((word) => possible(word)[0] ?? '');
  const hard = texts.some(
    (text, index) =>
      /^-(9|KILL|SIGKILL)$/i.test(text) ||
      /^(--signal|-s|-n)=?(9|KILL|SIGKILL)$/i.test(text) ||
      (/^(-s|-n|--signal)$/.test(text) && /^(9|KILL|SIGKILL)$/i.test(texts[index + 1] ?? '')),
  );
  if (hard) return because`${code(`${look.name} -9`)} ends a process without letting it save anything`;
  if (byName) return undefined;
  const targets = texts.filter((text, index) => !(index === 0 && text.startsWith('-')) && text !== '--');
  return targets.some((text) => /^-1$|^1$|^0$/.test(text)) && texts[0] !== '-0' && texts[0] !== '-l'
    ? because`\`kill\` would end every process, or the first one`
    : undefined;
}

/** The shell of this very line, its last background job, a job by number. */
function onlyOwn(args: readonly ShellWord[]): boolean {
  const targets = args.filter(
    (word, index) => !/^-/.test(word.source) && !/^(-s|-n|--signal)$/.test(args[index - 1]?.source ?? ''),
  );
  return targets.length > 0 && targets.every((word) => /^"?\$[$!]"?$|^%[\w+-]+$/.test(word.source));
}

function chmodOpens(look: Look): Reason | undefined {
  const mode =
    look.args.map((word) => possible(word)[0] ?? '').find((text) => !/^--?[RcfvhHLP]|^--/.test(text) || /^-[rwxst]/.test(text)) ??
    '';
  if (
    /^0*[0-7]?777$/.test(mode) ||
    /^(a|ugo)[+=]\w*(rwx|rxw|wrx|wxr|xrw|xwr)/.test(mode) ||
    /(^|,)o[+=]\w*w/.test(mode) ||
    /(^|,)a[+=]\w*w/.test(mode)
  )
    return because`\`chmod\` lets everyone change it`;
  if (/^0*[2-7][0-7]{3}$/.test(mode) || /[+=]\w*s/.test(mode))
    return because`\`chmod\` makes it run with the rights of its owner`;
  return has(look, /^-\w*R|^--recursive$/) ? protectedArgument(look) : undefined;
}

function chownRoot(look: Look): Reason | undefined {
  const scan = scanOptions(look.args, { valued: optionSet('--reference --from') });
  const owner = only(scan.operands[0]) ?? '';
  if (/^(root|0)(:|\.|$)/.test(owner)) return because`${code(look.name)} gives it to root`;
  return has(look, /^-\w*R|^--recursive$/) ? protectedArgument(look) : undefined;
}

/** Naming the root, a system folder, the home folder or a folder above the workspace. */
function protectedArgument(look: Look): Reason | undefined {
  for (const word of look.args) {
    if (word.prefix.startsWith('-')) continue;
    const why = wordProtected(word, look.simple.cwd, look.env);
    if (why && why !== HOLDS_WORKSPACE) return because`${code(look.name)} works on ${word.source}: ${why}`;
  }
  return undefined;
}
