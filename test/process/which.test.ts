/** Programs are found in PATH, and never in the folder worked in. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';

const folder = mkdtempSync(join(tmpdir(), 'which-'));
const program = join(folder, 'tool');
writeFileSync(program, '#!/bin/sh\n');
chmodSync(program, 0o755);
mkdirSync(join(folder, 'folder'));
writeFileSync(join(folder, 'plain'), '');

describe('which', () => {
  it('finds a program and nothing else', () => {
    expect(which('tool', { PATH: `/nowhere:${folder}` })).toBe(program);
    expect(which('folder', { PATH: folder })).toBeUndefined();
    expect(which('plain', { PATH: folder })).toBeUndefined();
    expect(which('missing', { PATH: folder })).toBeUndefined();
  });
  it('passes over relative entries and strange names', () => {
    expect(which('tool', { PATH: `.::${folder.slice(1)}` })).toBeUndefined();
    expect(which('', { PATH: folder })).toBeUndefined();
    expect(which('../tool', { PATH: `${folder}/folder` })).toBeUndefined();
    expect(which('to\0ol', { PATH: folder })).toBeUndefined();
    expect(which('tool', {})).toBeUndefined();
  });
});
