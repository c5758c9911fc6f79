import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeStrict } from '../../src/base/base64-strict.js';

const textOf = (input: string) => {
  const decoded = decodeStrict(input);
  return 'bytes' in decoded ? decoded.bytes.toString('utf8') : `${decoded.offset}: ${decoded.error}`;
};

describe('decodeStrict', () => {
  it('decodes, whatever white space stands inside', () => {
    expect(textOf('SGVsbG8gV29ybGQ=')).toBe('Hello World');
    expect(textOf(' SGVs\r\nbG8g\tV29y bGQ=\n')).toBe('Hello World');
    expect(textOf('')).toBe('');
  });
  it('round trip of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoded = decodeStrict(Buffer.from(bytes).toString('base64'));
        expect('bytes' in decoded && Buffer.compare(decoded.bytes, Buffer.from(bytes))).toBe(0);
      }),
    );
  });
  it('names a foreign byte with its offset', () => {
    expect(textOf('SGVsbG8h*IQ==')).toBe('8: "*" (U+002A) is not in the base64 alphabet');
    expect(textOf('é')).toMatch(/^0: "é" \(U\+00E9\)/);
    expect(textOf('SGVs\nbG\u00e98')).toMatch(/^7: /);
    expect(textOf('AA\u0000A')).toMatch(/^2: a control character/);
    expect(textOf('日本AA')).toMatch(/^0: /);
    expect(textOf('AA日A')).toMatch(/^2: /);
  });
  it('gives a hint for the URL-safe alphabet', () => {
    expect(textOf('ab-_')).toContain('write "+" for "-"');
    expect(textOf('ab_c')).toContain('write "/" for "_"');
  });
  it('refuses wrong length and padding', () => {
    for (const input of ['A', 'AAAAA', 'SGVsbG8', 'SGVsbG8==', 'SGVs=', 'SG==VsbG8=', '=', '====', 'AA=A'])
      expect(textOf(input), input).toMatch(/^\d+: /);
    expect(textOf('SGVsbG9=')).toContain('bits that belong to no byte');
  });
});
