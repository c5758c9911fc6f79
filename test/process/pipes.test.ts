/** Pipes are pipes: what lies in a folder others can write is never taken for one. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, readFileSync, readSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openBoth } from '../../src/process/pipes.js';

const base = mkdtempSync(join(tmpdir(), 'pipes-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('openBoth', () => {
  it('gives both ends of a named pipe', (context) => {
    if (process.platform === 'win32') return context.skip('there are no named pipes');
    const path = join(base, 'pipe');
    execFileSync('mkfifo', [path]);
    const { read, write } = openBoth(path);
    writeSync(write, 'through');
    const bytes = Buffer.alloc(20);
    expect(bytes.toString('utf8', 0, readSync(read, bytes))).toBe('through');
    for (const end of [read, write]) closeSync(end);
    symlinkSync(path, join(base, 'link'));
    expect(() => openBoth(join(base, 'link'))).toThrow();
  });

  it('takes neither a file nor a link to one, and leaves it as it is', () => {
    const file = join(base, 'file');
    writeFileSync(file, 'kept');
    symlinkSync(file, join(base, 'planted'));
    expect(() => openBoth(file)).toThrow('is no pipe');
    expect(() => openBoth(join(base, 'planted'))).toThrow();
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });
});
