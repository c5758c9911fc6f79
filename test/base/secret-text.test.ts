/** Keys in every form that programs print them, and text that must stay as it is. */
import { describe, expect, it } from 'vitest';
import { createRedactor, createRedactStream, KEY_MARK, learnSecret, redactValue } from '../../src/base/secret-text.js';

const KEY = 'q9Z+secret/"0123456789abcdef';
const redact = createRedactor([KEY]);
/** Put together here, so that no file of this project holds the shape of a key. */
const shape = (prefix: string, rest: string) => `${prefix}${rest}`;
const LONG = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';

describe('a known key', () => {
  it.each([
    ['plain', KEY],
    ['in an address', `https://x.test/?key=${encodeURIComponent(KEY)}&a=1`],
    ['in JSON', JSON.stringify({ key: KEY })],
    ['in a header', `authorization: Bearer ${KEY}\r\n`],
    ['in hex', Buffer.from(KEY).toString('hex')],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in web base64', Buffer.from(KEY).toString('base64url')],
    ['in base64, one byte in', Buffer.from(`:${KEY}`).toString('base64')],
    ['in base64, two bytes in, more behind', Buffer.from(`u:${KEY}\nmore`).toString('base64')],
    ['in base64 over two lines', Buffer.from(`user:${KEY}`).toString('base64').replace(/.{20}/g, '$&\n')],
    ['backwards', [...KEY].reverse().join('')],
  ])('is hidden %s', (_name, text) => {
    const safe = redact(`before ${text} after`);
    expect(safe).toContain(KEY_MARK);
    expect(safe).toMatch(/^before .* after$/s);
    // Nothing long enough to be of use is left of any form.
    for (const form of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('hex'), Buffer.from(KEY).toString('base64')])
      for (let at = 0; at + 12 <= form.length; at++) expect(safe).not.toContain(form.slice(at, at + 12));
  });

  it('is hidden once it was learned', () => {
    const safe = createRedactor([]);
    expect(safe('see learned-key-0815 here')).toBe('see learned-key-0815 here');
    learnSecret('learned-key-0815');
    expect(safe('see learned-key-0815 here')).toBe(`see ${KEY_MARK} here`);
  });

  it('is hidden wherever a text is cut into pieces', () => {
    const text = `one two\n${KEY}\nthree ${Buffer.from(KEY).toString('base64')} four\n`;
    for (let at = 0; at <= text.length; at++) {
      const stream = createRedactStream(redact);
      expect(stream.push(text.slice(0, at)) + stream.push(text.slice(at)) + stream.end()).toBe(redact(text));
    }
    const letters = createRedactStream(redact);
    expect([...text].map((one) => letters.push(one)).join('') + letters.end()).toBe(redact(text));
  });
});

describe('shapes of keys', () => {
  it.each([
    shape('sk-', LONG),
    shape('sk-ant-api03-', LONG),
    shape('sk-proj-', LONG),
    shape('AI', `za${LONG.slice(0, 35)}`),
    shape('gh', `p_${LONG.slice(0, 36)}`),
    shape('github', `_pat_${LONG}`),
    shape('gl', `pat-${LONG.slice(0, 20)}`),
    shape('AK', 'IAQ4J7ZP5WN2TLDMXC'),
    shape('npm', `_${LONG.slice(0, 36)}`),
    shape('xoxb', `-1234567890-${LONG}`),
    shape('hf', `_${LONG}`),
  ])('%s', (key) => {
    for (const around of ['', ' ', '"', '=', ':', '\n', '/', '@'])
      expect(redact(`x${around === '' ? ' ' : around}${key}${around}`)).not.toContain(key.slice(8, 24));
  });

  it('a private key loses its body, also in numbered lines', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDF0123456789ab';
    const begin = '-----BEGIN RSA PRIVATE KEY-----';
    const pem = `${begin}\n${line}\n${line}\nc2hvcnQ=\n-----END RSA PRIVATE KEY-----\nafter\n`;
    expect(redact(pem)).toBe(`${begin} ${KEY_MARK}\n-----END RSA PRIVATE KEY-----\nafter\n`);
    const numbered = pem
      .split('\n')
      .map((one, at) => `${at + 1} | ${one}`)
      .join('\n');
    expect(redact(numbered)).not.toContain(line.slice(0, 20));
    expect(redact(numbered)).toContain('after');
    expect(redact(`${begin}\n${line}\n`)).not.toContain(line);
    expect(redact(JSON.stringify({ pem }))).not.toContain(line);
  });

  it('leave everyday text alone', () => {
    for (const text of [
      'sk-circle-fade-dot-animation-long-name',
      'task-sk-12345678901234567890',
      'const map = object[key];',
      "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return parse(text);\nconst next = 1;\n",
      `const pem = "-----BEGIN PRIVATE KEY-----\\n" + body + "\\n-----END PRIVATE KEY-----";`,
      `sha512-${Buffer.from(LONG.repeat(2)).toString('base64')}`,
      'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
      'process.env.OPENAI_API_KEY',
      'ghp_short',
      '',
    ])
      expect(redact(text)).toBe(text);
  });
});

describe('a value', () => {
  it('is changed in its strings alone, and stays the same object without a key', () => {
    const clean = { type: 'x', list: [1, 'a', null, { b: true }] };
    expect(redactValue(clean, redact)).toBe(clean);
    const value = { type: KEY, meta: KEY, text: KEY, list: [{ deep: `a ${KEY}` }, 1], [KEY]: 2 };
    expect(redactValue(value, redact)).toEqual({
      type: KEY,
      meta: KEY,
      text: KEY_MARK,
      list: [{ deep: `a ${KEY_MARK}` }, 1],
      [KEY]: 2,
    });
  });
});

describe('a key that tools print over lines', () => {
  const key = 'sk-test-qzTOPkey7781xyzSECRETvalue00123456';
  const hex = Buffer.from(key).toString('hex');
  const redact = createRedactor([key]);
  it.each([
    ['fold', key.replace(/(.{5})/g, '$1\n')],
    ['cut', `${key.slice(0, 20)}\n${key.slice(20)}`],
    ['xxd -p', hex.replace(/(.{30})/g, '$1\n')],
    [
      'od -tx1',
      (hex.match(/.{1,32}/g) ?? [])
        .map((line, at) => `${(at * 16).toString(8).padStart(7, '0')} ${(line.match(/../g) ?? []).join(' ')}`)
        .join('\n'),
    ],
    ['upper case with colons', (hex.toUpperCase().match(/../g) ?? []).join(':')],
    ['a C array', (hex.match(/../g) ?? []).map((byte) => `0x${byte}`).join(', ')],
  ])('%s', (_name, text) => {
    const safe = redact(`before ${text} after`);
    expect(safe).toContain('[hidden key]');
    expect(safe.replace(/\s/g, '')).not.toContain(key.slice(8, 24));
    expect(safe.toLowerCase().replace(/[^0-9a-f]/g, '')).not.toContain(hex.slice(16, 48));
    expect(safe).toMatch(/^before [\s\S]* after$/);
  });
});
