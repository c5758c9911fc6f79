import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Catalogue, en, type Plural } from '../../../src/ui/text/en.js';
import { createText, pickLanguage, type TextKey } from '../../../src/ui/text/index.js';
import { ptBr } from '../../../src/ui/text/pt-br.js';

const SRC = resolve(import.meta.dirname, '../../../src');
/** Keys put together from a prefix and a value of a closed list. */
const FAMILIES = [
  'label.',
  'status.',
  'notice.',
  'run.level.',
  'approval.detail.',
  'approval.actionOf.',
  'approval.answer.',
  'approval.sandbox.',
  'cli.',
  'session.fault.',
  'trust.kind.',
  'policy.zone.',
];
/** Keys for parts of the application that are still to come. */
const WAITING = /^(?:session\.fault\.|shell\.stopping$)/;

const keys = Object.keys(en) as TextKey[];
const forms = (entry: string | Plural): string[] => (typeof entry === 'string' ? [entry] : [entry.one, entry.other]);
const places = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '').sort();

describe('the catalogues', () => {
  it('hold the same keys, and no sentence is empty', () => {
    expect(Object.keys(ptBr).sort()).toEqual([...keys].sort());
    for (const catalogue of [en, ptBr] as Catalogue[])
      for (const key of keys) for (const form of forms(catalogue[key])) expect(form.trim(), key).not.toBe('');
  });

  it('have the same places in every language and plural', () => {
    for (const key of keys) {
      const wanted = places(forms(en[key])[0] ?? '');
      for (const form of [...forms(en[key]), ...forms((ptBr as Catalogue)[key])]) expect(places(form), key).toEqual(wanted);
    }
  });

  it('are really translated', () => {
    const same = keys.filter((key) => JSON.stringify(en[key]) === JSON.stringify((ptBr as Catalogue)[key]));
    // Words both languages share, and lines that are only places.
    expect(same.sort()).toEqual([
      'approval.agent',
      'approval.detail.url',
      'card.fileChanged',
      'command.modelLine',
      'doctor.title',
      'label.git',
      'run.cost',
      'run.start',
      'trust.kind.plugin',
      'usage.badFile',
      'usage.openKeysHint',
    ]);
  });

  it('hold every key that is used, and no key that nothing uses', () => {
    const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('ui/text/'))
      .map((name) => readFileSync(join(SRC, name), 'utf8'))
      .join('\n');
    expect(sources.length).toBeGreaterThan(10_000);
    const asked = [...sources.matchAll(/\b(?:t|find)\(\s*'([^']+)'/g)].map((m) => m[1] ?? '');
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((key) => !Object.hasOwn(en, key))).toEqual([]);
    const used = (key: string): boolean =>
      sources.includes(`'${key}'`) || FAMILIES.some((family) => key.startsWith(family) && sources.includes(`\`${family}\${`));
    expect(keys.filter((key) => !used(key) && !WAITING.test(key))).toEqual([]);
  });
});

describe('createText', () => {
  const english = createText('en');
  const portuguese = createText('pt-BR');

  it('fills places and never fills what a value holds', () => {
    expect(english.t('label.read', { object: 'main.go' })).toBe('Reading: main.go');
    expect(portuguese.t('label.read', { object: 'main.go' })).toBe('Lendo: main.go');
    expect(english.t('label.read', { object: '{object} $& $1' })).toBe('Reading: {object} $& $1');
    expect(english.t('label.read', {})).toBe('Reading: {object}');
    expect(english.t('label.read', { toString: 'x' } as never)).toBe('Reading: {object}');
  });

  it('counts as each language does', () => {
    expect([0, 1, 2].map((count) => english.t('run.turns', { count }))).toEqual(['0 turns', '1 turn', '2 turns']);
    expect([0, 1, 2].map((count) => portuguese.t('run.turns', { count }))).toEqual(['0 turno', '1 turno', '2 turnos']);
  });

  it('finds keys that may not exist', () => {
    expect(english.find('notice.tools-as-text')).toContain('functions');
    for (const key of ['notice.none', 'toString', '__proto__', '']) expect(english.find(key)).toBeUndefined();
  });

  it('writes numbers and times as people do', () => {
    expect([english.number(1234567), portuguese.number(1234567.5, 2), english.number(-0.125, 3), english.number(999)]).toEqual([
      '1,234,567',
      '1.234.567,5',
      '-0.125',
      '999',
    ]);
    expect([0, 0.4, 350, 4200, 42_000, 185_000, 7_500_000].map(english.duration)).toEqual([
      '0 ms',
      '1 ms',
      '350 ms',
      '4.2 s',
      '42 s',
      '3 min 5 s',
      '2 h 5 min',
    ]);
    expect(portuguese.duration(4200)).toBe('4,2 s');
  });
});

describe('pickLanguage', () => {
  it.each([
    [{}, 'en'],
    [{ LANG: 'pt_BR.UTF-8' }, 'pt-BR'],
    [{ LANG: 'pt' }, 'pt-BR'],
    [{ LANG: 'pt-PT' }, 'pt-BR'],
    [{ LANG: 'ptx' }, 'en'],
    [{ LANG: 'de_DE.UTF-8' }, 'en'],
    [{ LC_ALL: 'C', LANG: 'pt_BR' }, 'en'],
    [{ LC_ALL: '', LANG: 'pt_BR' }, 'pt-BR'],
    [{ CHATCLI_LANG: 'pt-br', LC_ALL: 'en_US' }, 'pt-BR'],
    [{ CHATCLI_LANG: 'en', LANG: 'pt_BR' }, 'en'],
  ] as const)('%j is %s', (env, language) => expect(pickLanguage(env)).toBe(language));
});
