/** Errors of the disk as faults a model can act on: what was wrong, with which path, and what would work. */
import { type ErrorCode, ToolFault } from '../types/tool.js';
import type { Located } from '../types/workspace.js';

const TEXTS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  ELOOP: 'symbolic links lead in a circle',
  ENAMETOOLONG: 'the name or path is longer than the system allows',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EISDIR: 'it is a directory',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EBUSY: 'the file is in use',
  EIO: 'the disk reported an input/output error',
  ENXIO: 'it is not an ordinary file',
};

/** The errno name of a thrown value, or undefined. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Any thrown value as a ToolFault that names `shown`. `doing` is what failed, such as "read". */
export function diskFault(error: unknown, doing: string, shown: string): ToolFault {
  if (error instanceof ToolFault) return error;
  const code = errnoOf(error);
  if (code === 'ENOENT') return new ToolFault('NotFound', `cannot ${doing} ${clip(shown)}: it does not exist`);
  if (code)
    return new ToolFault(code as ErrorCode, `cannot ${doing} ${clip(shown)}: ${TEXTS[code] ?? 'the system refused'} (${code})`);
  const text = error instanceof Error ? error.message : String(error);
  return new ToolFault('Failed', `cannot ${doing} ${clip(shown)}: ${text}`);
}

/** A very long path cut for a message. */
export function clip(shown: string): string {
  return shown.length <= 400 ? shown : `${shown.slice(0, 300)}... (${shown.length} characters)`;
}

/** Why a path in this zone is not read. */
export function unreadable(located: Located, root: string): ToolFault {
  return refusal(located, root, 'read');
}

/** Why a path in this zone is not written. */
export function unwritable(located: Located, root: string): ToolFault {
  if (located.zone === 'git') {
    return new ToolFault(
      'Sensitive',
      `${clip(located.shown)} is inside a .git folder, which file tools do not write: it holds code and settings that git runs. Use git commands through exec.`,
    );
  }
  if (located.zone === 'scratch') {
    return new ToolFault(
      'OutsideWorkspace',
      `${clip(located.shown)} can be read but not written. Write inside the workspace ${root}.`,
    );
  }
  return refusal(located, root, 'write');
}

function refusal(located: Located, root: string, doing: string): ToolFault {
  const shown = clip(located.shown);
  switch (located.zone) {
    case 'system':
      return new ToolFault('Sensitive', `${shown} is a system path. File tools never ${doing} it, and no approval opens it.`);
    case 'personal':
      return new ToolFault(
        'Sensitive',
        `${shown} holds personal credentials. To ${doing} it a person must approve this very call.`,
      );
    case 'own':
      return new ToolFault(
        'Sensitive',
        `${shown} is this program's own policy, configuration or state. To ${doing} it a person must approve this very call.`,
      );
    default: {
      const given = located.given.length < 200 && located.given !== located.shown ? ` (given as ${located.given})` : '';
      return new ToolFault(
        'OutsideWorkspace',
        `${shown}${given} is outside the workspace ${root}. Use a path inside it, or the user can start with --add-dir to include another folder.`,
      );
    }
  }
}
