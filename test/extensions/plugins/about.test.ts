import { describe, expect, it } from 'vitest';
import { pluginName, readMetadata, readSchema } from '../../../src/extensions/plugins/about.js';

const metadata = (value: unknown) => readMetadata(typeof value === 'string' ? value : JSON.stringify(value));

describe('readMetadata', () => {
  it('takes names with and without @', () => {
    for (const name of ['k8s', '@k8s']) expect(metadata({ name })).toMatchObject({ ok: true, value: { name: '@k8s' } });
  });
  it('refuses what is no object with a usable name', () => {
    for (const bad of ['', 'hello', '[]', '"x"', 'null', '{', '\u0000\u0001ELF']) expect(metadata(bad).ok, bad).toBe(false);
    for (const name of [
      undefined,
      3,
      null,
      '',
      '@',
      'a b',
      '../x',
      '@coder read',
      '-x',
      'x\n',
      'x\u001b[1m',
      'rеad',
      '@'.repeat(3),
      'a'.repeat(65),
    ])
      expect(metadata({ name }).ok && name !== 'x\n', String(name)).toBe(false);
    expect(metadata({ name: 'x', description: ['no'] }).ok).toBe(false);
  });
  it('makes texts short and harmless', () => {
    const read = metadata({
      name: 'x',
      description: `\u001b[31mred\u001b[0m\n\u202eback ${'long '.repeat(200_000)}`,
      version: 2,
    });
    if (!read.ok) throw new Error('refused');
    expect(read.value.description).toMatch(/^red back long/);
    expect(read.value.description.length).toBeLessThanOrEqual(301);
    expect(read.value.description).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(read.value.version).toBe('2');
  });
});

describe('readSchema', () => {
  it('takes a JSON Schema, the list of the original, or nothing', () => {
    expect(readSchema('')).toEqual({ ok: true, value: undefined });
    expect(readSchema('{}')).toEqual({ ok: true, value: undefined });
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] };
    expect(readSchema(JSON.stringify(schema))).toEqual({ ok: true, value: schema });
    const list = [
      { name: '--ns', type: 'string', required: true, description: 'where' },
      { name: 'all', type: 'bool' },
      { name: 'odd', type: 'whatever' },
    ];
    expect(readSchema(JSON.stringify({ parameters: list }))).toEqual({
      ok: true,
      value: {
        type: 'object',
        properties: { ns: { type: 'string', description: 'where' }, all: { type: 'boolean' }, odd: {} },
        required: ['ns'],
      },
    });
  });
  it('refuses what cannot be flags, and what is no schema', () => {
    const bad = [
      '[]',
      'x',
      '{"a":1}',
      '{"type":"object","properties":[]}',
      '{"type":"object","properties":{"a b":{}}}',
      '{"type":"object","properties":{"x":3}}',
      '{"type":"object","properties":{"x":{}},"required":"x"}',
      '{"parameters":[{"type":"string"}]}',
      `{"parameters":${JSON.stringify(Array.from({ length: 101 }, (_, n) => ({ name: `f${n}` })))}}`,
      `{"type":"object","properties":{"x":${'{"items":'.repeat(30)}{}${'}'.repeat(30)}}}`,
    ];
    for (const text of bad) expect(readSchema(text).ok, text.slice(0, 60)).toBe(false);
  });
});

describe('pluginName', () => {
  it('gives one spelling', () => expect([pluginName('@a.b-c'), pluginName('x/y')]).toEqual(['@a.b-c', undefined]));
});

it('keeps nothing of a schema that could cost more than a value is long', () => {
  const hostile = {
    type: 'object',
    patternProperties: { '^(a+)+$': {} },
    $ref: 'https://example.invalid/schema.json',
    properties: {
      a: { type: 'string', pattern: '^(a+)+$', format: 'regex', minLength: 2 },
      b: { type: 'array', uniqueItems: true, items: { type: 'string', pattern: '(b+)+' } },
      c: { anyOf: [{ $ref: '#/properties/c' }, { type: 'integer' }] },
    },
  };
  const read = readSchema(JSON.stringify(hostile));
  if (!read.ok) throw new Error('refused');
  expect(read.value).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string', minLength: 2 },
      b: { type: 'array', items: { type: 'string' } },
      c: { anyOf: [{}, { type: 'integer' }] },
    },
  });
});
