/** Reasons said to people, in their language. */
import { type Reason, sentence } from '../../types/reason.js';
import { parserWords } from './pt-br-parser.js';
import { ptBrReasons } from './pt-br-reasons.js';

/** A sentence where `english` is one, otherwise a part of one. What has no words in the language is said in English. */
export function reasonText(reason: Reason, language: 'en' | 'pt-BR', english: string): string {
  if (language === 'en') return english;
  const said = fill(reason);
  return /[.!?]$/.test(english) ? sentence(said) : said;
}

/** Values stand as they are: what they hold is never taken for a place. */
function fill(reason: Reason): string {
  const ofParser = /could not be parsed/.test(reason.text);
  const words = Object.hasOwn(ptBrReasons, reason.text) ? ptBrReasons[reason.text] : undefined;
  return (words ?? reason.text).replace(/\{(\d+)\}/g, (place, index: string) => {
    const value = reason.values[Number(index)];
    if (value === undefined) return place;
    if (typeof value === 'object') return fill(value);
    return ofParser ? parserWords(String(value)) : String(value);
  });
}
