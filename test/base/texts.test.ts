import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffStat } from '../../src/base/diff-stat.js';
import { expandPath } from '../../src/base/expand-path.js';
import { createKeyedLocks } from '../../src/base/keyed-locks.js';
import { bomOf, decodeShown, decodeUtf16, detect, encodeText, kindOf, loneSurrogate } from '../../src/base/text-encoding.js';
import { countLines, splitBreaks, splitLines } from '../../src/base/text-lines.js';

describe('diffStat', () => {
  it('counts the fewest added and removed lines', () => {
    expect(diffStat('a\nb\nc\n', 'a\nx\nc\n')).toEqual({ added: 1, removed: 1 });
    expect(diffStat('', 'a\nb')).toEqual({ added: 2, removed: 0 });
    expect(diffStat('a\nb\nc\nd\n', 'b\nd\ne\n')).toEqual({ added: 1, removed: 2 });
    expect(diffStat('a\n', 'a\r\n')).toEqual({ added: 1, removed: 1 });
    const many = diffStat('a\n'.repeat(5000), 'b\n'.repeat(6000));
    expect(many).toEqual({ added: 6000, removed: 5000 });
  });

  it('agrees with a longest common subsequence on small texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
        for (let i = a.length - 1; i >= 0; i--)
          for (let j = b.length - 1; j >= 0; j--) {
            const row = table[i] as number[];
            row[j] = a[i] === b[j] ? (table[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
          }
        const common = table[0]?.[0] ?? 0;
        const join = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
        expect(diffStat(join(a), join(b))).toEqual({ added: b.length - common, removed: a.length - common });
      }),
    );
  });
});

describe('lines', () => {
  it('are split with the ending each one has', () => {
    expect(splitLines('a\r\nb\n\nc')).toMatchObject([
      { text: 'a', ending: '\r\n', start: 0 },
      { text: 'b', ending: '\n', start: 3 },
      { text: '', ending: '\n', start: 5 },
      { text: 'c', ending: '', start: 6 },
    ]);
    expect(splitLines('a\rb')).toHaveLength(1);
    expect(splitBreaks('a\r\nb\n')).toEqual({ pieces: ['a', 'b', ''], endings: ['\r\n', '\n'] });
    expect(['', 'a', 'a\n', 'a\nb', '\n'].map(countLines)).toEqual([0, 1, 1, 2, 1]);
  });
});

describe('encodings', () => {
  it('are told from the bytes', () => {
    const kind = (bytes: Buffer) => {
      const { encoding, bom, binary } = detect(bytes);
      return `${encoding}${bom ? '+bom' : ''}${binary ? ' binary' : ''}`;
    };
    expect(kind(Buffer.from('aä'))).toBe('utf-8');
    expect(kind(Buffer.from('\ufeffa'))).toBe('utf-8+bom');
    expect(kind(Buffer.from('\ufeffa', 'utf16le'))).toBe('utf-16le+bom');
    expect(kind(Buffer.from('\ufeffa', 'utf16le').swap16())).toBe('utf-16be+bom');
    expect(kind(Buffer.from('\xe4 ', 'latin1'))).toBe('bytes');
    expect(kind(Buffer.from([65, 0, 66]))).toBe('utf-8 binary');
    expect(kind(Buffer.from('%PDF-1.4 text'))).toBe('utf-8 binary');
    expect(kindOf(Buffer.from('RIFF0000WEBPxx'))?.mediaType).toBe('image/webp');
    const cut = Buffer.from('aaaä').subarray(0, 4);
    expect([detect(cut).encoding, detect(cut, { whole: false }).encoding]).toEqual(['bytes', 'utf-8']);
  });

  it('are left and entered without loss', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const encoding of ['utf-16le', 'utf-16be'] as const)
          expect(decodeUtf16(encodeText(text, encoding), encoding)).toBe(text);
        if (loneSurrogate(text) < 0) expect(encodeText(text, 'utf-8').toString('utf8')).toBe(text);
      }),
    );
    expect(bomOf('utf-16be').toString('hex')).toBe('feff');
    expect([loneSurrogate('a😀'), loneSurrogate('ab\ud83d'), loneSurrogate('\ude00')]).toEqual([-1, 2, 0]);
  });

  it('show every byte that is not UTF-8, and nothing else, as an escape', () => {
    expect(decodeShown(Buffer.from('6180c3a4c328f09f9880ed a080ff'.replace(' ', ''), 'hex'))).toEqual({
      text: 'a\\x80ä\\xC3(😀\\xED\\xA0\\x80\\xFF',
      escaped: 6,
    });
  });
});

const braced = (name: string) => ['$', `{${name}}`].join('');

describe('expandPath', () => {
  const options = { home: '/h', env: { A: 'x', EMPTY: '' }, platform: 'linux' };
  it('expands home and set variables only', () => {
    expect(
      ['~', '~/a', '~b/c', '$A/b', `p${braced('A')}q`, '$B', braced('B'), '$', 'a$A$A', '$EMPTY/x', '%A%', '$1'].map((path) =>
        expandPath(path, options),
      ),
    ).toEqual(['/h', '/h/a', '~b/c', 'x/b', 'pxq', '$B', braced('B'), '$', 'axx', '/x', '%A%', '$1']);
    expect(expandPath('%a%\\b', { ...options, platform: 'win32' })).toBe('x\\b');
    expect(expandPath('$__proto__/$constructor', options)).toBe('$__proto__/$constructor');
  });
});

describe('keyed locks', () => {
  it('keep work on one key apart, let other keys run, survive failures', async () => {
    const locks = createKeyedLocks();
    const log: string[] = [];
    const work = (name: string, ms: number) => async () => {
      log.push(`${name} in`);
      await new Promise((done) => setTimeout(done, ms));
      log.push(`${name} out`);
    };
    await Promise.all([
      locks.run(['a', 'b'], work('1', 20)),
      locks.run(['b', 'a'], work('2', 1)),
      locks.run(['c'], work('3', 1)),
    ]);
    expect(log.filter((entry) => !entry.startsWith('3'))).toEqual(['1 in', '1 out', '2 in', '2 out']);
    expect(log.indexOf('3 out')).toBeLessThan(log.indexOf('1 out'));
    await expect(locks.run(['a'], () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await locks.run(['a', 'a'], async () => 7)).toBe(7);
  });
});
