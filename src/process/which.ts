/** Finds a program in PATH without a shell. */
import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isPythonFolder } from './safe-path.js';

const WINDOWS = process.platform === 'win32';

function isProgram(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Absolute path of a program by its bare name, or undefined. Relative entries of PATH (`.`, empty) are passed over,
 * so that a file in the folder worked in never stands for a system program.
 */
export function which(name: string, env: Readonly<Record<string, string>>): string | undefined {
  return find(name, env, () => true);
}

/**
 * The same for programs we run of our own accord (git, ripgrep, a shell): what a project installs for itself, in
 * `node_modules` or a Python environment, never stands for them.
 */
export function whichSystem(name: string, env: Readonly<Record<string, string>>): string | undefined {
  return find(name, env, (folder) => !/[\\/]node_modules[\\/]/.test(folder) && !isPythonFolder(folder));
}

function find(name: string, env: Readonly<Record<string, string>>, isFine: (folder: string) => boolean): string | undefined {
  if (name === '' || name.includes('\0') || name.includes('/') || (WINDOWS && name.includes('\\'))) return undefined;
  const path = env['PATH'] ?? env['Path'] ?? '';
  const endings = WINDOWS ? (env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';') : [''];
  for (const folder of path.split(WINDOWS ? ';' : ':')) {
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (isProgram(file) && isFine(folder)) return file;
    }
  }
  return undefined;
}
