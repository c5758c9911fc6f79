/** Texts for people in their language: one catalogue each, chosen once at the start. */

import type { Reason } from '../../types/reason.js';
import { type Catalogue, en, type Plural, type TextKey } from './en.js';
import { ptBr } from './pt-br.js';
import { reasonText } from './reason-text.js';

export type { TextKey } from './en.js';
export type Language = 'en' | 'pt-BR';
export type Values = Readonly<Record<string, string | number>>;

export interface Text {
  readonly language: Language;
  /** A sentence with its places filled; `count` chooses the plural. Needs no `this`. */
  readonly t: (key: TextKey, values?: Values) => string;
  /** The same for a key that may not exist; undefined when it does not. */
  readonly find: (key: string, values?: Values) => string | undefined;
  /** Why something was decided or ended: `english` or, where more is known, the same in this language, a sentence where that is one. */
  readonly why: (reason: Reason | undefined, english: string) => string;
  /** A number as people write it: `12,345` or `12.345`; at most `decimals` decimals (default 0). */
  readonly number: (value: number, decimals?: number) => string;
  /** A time span given in milliseconds: `350 ms`, `4.2 s`, `3 min 5 s`. */
  readonly duration: (ms: number) => string;
}

const CATALOGUES: { readonly [language in Language]: Catalogue } = { en, 'pt-BR': ptBr };

/** The first of the three variables that is set decides; anything that is not Portuguese is English. */
export function pickLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const value = env['CHATCLI_LANG'] || env['LC_ALL'] || env['LANG'] || '';
  return /^pt(?![a-z])/i.test(value.trim()) ? 'pt-BR' : 'en';
}

/** Texts in one language. */
export function createText(language: Language): Text {
  const catalogue = CATALOGUES[language];
  let rules: Intl.PluralRules | undefined;
  const fill = (entry: string | Plural, values: Values): string => {
    if (typeof entry === 'string') return fillPlaces(entry, values);
    rules ??= new Intl.PluralRules(language);
    return fillPlaces(rules.select(Number(values['count'] ?? 0)) === 'one' ? entry.one : entry.other, values);
  };
  const number = (value: number, decimals = 0): string => formatNumber(value, decimals, language);
  return {
    language,
    // A key that came in as plain text may be wrong; a wrong key is shown, not thrown.
    t: (key, values = {}) => (Object.hasOwn(catalogue, key) ? fill(catalogue[key], values) : key),
    find: (key, values = {}) => (Object.hasOwn(catalogue, key) ? fill(catalogue[key as TextKey], values) : undefined),
    why: (reason, english) => (reason === undefined ? english : reasonText(reason, language, english)),
    number,
    duration: (ms) => formatDuration(ms, number),
  };
}

/** Values are text, never patterns: what they hold is not filled again. */
function fillPlaces(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : place));
}

function formatNumber(value: number, decimals: number, language: Language): string {
  const [whole = '0', rest = ''] = Math.abs(value).toFixed(decimals).split('.');
  const [group, point] = language === 'en' ? [',', '.'] : ['.', ','];
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  const tail = rest.replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${grouped}${tail ? point + tail : ''}`;
}

function formatDuration(ms: number, number: Text['number']): string {
  if (!(ms > 0)) return '0 ms';
  if (ms < 1000) return `${number(Math.max(1, ms))} ms`;
  if (ms < 60_000) return `${number(ms / 1000, ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
}
