/** Spellings of a command that rules are compared with. */

import { splitGit } from './readers/git.js';
import { only, possible, type ShellWord, type Simple } from './types.js';
import { baseName } from './wrapper-list.js';

/** Words as one line: quotes removed where they are not needed, blanks single. */
export function render(words: readonly ShellWord[]): string {
  return words.map(spell).join(' ');
}

function spell(word: ShellWord): string {
  const text = only(word);
  if (text === undefined) return word.source;
  return text === '' || /[\s'"\\$`;|&<>()]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text;
}

/** The command as written and as rendered. */
export function ruleTexts(simple: Simple): string[] {
  if (simple.words.length === 0) return [];
  const rendered = render(simple.words);
  const first = simple.words[0]?.source ?? '';
  const at = simple.text.indexOf(first);
  const raw = at >= 0 && only(simple.words[0]) === first ? simple.text.slice(at) : rendered;
  return [...new Set([rendered, raw, writtenWords(simple)])];
}

/** The words as they were written, without redirections: the spelling a remembered rule gets. */
export function writtenWords(simple: Simple): string {
  return simple.words.map((word) => word.source).join(' ');
}

/** All spellings a deny rule may mean: any path of the program, git without its global options, guessed names. */
export function denyTexts(simple: Simple): string[] {
  const [name, ...args] = simple.words;
  if (!name) return [];
  const names = new Set(possible(name).flatMap((text) => [text, baseName(text)]));
  const tail = args.length > 0 ? ` ${render(args)}` : '';
  const texts = [...names].map((text) => text + tail);
  if (names.has('git')) {
    const call = splitGit(args);
    if (call.global.operands.length > 0) texts.push(`git ${render(call.global.operands)}`);
  }
  return [...new Set([...texts, ...ruleTexts(simple)])];
}
