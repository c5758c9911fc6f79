/** Damage that models do to JSON, done to valid objects: reading gives the same object or a fault, never another object. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recoverJson } from '../../src/base/json-recover.js';
import type { Ending, Json } from '../../src/base/json-types.js';

/** A piece of JSON text: a mark, or a whole string. */
type Token = { readonly kind: 'mark' | 'string' | 'literal'; readonly text: string };

function tokensOf(json: string): Token[] {
  const tokens: Token[] = [];
  for (const match of json.matchAll(/("(?:[^"\\]|\\.)*")|([{}[\],:])|([^{}[\],:"\s]+)/g)) {
    const [text, string, mark] = match;
    tokens.push({ kind: string ? 'string' : mark ? 'mark' : 'literal', text });
  }
  return tokens;
}

const isKey = (tokens: readonly Token[], at: number) => tokens[at]?.kind === 'string' && tokens[at + 1]?.text === ':';
const single = (text: string) =>
  `'${(JSON.parse(text) as string).replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

/** Each leaves every string complete. */
const DAMAGES: Readonly<Record<string, (tokens: readonly Token[]) => string>> = {
  'trailing commas': (tokens) =>
    tokens
      .map(({ text }, at) =>
        /[}\]]/.test(text) && tokens[at]?.kind === 'mark' && !/[{[,]/.test(tokens[at - 1]?.text ?? '{') ? `,${text}` : text,
      )
      .join(''),
  'single quotes': (tokens) => tokens.map(({ kind, text }) => (kind === 'string' ? single(text) : text)).join(''),
  'bare keys': (tokens) =>
    tokens.map(({ text }, at) => (isKey(tokens, at) && /^"[A-Za-z_]\w*"$/.test(text) ? text.slice(1, -1) : text)).join(''),
  'bare keys, single quotes, trailing commas': (tokens) =>
    tokens
      .map(({ kind, text }, at) =>
        isKey(tokens, at) && /^"[A-Za-z_]\w*"$/.test(text)
          ? text.slice(1, -1)
          : kind === 'string'
            ? single(text)
            : text === '}' && tokens[at - 1]?.text !== '{'
              ? ',}'
              : text,
      )
      .join(''),
  'Python words': (tokens) =>
    tokens
      .map(({ kind, text }) => (kind === 'literal' ? ({ true: 'True', false: 'False', null: 'None' }[text] ?? text) : text))
      .join(' '),
  'raw line ends': (tokens) =>
    tokens
      .map(({ kind, text }) =>
        kind === 'string' ? text.replace(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n').replace(/(?<!\\)((?:\\\\)*)\\t/g, '$1\t') : text,
      )
      .join(''),
  comments: (tokens) => `// call\n${tokens.map(({ text }) => (text === ',' ? ', /* and */ ' : text)).join('')} # end`,
  'missing commas': (tokens) => tokens.map(({ text }) => (text === ',' ? ' ' : text)).join(''),
  'missing colons': (tokens) => tokens.map(({ text }) => (text === ':' ? ' ' : text)).join(''),
  'doubled commas': (tokens) => tokens.map(({ text }) => (text === ',' ? ',,' : text)).join(''),
  'a value left out': (tokens) => {
    const at = tokens.findIndex(({ kind }, index) => kind !== 'mark' && tokens[index - 1]?.text === ':');
    return tokens
      .filter((_, index) => index !== at)
      .map(({ text }) => text)
      .join('');
  },
  'a missing bracket': (tokens) =>
    tokens
      .slice(0, -1)
      .map(({ text }) => text)
      .join(''),
  'a bracket too many': (tokens) => `${tokens.map(({ text }) => text).join('')}}`,
  'brackets of the wrong kind': (tokens) => tokens.map(({ text }, at) => (at === tokens.length - 1 ? ']' : text)).join(''),
  'encoded twice': (tokens) => JSON.stringify(tokens.map(({ text }) => text).join('')),
  'curly quotes': (tokens) =>
    tokens.map(({ kind, text }) => (kind === 'string' && !/[\\“”]/.test(text) ? `“${text.slice(1, -1)}”` : text)).join(''),
  semicolons: (tokens) => tokens.map(({ text }) => (text === ',' ? ';' : text)).join(''),
  'equals signs': (tokens) => tokens.map(({ text }) => (text === ':' ? '=' : text)).join(''),
  'joined texts': (tokens) =>
    tokens
      .map(({ kind, text }, at) =>
        kind === 'string' && !isKey(tokens, at) && /^"[a-z]{4,}"$/.test(text) ? `${text.slice(0, 3)}" + "${text.slice(3)}` : text,
      )
      .join(''),
  'a prefix letter': (tokens) =>
    tokens.map(({ kind, text }, at) => (kind === 'string' && !isKey(tokens, at) ? `f${text}` : text)).join(''),
  'marks behind': (tokens) => `${tokens.map(({ text }) => text).join('')}\n</tool_call><|im_end|>`,
  'another object behind': (tokens) => `${tokens.map(({ text }) => text).join('')}{"a":1}`,
};
/** What `value` may become: a value that is not there is nothing, or a fault. */
const LOSES = new Set(['a value left out']);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "'",
        '\\',
        '\n',
        '\t',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '","',
        '":"',
        "','",
        '//',
        '/*',
        '#',
        'a',
        ' ',
        '“',
        '”',
        'True',
        'null',
        '1',
        '\\"',
        '" + "',
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('plain', 'words with spaces', 'true', '12', ''),
);
const key = fc.oneof(fc.constantFrom('cmd', 'args', 'file', 'content', 'edits', 'a', 'b_c'), text);
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
})).object;

describe('a damaged object is read as itself or not at all', () => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(name, () => {
      fc.assert(
        fc.property(value, fc.constantFrom<Ending>('closed', 'word', 'open', 'cut'), (object, ending) => {
          const wanted = JSON.parse(JSON.stringify(object)) as Json;
          const tokens = tokensOf(JSON.stringify(object));
          const read = recoverJson(damage(tokens), ending);
          if (!read.ok) return;
          const got = typeof read.value === 'string' && name === 'encoded twice' ? (JSON.parse(read.value) as Json) : read.value;
          if (LOSES.has(name) && damage(tokens) !== tokens.map((token) => token.text).join(''))
            throw new Error(`read ${JSON.stringify(got)} from ${damage(tokens)}`);
          expect(got).toEqual(wanted);
        }),
        { numRuns: process.env['CHATCLI_TEST_LONG'] ? 4000 : 150 },
      );
    });
  }
  it('really is damaged, and often mended', () => {
    const sample = { cmd: 'write', args: { file: 'a', content: 'plain\ntext', ok: true, n: 3, list: ['xxxx', 'y'] } };
    const tokens = tokensOf(JSON.stringify(sample));
    expect(tokens.map((token) => token.text).join('')).toBe(JSON.stringify(sample));
    const texts = Object.values(DAMAGES).map((damage) => damage(tokens));
    for (const damaged of texts) expect(() => expect(JSON.parse(damaged)).toEqual(sample), damaged).toThrow();
    expect(texts.filter((damaged) => recoverJson(damaged, 'closed').ok).length).toBeGreaterThan(10);
  });
});
