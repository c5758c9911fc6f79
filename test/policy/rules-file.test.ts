/** Rule files on disk: the original's format, trust, broken files, saving without loss. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRules, parseRules, saveRule } from '../../src/policy/rules-file.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'policy-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const globalFile = () => join(folder, 'state', 'coder_policy.json');
const localFile = () => join(folder, 'ws', 'coder_policy.json');
function put(path: string, value: unknown): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
const load = (trustedLocal: boolean, more: Partial<Parameters<typeof loadRules>[0]> = {}) =>
  loadRules({ globalFile: globalFile(), localFiles: [localFile()], trustedLocal, ...more });
const shown = (set: ReturnType<typeof loadRules>) => set.rules.map((rule) => `${rule.action} ${rule.pattern}`);

const GLOBAL = {
  rules: [
    { pattern: '@coder read', action: 'allow' },
    { pattern: '@coder exec', action: 'ask' },
    { pattern: '@coder exec terraform', action: 'deny' },
  ],
};

describe('loading', () => {
  it('takes nothing from nothing, and writes nothing', () => {
    expect(load(true)).toEqual({ rules: [], broken: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reads the global file and the command line', () => {
    put(globalFile(), GLOBAL);
    const set = load(false, { allow: ['@coder write ', ''], deny: ['@coder exec rm'] });
    expect(shown(set)).toEqual([
      'allow @coder read',
      'ask @coder exec',
      'deny @coder exec terraform',
      'deny @coder exec rm',
      'allow @coder write',
    ]);
    expect(set.rules[0]?.origin).toBe(globalFile());
    expect(set.rules.at(-1)?.origin).toBe('--allow');
  });

  it('takes only denials from an untrusted folder', () => {
    put(globalFile(), GLOBAL);
    put(localFile(), {
      merge: false,
      rules: [
        { pattern: '@coder exec', action: 'allow' },
        { pattern: '@coder write', action: 'deny' },
      ],
    });
    expect(shown(load(false))).toEqual([...GLOBAL.rules.map((rule) => `${rule.action} ${rule.pattern}`), 'deny @coder write']);
  });

  it('lets a trusted file without merge replace what allows and asks, never what denies', () => {
    put(globalFile(), GLOBAL);
    put(localFile(), { rules: [{ pattern: '@coder exec npm test', action: 'allow' }] });
    expect(shown(load(true))).toEqual(['deny @coder exec terraform', 'allow @coder exec npm test']);
  });

  it('lets a trusted file with merge override equal patterns, never what denies', () => {
    put(globalFile(), GLOBAL);
    put(localFile(), {
      merge: true,
      rules: [
        { pattern: '@coder read', action: 'ask' },
        { pattern: '@coder exec terraform', action: 'allow' },
      ],
    });
    expect(shown(load(true))).toEqual([
      'ask @coder exec',
      'deny @coder exec terraform',
      'ask @coder read',
      'allow @coder exec terraform',
    ]);
  });

  it('reads a file once when the folder is the home of the global one', () => {
    put(globalFile(), GLOBAL);
    expect(loadRules({ globalFile: globalFile(), localFiles: [globalFile()], trustedLocal: true }).rules).toHaveLength(3);
  });

  it('accepts a byte order mark and an action in capitals', () => {
    put(globalFile(), '\uFEFF{"rules":[{"pattern":" @coder read ","action":"ALLOW"}]}');
    expect(shown(load(false))).toEqual(['allow @coder read']);
  });
});

describe('broken files', () => {
  it.each([
    ['cut off', '{"rules":[{"pattern":"@coder'],
    ['empty', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['rules no list', '{"rules":{}}'],
    ['a rule no object', '{"rules":["deny all"]}'],
    ['no action', '{"rules":[{"pattern":"x"}]}'],
    ['unknown action', '{"rules":[{"pattern":"x","action":"block"}]}'],
    ['pattern a number', '{"rules":[{"pattern":1,"action":"deny"}]}'],
    ['merge a text', '{"merge":"yes","rules":[]}'],
    ['too many', JSON.stringify({ rules: Array.from({ length: 10_001 }, () => ({ pattern: 'x', action: 'deny' })) })],
    ['too large', `{"rules":[]}${' '.repeat(1 << 20)}`],
  ])('are named: %s', (_name, text) => {
    put(globalFile(), text);
    const set = load(false);
    expect(set.rules).toEqual([]);
    expect(set.broken).toHaveLength(1);
    expect(set.broken[0]).toMatchObject({ file: globalFile() });
    expect(set.broken[0]?.reason).toMatch(/^\S/);
  });

  it('are named when no file, or a link that leads nowhere', () => {
    mkdirSync(globalFile(), { recursive: true });
    expect(load(false).broken).toHaveLength(1);
    mkdirSync(join(folder, 'ws'));
    symlinkSync('/nowhere/at/all', localFile());
    expect(load(false).broken).toHaveLength(2);
  });

  it('do not hide the other files', () => {
    put(globalFile(), '{');
    put(localFile(), { rules: [{ pattern: '@coder write', action: 'deny' }] });
    expect(shown(load(false))).toEqual(['deny @coder write']);
  });

  it('never throw, whatever they hold', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof parseRules(text, 'x') === 'object'),
      { numRuns: 300 },
    );
  });
});

describe('saving', () => {
  it('makes a private file', () => {
    saveRule(globalFile(), { pattern: '@coder write', action: 'allow' });
    expect(JSON.parse(readFileSync(globalFile(), 'utf8'))).toEqual({ rules: [{ pattern: '@coder write', action: 'allow' }] });
    expect(statSync(globalFile()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'state'))).toEqual(['coder_policy.json']);
  });

  it('keeps merge, unknown keys and other rules, and changes an equal pattern', () => {
    put(globalFile(), {
      merge: true,
      note: 'mine',
      rules: [
        { pattern: 'a', action: 'ask', why: 'x' },
        { pattern: 'b', action: 'deny' },
      ],
    });
    saveRule(globalFile(), { pattern: 'a', action: 'allow' });
    saveRule(globalFile(), { pattern: 'c', action: 'deny' });
    expect(JSON.parse(readFileSync(globalFile(), 'utf8'))).toEqual({
      merge: true,
      note: 'mine',
      rules: [
        { pattern: 'a', action: 'allow', why: 'x' },
        { pattern: 'b', action: 'deny' },
        { pattern: 'c', action: 'deny' },
      ],
    });
  });

  it('follows a link and leaves it a link', () => {
    const real = put(join(folder, 'dotfiles', 'p.json'), { rules: [] });
    mkdirSync(join(folder, 'state'));
    symlinkSync(real, globalFile());
    saveRule(globalFile(), { pattern: 'a', action: 'deny' });
    expect(readFileSync(real, 'utf8')).toContain('"deny"');
    expect(shown(load(false))).toEqual(['deny a']);
  });

  it('never replaces a broken file', () => {
    put(globalFile(), '{"rules":[{"pattern":"@coder exec","action":"deny"}');
    const before = readFileSync(globalFile(), 'utf8');
    expect(() => saveRule(globalFile(), { pattern: 'a', action: 'allow' })).toThrow(/not valid JSON/);
    expect(readFileSync(globalFile(), 'utf8')).toBe(before);
  });

  it('refuses empty and overlong patterns', () => {
    expect(() => saveRule(globalFile(), { pattern: '  ', action: 'allow' })).toThrow();
    expect(() => saveRule(globalFile(), { pattern: 'x'.repeat(501), action: 'allow' })).toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing behind when the disk refuses', ({ skip }) => {
    put(globalFile(), { rules: [] });
    if (process.getuid?.() === 0) {
      process.stderr.write('skipped: root may write anywhere\n');
      skip('root may write anywhere');
    }
    chmodSync(join(folder, 'state'), 0o500);
    expect(() => saveRule(globalFile(), { pattern: 'a', action: 'allow' })).toThrow();
    chmodSync(join(folder, 'state'), 0o700);
    expect(readdirSync(join(folder, 'state'))).toEqual(['coder_policy.json']);
  });
});
