/** Reads small files of our own state: ordinary files only, no link followed, never waiting on a pipe or a device. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** All bytes. Throws errno errors; `ENXIO` for what is no ordinary file, `EFBIG` for more than `maxBytes`. */
export function readRegular(path: string, maxBytes: number): Buffer {
  if (!lstatSync(path).isFile()) throw refusal('ENXIO', path);
  const fd = openSync(path, FLAGS);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw refusal('ENXIO', path);
    if (stat.size > maxBytes) throw refusal('EFBIG', path);
    const bytes = Buffer.alloc(stat.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(fd, bytes, length, bytes.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

function refusal(code: 'ENXIO' | 'EFBIG', path: string): Error {
  const what = code === 'ENXIO' ? 'is not an ordinary file' : 'is too large';
  return Object.assign(new Error(`${code}: ${path} ${what}`), { code });
}
