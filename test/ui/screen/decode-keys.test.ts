/** Bytes of a keyboard become the same keys however they are cut; replies and hostile pastes never become typed text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyDecoder, type DecoderOptions } from '../../../src/ui/screen/decode-keys.js';
import type { Key } from '../../../src/ui/screen/port.js';

/** Keys with text runs joined, so that cuts inside a run make no difference. */
function joined(keys: readonly Key[]): Key[] {
  const out: Key[] = [];
  for (const key of keys) {
    const last = out.at(-1);
    if (key.kind === 'text' && last?.kind === 'text') out[out.length - 1] = { kind: 'text', text: last.text + key.text };
    else out.push(key);
  }
  return out;
}

function decode(chunks: readonly (string | Uint8Array)[], options: DecoderOptions = {}): Key[] {
  const decoder = createKeyDecoder(options);
  const keys = chunks.flatMap((chunk) => decoder.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk));
  return joined([...keys, ...decoder.settle()]);
}

/** A key in a few letters: `C-c`, `M-enter`, `S-tab`, `"text"`, `<paste>`. */
function short(key: Key): string {
  if (key.kind === 'text') return JSON.stringify(key.text);
  if (key.kind === 'paste') return `<${key.text}>`;
  return `${key.ctrl ? 'C-' : ''}${key.alt ? 'M-' : ''}${key.shift ? 'S-' : ''}${key.letter ?? key.name}`;
}
const keysOf = (...chunks: (string | Uint8Array)[]): string => decode(chunks).map(short).join(' ');

const SPELLINGS: readonly (readonly [string, string])[] = [
  ['\r', 'enter'],
  ['\n', 'C-enter'],
  ['\x1b\r', 'M-enter'],
  ['\x1b[13;2u', 'S-enter'],
  ['\x1b[13;5u', 'C-enter'],
  ['\x1b[13;3u', 'M-enter'],
  ['\x1b[27;2;13~', 'S-enter'],
  ['\x1b[27;5;13~', 'C-enter'],
  ['\x1b[27;3;13~', 'M-enter'],
  ['\x1bOM', 'enter'],
  ['\x1b[57414;2u', 'S-enter'],
  ['\t', 'tab'],
  ['\x1b[Z', 'S-tab'],
  ['\x1b[9;2u', 'S-tab'],
  ['\x7f', 'backspace'],
  ['\x08', 'backspace'],
  ['\x1b\x7f', 'M-backspace'],
  ['\x1b[127;5u', 'C-backspace'],
  ['\x1b[A\x1bOB\x1b[1;5C\x1b[1;2D', 'up down C-right S-left'],
  ['\x1b[1;3A\x1b\x1b[A', 'M-up M-up'],
  ['\x1bOa\x1b[b\x1bO5C', 'C-up S-down C-right'],
  ['\x1b[H\x1bOH\x1b[1~\x1b[7~', 'home home home home'],
  ['\x1b[F\x1bOF\x1b[4~\x1b[8~', 'end end end end'],
  ['\x1b[3~\x1b[3;5~\x1b[3^\x1b[3$\x1b[3@', 'delete C-delete C-delete S-delete C-S-delete'],
  ['\x1b[5~\x1b[6~', 'pageup pagedown'],
  ['\x03\x01\x1a\x1f\x00', 'C-c C-a C-z C-_ C-unknown'],
  ['\x1b[99;5u\x1b[97;6u\x1b[27u', 'C-c C-S-a escape'],
  ['\x1b[27;5;99~', 'C-c'],
  ['\x1bb\x1bB\x1b\x02\x1bé', 'M-b M-S-b C-M-b M-é'],
  ['\x1b[97u\x1b[97;2u\x1b[97:65;2u\x1b[228u', '"aAAä"'],
  ['\x1b[49:33;2u', '"!"'],
  ['\x1b[97;1:3u', ''],
  ['\x1b[97;9u', 'unknown'],
  ['\x1bOq\x1bOk', '"1+"'],
  ['\x1b[15~\x1bOP\x1b[[A\x1b[2~', 'unknown unknown unknown unknown'],
  ['\x1b[\x1b[A', 'unknown up'],
  ['\x1b[1\x03', 'unknown C-c'],
  ['\x1b[99999999999999999999u', 'unknown'],
  ['\x1b', 'escape'],
  ['\x1b\x1b', 'escape escape'],
  ['\x1b[', 'M-['],
  ['\x1b]', 'M-]'],
  ['\x1b]x', 'M-] "x"'],
  ['\x1b_\x1bP', 'M-_ M-S-p'],
  ['a€😀', '"a€😀"'],
  ['a\x85b\x9bc', '"abc"'],
];

describe('keys', () => {
  it.each(SPELLINGS)('%j', (bytes, keys) => {
    expect(keysOf(bytes)).toBe(keys);
    expect(keysOf(...[...Buffer.from(bytes)].map((byte) => Uint8Array.of(byte)))).toBe(keys);
  });

  it('reports and answers of the terminal are no keys', () => {
    const replies: string[] = [];
    const noise =
      '\x1b[<0;10;5M\x1b[<0;10;5m\x1b[M !!\x1b[32;10;5M\x1b[I\x1b[O\x1b[?62;22c\x1b[>1;10;0c\x1b[12;40R\x1b[?2026;2$y\x1b[?1u\x1b[0n\x1b[8;24;80t' +
      '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b]11;rgb:ffff/ffff/ffff\x07\x1bP>|XTerm(370)\x1b\\\x1b_Gi=1;OK\x1b\\';
    const keys = decode([`a${noise}b`], { onReply: (reply) => replies.push(reply) });
    expect(keys).toEqual([{ kind: 'text', text: 'ab' }]);
    expect(replies).toEqual(['11;rgb:1e1e/1e1e/1e1e', '11;rgb:ffff/ffff/ffff', '>|XTerm(370)', 'Gi=1;OK']);
    const cut = [...Buffer.from(noise)].map((byte) => Uint8Array.of(byte));
    expect(decode(cut)).toEqual([]);
  });

  it('a reply that never ends holds nothing back but itself', () => {
    expect(keysOf('\x1b]11;rgb:12\r')).toBe('enter');
    expect(keysOf('\x1b]11;rgb\x03')).toBe('C-c');
    expect(keysOf(`\x1b]1${'x'.repeat(5000)}`, 'y')).toMatch(/^"x+y"$/);
    expect(keysOf(`\x1b[${'1'.repeat(300)}`, 'A')).toMatch(/^unknown "1+A"$/);
  });

  it('tells how long to wait, and nothing when nothing is held back', () => {
    const decoder = createKeyDecoder();
    expect(decoder.waits()).toBeUndefined();
    decoder.push(Buffer.from('\x1b'));
    expect(decoder.waits()).toBeLessThanOrEqual(50);
    decoder.push(Buffer.from('['));
    expect(decoder.waits()).toBeGreaterThan(100);
    expect(decoder.push(Buffer.from('A')).map(short)).toEqual(['up']);
    expect(decoder.waits()).toBeUndefined();
  });
});

describe('paste', () => {
  const paste = (text: string): string => `\x1b[200~${text}\x1b[201~`;

  it('comes as one, with line feeds, whatever is in it', () => {
    expect(keysOf(`a${paste('one\rtwo\r\nthree\té')}b`)).toBe('"a" <one\ntwo\nthree\té> "b"');
    expect(keysOf(paste('x\x1b[31mred\x1b[0m\x1b]0;title\x07y\x03\x00z'))).toBe('<xredyz>');
    expect(keysOf(paste('a\x1b[200~b'))).toBe('<ab>');
    expect(keysOf(paste('\x1b[20\x1b[201'))).toBe('<>');
    expect(keysOf(paste(''))).toBe('<>');
  });

  it('is bounded, and what follows it is typed', () => {
    expect(decode([`${paste('x'.repeat(100))}y`], { pasteLimit: 10 })).toEqual([
      { kind: 'paste', text: 'x'.repeat(10) },
      { kind: 'text', text: 'y' },
    ]);
  });

  it('whose end was lost can be ended', () => {
    const decoder = createKeyDecoder();
    expect(decoder.push(Buffer.from('\x1b[200~lost\x1b[20'))).toEqual([]);
    expect(decoder.pasting).toBe(true);
    expect(decoder.endPaste().map(short)).toEqual(['<lost>']);
    expect(decoder.push(Buffer.from('\x03')).map(short)).toEqual(['C-c']);
  });
});

describe('any cut', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SPELLINGS.map(([bytes]) => bytes)),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `\x1b[200~${text}\x1b[201~`),
    fc.constantFrom('\x1b]11;rgb:1/2/3\x07', '\x1b[200~', '\x1b[201~', '\x1b[<1;2;3M', '\x1bP1$r0m\x1b\\'),
  );
  const stream = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''))),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );

  it('gives the same keys', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 20 }), (bytes, cuts) => {
        const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length));
        expect(decode(chunks)).toEqual(decode([bytes]));
      }),
      { numRuns: 1500 },
    );
  });

  it('never gives a control character as text', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        for (const key of decode([bytes])) {
          if (key.kind === 'text') expect(key.text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          if (key.kind === 'paste') expect(key.text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
