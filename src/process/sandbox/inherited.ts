/** Files that whoever started us left open: a command that inherits one, of a folder say, reaches past its sandbox. Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const CLOSED_BY_EXEC = 0o2000000;

let found: readonly number[] | undefined;

/** Descriptors above the streams that a program started by us would inherit. Our own never are. Looked up once; never throws. */
export function inheritedHandles(): readonly number[] {
  found ??= openHandles().filter((handle) => handle > 2 && isInherited(handle));
  return found;
}

function openHandles(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function isInherited(handle: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_BY_EXEC) === 0;
  } catch {
    return false;
  }
}

/** The same program, started by a shell that closes these descriptors first. Only bash can close those above 9. */
export function closingFirst(
  program: { readonly file: string; readonly args: readonly string[] },
  handles: readonly number[],
  bash: string,
): { readonly file: string; readonly args: string[] } {
  const close = handles.map((handle) => `${handle}>&-`).join(' ');
  return { file: bash, args: ['--noprofile', '--norc', '-c', `exec ${close}; exec "$@"`, 'bash', program.file, ...program.args] };
}
