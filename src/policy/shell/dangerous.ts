/** The short list that is refused outright: deletion of what must not go, raw devices, formatting. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { isAmong, optionSet, scanOptions } from './options.js';
import { isHarmlessDevice } from './paths.js';
import { FIND_RUNS } from './readers/find.js';
import { whyProtected, wordProtected } from './targets.js';
import { only, possible, type ShellEnv, type ShellWord, type Simple } from './types.js';
import { baseName } from './wrapper-list.js';

/** Why a command is dangerous; undefined when it is not. Looks at this one command, not inside wrappers. */
export function dangerOf(simple: Simple, env: ShellEnv): Reason | undefined {
  const device = writesDevice(simple);
  if (device) return device;
  for (const full of simple.words[0] ? possible(simple.words[0]) : []) {
    const found = dangerByName(baseName(full).toLowerCase(), simple.words.slice(1), simple, env);
    if (found) return found;
  }
  return undefined;
}

function dangerByName(name: string, args: readonly ShellWord[], simple: Simple, env: ShellEnv): Reason | undefined {
  switch (name) {
    case 'rm':
    case 'grm':
    case 'srm':
    case 'rimraf':
      return deletes(name, args, simple, env);
    case 'npx':
    case 'bunx':
      return /^rimraf(@|$)/.test(only(args.find((word) => !word.prefix.startsWith('-'))) ?? '')
        ? deletes('rimraf', args.slice(1), simple, env)
        : undefined;
    case 'find':
    case 'gfind':
      return findDeletes(args, simple, env);
    case 'dd':
    case 'dcfldd':
      return args.flatMap((word) => possible(word)).some((text) => text.startsWith('of=') && isRawDevice(text.slice(3)))
        ? because`${code(name)} writes to a raw device`
        : undefined;
    case 'tee':
    case 'cp':
    case 'mv':
    case 'install':
    case 'shred':
    case 'truncate':
    case 'badblocks':
    case 'ddrescue':
    case 'pv':
    case 'ln':
      return lastDevice(name, args);
    default:
      return formats(name, args);
  }
}

/** Does `rm` get an option for recursion, in any spelling? */
export function rmFlags(args: readonly ShellWord[]): {
  recursive: boolean;
  force: boolean;
  loose: boolean;
  targets: readonly ShellWord[];
} {
  const scan = scanOptions(args);
  const guessed = scan.operands
    .filter((word) => only(word) === undefined)
    .flatMap((word) => possible(word))
    .filter((text) => /^-[a-zA-Z]+$/.test(text))
    .flatMap((text) => [...text.slice(1)].map((letter) => `-${letter}`));
  const names = [...scan.options.map((option) => option.name), ...guessed];
  const has = (short: RegExp, long: string) =>
    names.some((name) => short.test(name) || (name.length > 3 && isAmong(name, optionSet(long))));
  return {
    recursive: has(/^-[rR]$|^--r$/, '--recursive --no-preserve-root'),
    force: has(/^-f$|^--f$/, '--force'),
    loose: scan.operands.some((word) => word.unknown && word.splits && !word.listed),
    targets: scan.operands,
  };
}

function deletes(name: string, args: readonly ShellWord[], simple: Simple, env: ShellEnv): Reason | undefined {
  const { recursive, targets } = rmFlags(args);
  if (!recursive && name !== 'rimraf') return undefined;
  for (const target of targets) {
    const why = wordProtected(target, simple.cwd, env);
    if (why) return because`${code(name)} would delete ${target.source} and all below it: ${why}`;
  }
  return undefined;
}

/** `find / -delete`, with nothing that narrows it down. */
function findDeletes(args: readonly ShellWord[], simple: Simple, env: ShellEnv): Reason | undefined {
  const texts = args.map((word) => only(word) ?? '');
  const at = texts.findIndex((text) => text.startsWith('-') && !/^-[HLP]$/.test(text));
  const roots = args.slice(0, at < 0 ? undefined : at).filter((word) => !/^-[HLP]$/.test(only(word) ?? ''));
  const starts = roots.length > 0 ? roots : undefined;
  const why = starts
    ? starts.map((root) => wordProtected(root, simple.cwd, env)).find((found) => found !== undefined)
    : whyProtected('.', simple.cwd, env);
  if (!why) return undefined;
  const removes =
    texts.includes('-delete') ||
    texts.some(
      (text, index) => FIND_RUNS.has(text) && /^(\/?(usr\/)?s?bin\/)?(rm|shred|unlink|srm)$/.test(texts[index + 1] ?? ''),
    );
  if (!removes || narrows(texts.slice(at))) return undefined;
  return because`\`find\` would delete everything below ${roots.map((word) => word.source).join(' ') || '.'}: ${why}`;
}

function narrows(texts: readonly string[]): boolean {
  return texts.some(
    (text, index) =>
      /^-(i?name|i?path|i?wholename|i?regex|size|[acm](time|min)|newer\w*|empty|user|group|perm|[il]name|maxdepth|inum|links)$/.test(
        text,
      ) &&
      !/^[*?]*\*[*?]*$/.test(texts[index + 1] ?? '') &&
      !(text === '-maxdepth' && texts[index + 1] !== '0'),
  );
}

/** A disk, a partition, memory: writing there destroys what it holds. */
export function isRawDevice(path: string): boolean {
  return /^\/+dev\/+(r?disk\d|sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|loop\d|dm-\d|md\d|sr\d|nbd\d|zram\d|ram\d|mapper\/|disk\/|block\/|mtd|k?mem$|port$|zvol\/|ubi\d)/.test(
    path.replace(/\/\.\//g, '/').replace(/\/{2,}/g, '/'),
  );
}

function writesDevice(simple: Simple): Reason | undefined {
  for (const redirect of simple.redirects) {
    if (!redirect.op.includes('>') || !redirect.target) continue;
    const device = [...possible(redirect.target)].find((text) => isRawDevice(text));
    if (device) return because`it writes to the raw device ${device}`;
  }
  return undefined;
}

function lastDevice(name: string, args: readonly ShellWord[]): Reason | undefined {
  const words =
    name === 'cp' || name === 'install' || name === 'ln'
      ? args.slice(-1).concat(args.filter((word) => /^(-t|--target-directory)/.test(word.prefix)))
      : args;
  const device = words.flatMap((word) => possible(word)).find((text) => isRawDevice(text.replace(/^--?[\w-]+=/, '')));
  if (name === 'mv' || name === 'pv')
    return device && name === 'mv' ? because`${code(name)} replaces the raw device ${device}` : undefined;
  return device ? because`${code(name)} writes to the raw device ${device}` : undefined;
}

const FORMATTERS =
  /^(mkfs|mkfs\..+|mke2fs|mkntfs|mkdosfs|mkexfatfs|mkswap|newfs(_.+)?|wipefs|blkdiscard|mkreiserfs|mkudffs|pvcreate|luksformat)$/;

/** Programs that make a new file system or wipe a disk. */
function formats(name: string, args: readonly ShellWord[]): Reason | undefined {
  const texts = args.flatMap((word) => possible(word));
  if (FORMATTERS.test(name)) {
    const operands = scanOptions(args).operands;
    const files =
      operands.length > 0 &&
      operands.every(
        (word) => only(word) !== undefined && !/^\/+dev\//.test(only(word) ?? '') && !/^\d+$/.test(only(word) ?? ''),
      );
    if (name === 'wipefs' && !texts.some((text) => /^(-\w*a|--all|-o|--offset)/.test(text))) return undefined;
    return files || texts.some((text) => /^(--help|--version|-V)$/.test(text))
      ? undefined
      : because`${code(name)} formats a device`;
  }
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const rules: Record<string, () => boolean> = {
    sgdisk: () => has(/^(-Z|-z|-o|--zap|--zap-all|--clear)/),
    sfdisk: () => has(/^\/dev\//) && !has(/^(-l|--list|-d|--dump|-J|--json)$/),
    fdisk: () => has(/^\/dev\//) && !has(/^(-l|--list|-s)$/),
    parted: () => has(/^(mklabel|mktable|rm|mkpart|resizepart)$/),
    cryptsetup: () => has(/^(luksFormat|erase|luksErase|reencrypt)$/),
    nvme: () => has(/^(format|sanitize)$/),
    hdparm: () => has(/^--(security-erase|security-erase-enhanced|trim-sector)/),
    diskutil: () => has(/^(erase|zero|secureErase|partitionDisk|reformat)/i),
    mdadm: () => has(/^--zero-superblock/),
    zpool: () => has(/^(destroy|labelclear)$/),
    format: () => has(/^[A-Za-z]:/),
    'format.com': () => has(/^[A-Za-z]:/),
    flashrom: () => has(/^(-w|--write|-E|--erase)/),
  };
  return Object.hasOwn(rules, name) && rules[name]?.() ? because`${code(name)} formats or wipes a device` : undefined;
}

/** Is a word a device that is neither raw nor harmless? Used by the list that always asks. */
export function isOtherDevice(path: string): boolean {
  return /^\/+dev\//.test(path) && !isHarmlessDevice(path) && !/^\/dev\/(tty|pts\/|shm\/)/.test(path);
}
