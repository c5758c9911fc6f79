/** Which words can be a new name in a language; the words themselves stand in `languages/keywords.ts`. */
import { identifierFault } from '../languages/keywords.js';

/** Languages that share their words. */
const FAMILY: Readonly<Record<string, string>> = {
  typescript: 'javascript',
  tsx: 'javascript',
  javascript: 'javascript',
  jsx: 'javascript',
  'c-header': 'cpp',
};
/** Marks that a name may bear in its language, but that a rename by name does not take. */
const MARKED = /[^\p{L}\p{Nl}\p{Mn}\p{Mc}\p{N}_$]/u;

/** The family a language belongs to; its own id when it is alone. */
export function familyOf(language: string): string {
  return FAMILY[language] ?? language;
}

/** Why a word is no name in a language, or undefined when it is one. `isMember`: keywords are allowed there in JavaScript. */
export function whyNoName(word: string, language: string, isMember: boolean): string | undefined {
  const fault = MARKED.test(word) || (familyOf(language) === 'php' && word.includes('$')) ? 'is not an identifier' : undefined;
  const other = fault ?? identifierFault(language, word);
  if (other === undefined || fault) return fault;
  if (/ is no identifier of /.test(other)) return 'is not an identifier';
  return isMember && familyOf(language) === 'javascript' ? undefined : 'is a word of the language itself';
}
