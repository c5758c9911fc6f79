/** Trust of folders: recorded exactly, kept private, lost on damage. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { distrustFolder, isTrusted, trustedFolders, trustFolder } from '../../src/policy/trust.js';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'policy-trust-'));
  mkdirSync(join(base, 'ws', 'sub'), { recursive: true });
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

describe('trust', () => {
  it('is given to one folder and taken back', () => {
    const state = join(base, 'state');
    expect(isTrusted(state, join(base, 'ws'))).toBe(false);
    trustFolder(state, join(base, 'ws'), 1000);
    expect(isTrusted(state, join(base, 'ws'))).toBe(true);
    expect(isTrusted(state, join(base, 'ws/'))).toBe(true);
    expect(isTrusted(state, join(base, 'ws', 'sub'))).toBe(false);
    expect(isTrusted(state, base)).toBe(false);
    expect(trustedFolders(state)).toHaveLength(1);
    expect(statSync(join(state, 'trust.json')).mode & 0o777).toBe(0o600);
    expect(distrustFolder(state, join(base, 'ws'))).toBe(true);
    expect(distrustFolder(state, join(base, 'ws'))).toBe(false);
    expect(isTrusted(state, join(base, 'ws'))).toBe(false);
  });

  it('means the same folder through a link', () => {
    const state = join(base, 'state');
    symlinkSync(join(base, 'ws'), join(base, 'link'));
    trustFolder(state, join(base, 'link'), 1000);
    expect(isTrusted(state, join(base, 'ws'))).toBe(true);
  });

  it('is not won by odd names or damage', () => {
    const state = join(base, 'state');
    mkdirSync(state);
    for (const text of ['', 'null', '[]', '{"folders":[]}', '{"folders":null}', '{"folders":{']) {
      writeFileSync(join(state, 'trust.json'), text);
      for (const folder of [join(base, 'ws'), '__proto__', 'constructor', 'toString'])
        expect(isTrusted(state, folder)).toBe(false);
    }
  });

  it('keeps what it does not know', () => {
    const state = join(base, 'state');
    mkdirSync(state);
    writeFileSync(join(state, 'trust.json'), JSON.stringify({ version: 3, folders: { '/a': { pins: ['x'] } } }));
    trustFolder(state, join(base, 'ws'), 5);
    const value = JSON.parse(readFileSync(join(state, 'trust.json'), 'utf8'));
    expect(value.version).toBe(3);
    expect(value.folders['/a']).toEqual({ pins: ['x'] });
  });
});
