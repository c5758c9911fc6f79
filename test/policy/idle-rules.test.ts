/** Rules that are read and do not count, and rules that are taken out. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRules, removeRule, saveRule } from '../../src/policy/rules-file.js';

let base = '';
let globalFile = '';
let local = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'idle-rules-'));
  globalFile = join(base, 'global.json');
  local = join(base, 'local.json');
  writeFileSync(globalFile, JSON.stringify({ rules: [{ pattern: '@coder write', action: 'allow' }], note: 1 }));
  const rules = [
    { pattern: '*', action: 'allow' },
    { pattern: '@coder write', action: 'ask' },
    { pattern: '@coder exec --cmd rm', action: 'deny' },
  ];
  writeFileSync(local, JSON.stringify({ rules }));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const load = (trust: boolean | 'changed') => loadRules({ globalFile, localFiles: [local], trustedLocal: () => trust });
const short = (set: ReturnType<typeof load>) => (set.idle ?? []).map(({ rule, why }) => `${rule.action} ${rule.pattern}: ${why}`);

describe('rules that do not count', () => {
  it('are listed with the reason; what an untrusted file denies counts', () => {
    for (const [trust, why] of [
      [false, 'untrusted'],
      ['changed', 'changed'],
    ] as const) {
      const set = load(trust);
      expect(set.rules.map(({ pattern, action }) => `${action} ${pattern}`)).toEqual([
        'allow @coder write',
        'deny @coder exec --cmd rm',
      ]);
      expect(short(set)).toEqual([`allow *: ${why}`, `ask @coder write: ${why}`]);
    }
  });
  it('are those a trusted file without merge replaces', () => {
    expect(short(load(true))).toEqual(['allow @coder write: replaced']);
  });
  it('a file that is no text is broken, not empty', () => {
    writeFileSync(local, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    expect(load(false).broken.map(({ reason }) => reason)).toEqual(['it is not UTF-8 text']);
    rmSync(local);
    mkdirSync(local);
    expect(load(false).broken).toHaveLength(1);
  });
});

describe('removing', () => {
  it('takes out every rule of a pattern and nothing else, and leaves no other file', () => {
    saveRule(globalFile, { pattern: 'a b', action: 'deny' });
    expect(removeRule(globalFile, ' @coder write ')).toBe(1);
    expect(removeRule(globalFile, '@coder write')).toBe(0);
    expect(removeRule(globalFile, 'a')).toBe(0);
    expect(JSON.parse(readFileSync(globalFile, 'utf8'))).toEqual({ rules: [{ pattern: 'a b', action: 'deny' }], note: 1 });
    expect(readdirSync(base).sort()).toEqual(['global.json', 'local.json']);
  });
  it('refuses a broken file and leaves it as it is', () => {
    writeFileSync(globalFile, '{"rules":');
    expect(() => removeRule(globalFile, 'a')).toThrow('not valid JSON');
    expect(readFileSync(globalFile, 'utf8')).toBe('{"rules":');
    expect(removeRule(join(base, 'none.json'), 'a')).toBe(0);
    expect(readdirSync(base).sort()).toEqual(['global.json', 'local.json']);
  });
});
