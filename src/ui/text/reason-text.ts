/** Reasons of decisions said to people, in their language. */
import type { Reason } from '../../types/policy.js';
import type { Language } from './index.js';
import { ptBrReasons } from './pt-br-reasons.js';

/** One sentence. A reason that has no words in the language is said in English; its values are never taken for places. */
export function reasonText(reason: Reason, language: Language): string {
  const said = fill(reason, language);
  const text = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function fill(reason: Reason, language: Language): string {
  const words = language === 'pt-BR' && Object.hasOwn(ptBrReasons, reason.text) ? ptBrReasons[reason.text] : undefined;
  return (words ?? reason.text).replace(/\{(\d+)\}/g, (place, index: string) => {
    const value = reason.values[Number(index)];
    if (value === undefined) return place;
    return typeof value === 'object' ? fill(value, language) : String(value);
  });
}
