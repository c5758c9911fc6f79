/** Real paths that nobody inside a sandbox can bend, and the small questions asked about places. */
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

const MOST_LINKS = 40;

/** Is `path` the folder itself or below it? Both absolute and real. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** What stands at a path, links not followed; undefined when nothing can be seen there. Never throws. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * The real path of something that exists, or undefined. A link that lies where `writable` says commands may write is not
 * followed: whoever wrote it could point it at anything.
 */
export function stablePath(path: string, writable: (place: string) => boolean): string | undefined {
  if (!isAbsolute(path) || path.includes('\0')) return undefined;
  let left = resolve(path).split('/');
  let real = '/';
  for (let links = 0; left.length > 0; ) {
    const [name, ...rest] = left as [string, ...string[]];
    if (name === '' || name === '.' || name === '..') {
      left = rest;
      if (name === '..') real = dirname(real);
      continue;
    }
    const next = join(real, name);
    const stat = look(next);
    if (stat === undefined) return undefined;
    left = rest;
    if (!stat.isSymbolicLink()) {
      real = next;
      continue;
    }
    if (++links > MOST_LINKS || writable(real)) return undefined;
    const target = targetOf(next);
    if (target === undefined) return undefined;
    left = [...target.split('/'), ...rest];
    if (isAbsolute(target)) real = '/';
  }
  return real;
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/** Folders that hold the system: never opened for writing because a variable or a list names them. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(
  (
    '/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /media /mnt /nix /opt /proc /root /run /sbin /snap /srv /sys /usr ' +
    '/var /Applications /Library /System /Users /Volumes /cores /private /private/etc /private/var /private/var/db ' +
    '/usr/bin /usr/lib /usr/lib64 /usr/libexec /usr/local /usr/local/bin /usr/local/lib /usr/local/sbin /usr/sbin /usr/share ' +
    '/var/cache /var/lib /var/log /var/spool /var/run'
  )
    .split(' ')
    .filter(Boolean),
);

/** Below these nothing is a cache or a temporary folder. */
const CLOSED_TREES = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/sbin',
  '/sys',
  '/usr/bin',
  '/usr/lib',
  '/usr/sbin',
];

export function isSystemFolder(path: string): boolean {
  return SYSTEM_FOLDERS.has(path) || CLOSED_TREES.some((tree) => isBelow(path, tree));
}
