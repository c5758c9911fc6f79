/** A text in the user's own editor. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Config } from '../config.js';
import { deafToKeys } from '../stop.js';

/**
 * Opens `$VISUAL` or `$EDITOR` (else vi) on the text; undefined: it ended badly and nothing counts. Throws when it cannot start.
 * With `name` it is the text of such a file, to the last line end; otherwise a message.
 */
export async function editOutside(
  text: string,
  config: Pick<Config, 'env' | 'tmp' | 'root'>,
  name?: string,
): Promise<string | undefined> {
  const named = config.env['VISUAL'] || config.env['EDITOR'] || 'vi';
  // As git takes it: a program with its options, by words.
  const [program = 'vi', ...args] = named.trim().split(/\s+/);
  const folder = mkdtempSync(join(config.tmp, 'chatcli-edit-'));
  try {
    const file = join(folder, name === undefined ? 'message.md' : plainName(name));
    writeFileSync(file, text, { mode: 0o600 });
    const code = await deafToKeys(
      new Promise<number | null>((resolve, reject) => {
        const child = spawn(program, [...args, file], { cwd: config.root, env: config.env, stdio: 'inherit' });
        child.on('error', reject);
        child.on('close', resolve);
      }),
    );
    if (code !== 0) return undefined;
    const edited = readFileSync(file, 'utf8');
    return name === undefined ? edited.replace(/\n$/, '') : edited;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The last part of a path, as no editor takes it for an option. */
const plainName = (path: string): string =>
  basename(path)
    .replace(/[^\w.-]/g, '_')
    .replace(/^[-.]+/, '') || 'file.txt';
