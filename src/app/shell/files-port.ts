/** Writes a file the user named: private, and over another file only when that was asked for. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FilesPort } from '../../types/command-ports.js';
import type { Text } from '../../ui/text/index.js';

export function filesPort(root: string, home: string, text: Text): FilesPort {
  return {
    write(given, content, { replace }) {
      const path = resolve(root, given.replace(/^~(?=\/|$)/, home));
      try {
        writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
        return { path, replaced: false };
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'EEXIST') throw new Error(text.t('export.failed', { path, reason: message }));
        if (!replace) throw new Error(text.t('export.exists', { path }));
      }
      replaceFile(path, content, text);
      return { path, replaced: true };
    },
  };
}

/** A plain file only, never through a link at its end. */
function replaceFile(path: string, content: string, text: Text): void {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(file).isFile()) throw new Error('not a plain file');
    ftruncateSync(file, 0);
    writeFileSync(file, content);
  } catch (error) {
    throw new Error(text.t('export.failed', { path, reason: (error as Error).message }));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
